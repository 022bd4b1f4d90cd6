import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../components/Button';
import { ErrorNotice } from '../components/ErrorNotice';
import { IconButton } from '../components/IconButton';
import type { Notice } from '../state/noticeStore';
import { useStore, useStores } from '../state/storesContext';
import styles from './NoticeList.module.css';

const SHOWN_MS = 8000;

/** What happened, in the corner. Errors stay until dismissed; the rest goes by itself unless it is pointed at or holds a button. */
export function NoticeList() {
  const { notices } = useStores();
  const list = useStore(notices, (state) => state.notices);
  return (
    <section className={styles.list} aria-label="Notices" aria-live="polite">
      {list.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} onDismiss={() => notices.getState().dismiss(notice.id)} />
      ))}
    </section>
  );
}

function NoticeCard({ notice, onDismiss }: { readonly notice: Notice; readonly onDismiss: () => void }) {
  const [held, setHeld] = useState(false);
  const { notices } = useStores();
  const fades = (notice.kind === 'info' || notice.kind === 'success') && notice.action === undefined;
  useEffect(() => {
    if (!fades || held) return;
    const timer = setTimeout(() => notices.getState().dismiss(notice.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [fades, held, notices, notice.id]);
  const { action } = notice;
  const button =
    action === undefined ? undefined : (
      <Button
        onClick={() => {
          onDismiss();
          action.run();
        }}
      >
        {action.label}
      </Button>
    );
  return (
    <div className={styles.card} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      {notice.error === undefined ? (
        <>
          <span className={styles[notice.kind]} aria-hidden="true">
            {notice.kind === 'success' ? <CircleCheck size={16} /> : notice.kind === 'info' ? <Info size={16} /> : <TriangleAlert size={16} />}
          </span>
          <div className={styles.body}>
            <p className={styles.title}>{notice.title}</p>
            {notice.text === undefined ? null : <p className={styles.text}>{notice.text}</p>}
            {button}
          </div>
        </>
      ) : (
        <div className={styles.body}>
          <ErrorNotice bare title={notice.title} error={notice.error} action={button} />
        </div>
      )}
      <IconButton label="Dismiss" side="left" icon={<X size={14} />} onClick={onDismiss} className={styles.dismiss ?? ''} />
    </div>
  );
}
