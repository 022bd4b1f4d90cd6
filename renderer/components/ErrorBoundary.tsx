import { Component, type ReactNode } from 'react';
import { CheckpointError } from '../../shared/contract/errors';
import { Button } from './Button';
import styles from './ErrorBoundary.module.css';
import { ErrorNotice } from './ErrorNotice';

interface ErrorBoundaryProps {
  /** What the part shows: `history`. */
  readonly name: string;
  readonly children: ReactNode;
}

/** Keeps a fault in one part of the window from taking the others with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: CheckpointError | null }> {
  override state = { error: null as CheckpointError | null };

  static getDerivedStateFromError(error: unknown) {
    return { error: CheckpointError.from(error) };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className={styles.box}>
        <ErrorNotice
          title={`The ${this.props.name} could not be shown`}
          error={error}
          action={
            <>
              <Button onClick={() => this.setState({ error: null })}>Show again</Button>
              <Button onClick={() => window.location.reload()}>Reload the window</Button>
            </>
          }
        />
      </div>
    );
  }
}
