import { createStore, type StoreApi } from 'zustand/vanilla';
import { CheckpointError } from '../../shared/contract/errors';
import type { Progress } from '../../shared/contract/frames';
import type { RequestInput } from '../../shared/contract/requests';
import type { EditReview, GraphEdit, NameProposal, ValueAddress } from '../../shared/model/graphEdit';
import { type MappingFormat, parseMapping } from '../../shared/model/nameMapping/mapping';
import type { GraphStore, OpenedGraph } from './graphStore';
import { failed, idle, type Loadable, latest, loading, ready } from './loadable';
import {
  addressKey,
  checkOf,
  type DraftCheck,
  type DraftName,
  type MappedNames,
  NO_CHECK,
  NO_DRAFT,
  namesOfMapping,
  ofGraph,
  proposedName,
  type RenameDraft,
  renameEdit,
  withNames,
  withoutNames,
} from './renameDraft';
import type { StoreContext } from './storeContext';

type SentEdit = RequestInput<'graph/apply'>['edit'];
export type ProposalOrigin = RequestInput<'graph/propose'>['from'];

/** What is asked for a small edit of its own. */
export type EditQuestion =
  | { readonly kind: 'rename' | 'set-value'; readonly initializer: number }
  | { readonly kind: 'propose' | 'externalise' | 'add-initializer' }
  /** `like`: path of a module here that the same one of another model may take the place of; `''` for none. */
  | { readonly kind: 'splice'; readonly like: string }
  /** `module`: path of the one that the nodes are; `''` when they are none. */
  | { readonly kind: 'remove-nodes'; readonly nodes: readonly number[]; readonly module: string };

/** An edit that is looked at before it is done. */
export interface ShownReview {
  readonly edit: GraphEdit;
  /** It is the draft of new names. */
  readonly isDraft: boolean;
  readonly review: Loadable<EditReview>;
  readonly isApplying: boolean;
}

/** Names that are being looked for, and what came of the last search. */
export type ProposalRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly from: string; readonly progress: Progress | null; readonly startedAt: number }
  | { readonly kind: 'done'; readonly from: string; readonly count: number }
  | { readonly kind: 'failed'; readonly from: string; readonly error: CheckpointError };

export interface GraphEditState {
  readonly isNamesOpen: boolean;
  readonly draft: RenameDraft;
  /** Of the draft as it was last looked at by the host. */
  readonly check: Loadable<DraftCheck>;
  readonly proposals: ReadonlyMap<string, NameProposal>;
  readonly proposing: ProposalRun;
  /** What came of a file of names, in words. */
  readonly imported: { readonly text: string; readonly isComplete: boolean } | null;
  readonly question: EditQuestion | null;
  readonly review: ShownReview | null;
  openNames(isOpen: boolean): void;
  /** New names; an empty one takes a value out of the draft. */
  setNames(names: readonly DraftName[]): void;
  dropNames(keys: Iterable<string>): void;
  /** Asks for names; those from before are replaced. `words`: where they come from, for people. */
  propose(from: ProposalOrigin, options: { readonly onlyNumbered: boolean; readonly words: string }): Promise<void>;
  cancelProposing(): void;
  /** Takes proposals into the draft: those of the keys, or all. */
  accept(keys: Iterable<string> | null): void;
  dropProposals(): void;
  /** Takes a file of names into the draft. @throws CheckpointError malformed with the line */
  takeMapping(text: string, format: MappingFormat): MappedNames;
  sayImported(imported: GraphEditState['imported']): void;
  ask(question: EditQuestion | null): void;
  /** Shows what an edit would do. */
  startReview(edit: GraphEdit): void;
  reviewDraft(): void;
  retryReview(): void;
  closeReview(): void;
  applyReview(): Promise<void>;
}

export type GraphEditStore = StoreApi<GraphEditState>;

/** Between two keys of somebody who types. */
const PAUSE_MS = 200;
/** Drafts that wait for their version to be looked at again. */
const MOST_PARKED = 20;

interface GraphEditContext extends StoreContext {
  readonly graph: GraphStore;
}

/** New names and other edits of the opened graph, from the first letter to the review and the edit itself. */
export function createGraphEditStore({ client, workspace, graph }: GraphEditContext): GraphEditStore {
  let checking: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let proposing: AbortController | null = null;
  let reviewing: AbortController | null = null;
  const parked = new Map<string, RenameDraft>();
  const opened = () => latest(graph.getState().graph);

  const store = createStore<GraphEditState>()((set, get) => ({
    isNamesOpen: false,
    draft: NO_DRAFT,
    check: idle,
    proposals: new Map(),
    proposing: { kind: 'none' },
    imported: null,
    question: null,
    review: null,

    openNames: (isNamesOpen) => set({ isNamesOpen }),
    setNames: (names) => setDraft(withNames(get().draft, names)),
    dropNames: (keys) => setDraft(withoutNames(get().draft, keys)),

    async propose(from, { onlyNumbered, words }) {
      const shown = opened();
      if (shown === undefined) return;
      proposing?.abort();
      const controller = new AbortController();
      proposing = controller;
      const startedAt = Date.now();
      set({ proposing: { kind: 'running', from: words, progress: null, startedAt } });
      try {
        const found = await client.request(
          'graph/propose',
          { graph: shown.graph, from, onlyNumbered },
          {
            signal: controller.signal,
            onProgress: (progress) => {
              if (!controller.signal.aborted) set({ proposing: { kind: 'running', from: words, progress, startedAt } });
            },
          },
        );
        if (controller.signal.aborted) return;
        set({ proposals: new Map(found.map((each) => [addressKey(each.address), each])), proposing: { kind: 'done', from: words, count: found.length } });
      } catch (thrown) {
        const error = CheckpointError.from(thrown);
        if (!controller.signal.aborted) set({ proposing: { kind: 'failed', from: words, error } });
      }
    },

    cancelProposing() {
      proposing?.abort();
      set({ proposing: { kind: 'none' } });
    },

    accept(keys) {
      const { proposals } = get();
      const chosen = keys === null ? [...proposals.values()] : [...keys].flatMap((key) => proposals.get(key) ?? []);
      get().setNames(chosen.map(proposedName));
    },

    dropProposals: () => set({ proposals: new Map(), proposing: { kind: 'none' } }),

    takeMapping(text, format) {
      const entries = parseMapping(text, format);
      const shown = opened();
      if (shown === undefined) throw new CheckpointError('invalid-request', 'There is no graph that the names could be for.');
      const mapped = namesOfMapping(shown.view, entries);
      get().setNames(mapped.names);
      return mapped;
    },

    sayImported: (imported) => set({ imported }),
    ask: (question) => set({ question }),
    startReview: (edit) => void look(edit, false),
    reviewDraft() {
      if (get().draft.size > 0) void look(renameEdit(get().draft), true);
    },
    retryReview() {
      const { review } = get();
      if (review !== null) void look(review.edit, review.isDraft);
    },
    closeReview() {
      if (get().review?.isApplying === true) return;
      reviewing?.abort();
      set({ review: null });
    },

    async applyReview() {
      const { review } = get();
      if (review === null || review.isApplying || review.review.kind !== 'ready' || review.review.value.refusals.length > 0) return;
      set({ review: { ...review, isApplying: true } });
      const isDone = await graph.getState().apply(sent(review.edit));
      if (!isDone) {
        set({ review: { ...review, isApplying: false } });
        return;
      }
      set({ review: null, question: null });
      // What was typed while it was applied stays.
      if (review.isDraft && review.edit.kind === 'rename') {
        const applied = new Map(review.edit.renames.map((each) => [addressKey(each), each.to]));
        setDraft(new Map([...get().draft].filter(([key, { to }]) => applied.get(key) !== to)));
      }
    },
  }));

  function setDraft(draft: RenameDraft): void {
    if (draft === store.getState().draft) return;
    store.setState({ draft });
    scheduleCheck();
  }

  function scheduleCheck(): void {
    clearTimeout(timer);
    checking?.abort();
    const { draft, check } = store.getState();
    if (draft.size === 0) {
      store.setState({ check: idle });
      return;
    }
    store.setState({ check: loading(check) });
    timer = setTimeout(() => void runCheck(draft), PAUSE_MS);
  }

  async function runCheck(draft: RenameDraft): Promise<void> {
    const shown = opened();
    if (shown === undefined) return;
    const controller = new AbortController();
    checking = controller;
    try {
      const edit = sent(renameEdit(draft));
      const review = await client.request('graph/review', { graph: shown.graph, edit, withSites: false }, { signal: controller.signal });
      if (!controller.signal.aborted) store.setState({ check: ready(checkOf(review)) });
    } catch (error) {
      if (!controller.signal.aborted) store.setState({ check: failed(CheckpointError.from(error), store.getState().check) });
    }
  }

  async function look(edit: GraphEdit, isDraft: boolean): Promise<void> {
    const shown = opened();
    if (shown === undefined) return;
    reviewing?.abort();
    const controller = new AbortController();
    reviewing = controller;
    const put = (review: Loadable<EditReview>) => store.setState({ review: { edit, isDraft, review, isApplying: false } });
    put(loading());
    try {
      const review = await client.request('graph/review', { graph: shown.graph, edit: sent(edit), withSites: true }, { signal: controller.signal });
      if (!controller.signal.aborted) put(ready(review));
    } catch (error) {
      if (!controller.signal.aborted) put(failed(CheckpointError.from(error)));
    }
  }

  /** Another version is looked at: its own draft takes the place of this one. */
  function changeGraph(now: OpenedGraph | undefined, before: OpenedGraph | undefined): void {
    proposing?.abort();
    reviewing?.abort();
    const { draft } = store.getState();
    if (before !== undefined) {
      parked.delete(JSON.stringify(before.side));
      if (draft.size > 0) parked.set(JSON.stringify(before.side), draft);
      for (const [key] of parked) if (parked.size > MOST_PARKED) parked.delete(key);
    }
    const waiting = now === undefined ? NO_DRAFT : (parked.get(JSON.stringify(now.side)) ?? NO_DRAFT);
    store.setState({
      proposals: new Map(),
      proposing: { kind: 'none' },
      imported: null,
      question: null,
      review: null,
      draft: now === undefined ? waiting : ofGraph(waiting, now.view),
    });
    scheduleCheck();
  }

  graph.subscribe((state, earlier) => {
    if (state.graph === earlier.graph) return;
    const [now, before] = [latest(state.graph), latest(earlier.graph)];
    if (now?.graph !== before?.graph) changeGraph(now, before);
    else if (now !== undefined && now.view !== before?.view) {
      const { draft, proposals, proposing: run } = store.getState();
      const open = ofGraph(proposals, now.view);
      // Once all of them are done, nothing is said of them any more.
      const isOver = open.size === 0 && proposals.size > 0 && run.kind === 'done';
      store.setState({ draft: ofGraph(draft, now.view), proposals: open, ...(isOver ? { proposing: { kind: 'none' }, imported: null } : {}) });
      scheduleCheck();
    }
  });
  workspace.subscribe((state, before) => {
    if (latest(state.repository)?.id === latest(before.repository)?.id) return;
    parked.clear();
    store.setState({ draft: NO_DRAFT, check: idle });
  });
  return store;
}

/** The check of the draft as far as it is known. */
export function knownCheck(check: Loadable<DraftCheck>): DraftCheck {
  return latest(check) ?? NO_CHECK;
}

/** New names of one value, for who knows its address. */
export function typedName(address: ValueAddress, to: string): DraftName {
  return { address, to, origin: 'typed', reason: '' };
}

/** The contract's arrays are mutable. */
function sent(edit: GraphEdit): SentEdit {
  switch (edit.kind) {
    case 'rename':
      return { ...edit, renames: [...edit.renames] };
    case 'rename-nodes':
      return { ...edit, renames: [...edit.renames] };
    case 'remove-nodes':
      return { ...edit, nodes: [...edit.nodes] };
    case 'splice':
      return { ...edit, nodes: [...edit.nodes], connect: [...edit.connect], replace: [...edit.replace] };
    default:
      return edit;
  }
}
