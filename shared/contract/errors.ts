import * as v from 'valibot';

const ERROR_CODES = [
  'not-found',
  'unsupported-format',
  'unsupported-repository',
  'malformed',
  'truncated',
  'corrupt-object',
  'missing-object',
  'too-large',
  'unsafe-pickle',
  'invalid-request',
  'permission',
  'exists',
  'no-space',
  'conflict',
  'cancelled',
  'disconnected',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** Where something went wrong; every part is text for people, hostile until shown as text. */
const errorPlaceSchema = v.object({
  file: v.optional(v.string()),
  group: v.optional(v.string()),
  /** Byte offset in `file`. */
  offset: v.optional(v.number()),
  commit: v.optional(v.string()),
  oid: v.optional(v.string()),
});
export type ErrorPlace = v.InferOutput<typeof errorPlaceSchema>;

export const errorDataSchema = v.object({
  code: v.picklist(ERROR_CODES),
  /** One sentence: what went wrong. */
  message: v.string(),
  place: v.optional(errorPlaceSchema),
  /** What the user can do next. */
  hint: v.optional(v.string()),
  /** Stack or output of a tool, for the expandable detail. */
  detail: v.optional(v.string()),
});
export type ErrorData = v.InferOutput<typeof errorDataSchema>;

export interface CheckpointErrorOptions {
  readonly place?: ErrorPlace;
  readonly hint?: string;
  readonly detail?: string;
  readonly cause?: unknown;
}

/** The one error type that crosses layers and the wire: a stable code, a sentence, and the place. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
  readonly code: ErrorCode;
  readonly place: ErrorPlace;
  readonly hint: string | undefined;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, message: string, options: CheckpointErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.place = options.place ?? {};
    this.hint = options.hint;
    this.detail = options.detail;
  }

  /** The same error with more of the place known; what is known already stays. */
  at(place: ErrorPlace): CheckpointError {
    const options: { -readonly [K in keyof CheckpointErrorOptions]: CheckpointErrorOptions[K] } = { place: { ...place, ...this.place }, cause: this.cause };
    if (this.hint !== undefined) options.hint = this.hint;
    if (this.detail !== undefined) options.detail = this.detail;
    const error = new CheckpointError(this.code, this.message, options);
    if (this.stack !== undefined) error.stack = this.stack;
    return error;
  }

  toData(): ErrorData {
    const data: ErrorData = { code: this.code, message: this.message };
    if (Object.keys(this.place).length > 0) data.place = this.place;
    if (this.hint !== undefined) data.hint = this.hint;
    if (this.detail !== undefined) data.detail = this.detail;
    return data;
  }

  static fromData(data: ErrorData): CheckpointError {
    const options: { -readonly [K in keyof CheckpointErrorOptions]: CheckpointErrorOptions[K] } = {};
    if (data.place !== undefined) options.place = data.place;
    if (data.hint !== undefined) options.hint = data.hint;
    if (data.detail !== undefined) options.detail = data.detail;
    return new CheckpointError(data.code, data.message, options);
  }

  /** Anything thrown, as a CheckpointError; what is none becomes `internal` with its stack as detail. */
  static from(thrown: unknown): CheckpointError {
    if (thrown instanceof CheckpointError) return thrown;
    if (thrown instanceof Error) {
      if (thrown.name === 'AbortError') return new CheckpointError('cancelled', 'Cancelled.', { cause: thrown });
      return new CheckpointError('internal', thrown.message || thrown.name, { cause: thrown, ...(thrown.stack === undefined ? {} : { detail: thrown.stack }) });
    }
    return new CheckpointError('internal', String(thrown));
  }
}

export function isCheckpointError(value: unknown, code?: ErrorCode): value is CheckpointError {
  return value instanceof CheckpointError && (code === undefined || value.code === code);
}
