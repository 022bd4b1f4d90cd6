import type { CheckpointError } from '../../../shared/contract/errors';

/** A file that git hands to the filter. */
export interface FilterRequest {
  /** Path in the repository; names that are not UTF-8 have U+FFFD. */
  readonly pathname: string;
  /**
   * The bytes, to be read once and before the handler answers: git takes no answer before it has sent everything. Each piece is valid until the next
   * is asked for. What is left unread is thrown away.
   */
  readonly content: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface SmudgeRequest extends FilterRequest {
  /** Where the file comes from, as far as git says (since version 2.27): ref and commit or tree that are checked out, and the id of the blob. */
  readonly ref: string | null;
  readonly treeish: string | null;
  readonly blob: string | null;
  /** Whether the answer `delayed` is possible. */
  readonly canDelay: boolean;
}

export interface FilterResult {
  /** Bytes of the content when it is known: another number of them fails the file. */
  readonly size?: number;
  /** Read once; an error in it fails the file. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Called once the content was sent, or will not be. */
  readonly dispose?: () => Promise<void>;
}

/** What a filter does with files. An error that is thrown fails that file only. */
export interface FilterHandler {
  clean(request: FilterRequest): Promise<FilterResult>;
  /** `delayed`: the file is being made; once `nextAvailable` has named it, git asks for it again with no content and without `canDelay`. */
  smudge(request: SmudgeRequest): Promise<FilterResult | 'delayed'>;
  /** Waits until delayed files are done, well or not, and gives their paths; none: there are no more. Without this method git is not offered delays. */
  nextAvailable?(): Promise<readonly string[]>;
  /** Tells the user of an error that failed a file, or of one in `nextAvailable`. */
  report(error: CheckpointError): void;
  /** Whether no further file of this run can succeed (the disk is full): git is told not to ask again. */
  givesUp?(error: CheckpointError): boolean;
  /** Called when git has no more files, also after an error. */
  close?(): Promise<void>;
}
