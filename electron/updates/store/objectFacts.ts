/** Time of last change of an object, in nanoseconds since 1970, before and after a call that stored it. */
export interface ObjectMark {
  /** `null`: it was not there, or damaged. */
  readonly before: bigint | null;
  readonly after: bigint;
}

export interface ObjectFacts {
  /** SHA-256 of the content. */
  readonly oid: string;
  readonly bytes: number;
  /** By what `takeBackObjects` knows later whether others have stored the same; `null`: nothing was written. */
  readonly mark: ObjectMark | null;
}
