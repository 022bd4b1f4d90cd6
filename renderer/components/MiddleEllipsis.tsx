import { classNames } from './classNames';
import styles from './MiddleEllipsis.module.css';

interface MiddleEllipsisProps {
  readonly text: string;
  /** For screen, hover and copy all of the text is there; `title` can say more. */
  readonly title?: string;
  readonly className?: string;
}

const SHORT = 20;
const TAIL = 10;

/** A name in one line whose middle gives way when there is no room: both the module it begins with and the parameter it ends with stay. */
export function MiddleEllipsis({ text, title = text, className }: MiddleEllipsisProps) {
  const [head, tail] = splitTail(text);
  return (
    <span dir="auto" className={classNames(styles.box, className)} title={title}>
      <span className={styles.head}>{head}</span>
      {tail === '' ? null : <span className={styles.tail}>{tail}</span>}
    </span>
  );
}

/** The last characters of a long text apart; never between the halves of one character. */
function splitTail(text: string): readonly [string, string] {
  if (text.length <= SHORT) return [text, ''];
  let at = text.length - TAIL;
  if (/[\uDC00-\uDFFF\p{M}]/u.test(text.charAt(at))) at--;
  return [text.slice(0, at), text.slice(at)];
}
