/** Which objects were verified, and the bytes of small ones, least recently used first out. */
export class RecentObjects {
  readonly #limits: { readonly identities: number; readonly keptBytes: number };
  readonly #known = new Set<string>();
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;

  constructor(limits: { readonly identities: number; readonly keptBytes: number }) {
    this.#limits = limits;
  }

  isKnown(identity: string): boolean {
    return this.#known.has(identity);
  }

  know(identity: string): void {
    this.#known.delete(identity);
    this.#known.add(identity);
    if (this.#known.size > this.#limits.identities) {
      for (const oldest of this.#known) {
        this.#known.delete(oldest);
        break;
      }
    }
  }

  bytesOf(identity: string): Uint8Array | undefined {
    const bytes = this.#kept.get(identity);
    if (bytes === undefined) return undefined;
    this.#kept.delete(identity);
    this.#kept.set(identity, bytes);
    return bytes;
  }

  /** Knows the object, and keeps its bytes for a while. */
  keep(identity: string, bytes: Uint8Array): void {
    this.know(identity);
    if (this.#kept.has(identity)) return;
    this.#kept.set(identity, bytes);
    this.#keptBytes += bytes.byteLength;
    for (const [oldest, dropped] of this.#kept) {
      if (this.#keptBytes <= this.#limits.keptBytes) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= dropped.byteLength;
    }
  }
}
