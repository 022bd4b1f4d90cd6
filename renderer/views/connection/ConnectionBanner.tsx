import { Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/Button';
import { useClient, useStore, useStores } from '../../state/storesContext';
import styles from './ConnectionBanner.module.css';

/** The connection is gone: what is shown stays, and when it is tried again is said. */
export function ConnectionBanner() {
  const { app } = useStores();
  const client = useClient();
  const lost = useStore(app, (state) => state.connection === 'lost');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!lost) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [lost]);
  if (!lost) return null;
  const wait = client.retryAt === null ? 0 : Math.max(0, Math.ceil((client.retryAt - now) / 1000));
  return (
    <div className={styles.banner}>
      <Unplug size={16} aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>
        <p role="alert" className={styles.title}>
          The connection to the host is lost.
        </p>
        <p>
          What is shown stays. If the host was stopped, start it again; if it prints another address, open that one; if you reach it through a tunnel, check the
          tunnel.
        </p>
      </div>
      {/* Counting down aloud would drown everything else. */}
      <span className={styles.wait} aria-hidden="true">
        {wait > 0 ? `Trying again in ${wait} s` : 'Trying…'}
      </span>
      <Button onClick={() => client.retryNow()}>Try now</Button>
    </div>
  );
}
