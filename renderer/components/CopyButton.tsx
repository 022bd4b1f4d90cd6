import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copyText';
import { IconButton } from './IconButton';

interface CopyButtonProps {
  readonly text: string | (() => string);
  /** What is copied: `Copy name`. */
  readonly label: string;
  readonly className?: string;
}

/** Copies a text, and shows for a moment that it did. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(typeof text === 'function' ? text() : text)) ? 'copied' : 'failed');
  return (
    <>
      <IconButton
        label={label}
        icon={outcome === 'copied' ? <Check size={14} /> : <Copy size={14} />}
        onClick={() => void copy()}
        {...(className === undefined ? {} : { className })}
      />
      <span role="status" className="visually-hidden">
        {outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not be copied' : ''}
      </span>
    </>
  );
}
