import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CheckpointError } from '../../shared/contract/errors';

export interface NoticeAction {
  readonly label: string;
  run(): void;
}

export interface NoticeInput {
  readonly kind: 'info' | 'success' | 'warning' | 'error';
  readonly title: string;
  readonly text?: string;
  readonly error?: CheckpointError;
  readonly action?: NoticeAction;
}

export interface Notice extends NoticeInput {
  readonly id: number;
}

export interface NoticeState {
  /** Oldest first. */
  readonly notices: readonly Notice[];
  /** Shows a notice and returns its id. Errors stay until dismissed; the same error twice in a row is shown once. */
  show(notice: NoticeInput): number;
  dismiss(id: number): void;
}

export type NoticeStore = StoreApi<NoticeState>;

/** More than these would hide the work; the oldest go. */
const MOST_NOTICES = 4;

export function createNoticeStore(): NoticeStore {
  let nextId = 1;
  return createStore<NoticeState>()((set, get) => ({
    notices: [],
    show(notice) {
      const id = nextId++;
      const others = get().notices.filter(
        (other) => !(other.kind === notice.kind && other.title === notice.title && other.error?.message === notice.error?.message),
      );
      set({ notices: [...others, { ...notice, id }].slice(-MOST_NOTICES) });
      return id;
    },
    dismiss(id) {
      set({ notices: get().notices.filter((notice) => notice.id !== id) });
    },
  }));
}
