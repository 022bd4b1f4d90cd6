/** Texts with numbers of their own, in the order in which they came. */
export class Names {
  readonly texts: string[];
  #numbers: Map<string, number> | null = null;

  constructor(texts: string[] = []) {
    this.texts = texts;
  }

  number(text: string): number {
    this.#numbers ??= new Map(this.texts.map((known, index) => [known, index]));
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
