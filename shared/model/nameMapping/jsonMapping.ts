import { type MappingEntry, malformed } from './mappingEntry';

const SPACE = /[ \t\r\n]*/y;

/**
 * `{"old": "new"}`, or `{"graph": {"old": "new"}}`. Read here and not by JSON.parse, which drops repeated names, moves names that are
 * numbers to the front, and knows no lines.
 * @throws CheckpointError malformed
 */
export function parseJsonMapping(content: string): MappingEntry[] {
  const reader = new JsonReader(content);
  const entries: MappingEntry[] = [];
  reader.object((key, line) => {
    if (!reader.isAt('{')) {
      entries.push({ graph: null, name: key, to: reader.text('a new name'), line });
      return;
    }
    reader.object((name, innerLine) => entries.push({ graph: key, name, to: reader.text('a new name'), line: innerLine }));
  });
  reader.end();
  return entries;
}

/** Walks JSON that is made of objects and texts alone. */
class JsonReader {
  private at = 0;
  private line = 1;
  private counted = 0;

  constructor(private readonly content: string) {}

  isAt(character: string): boolean {
    this.skipSpace();
    return this.content[this.at] === character;
  }

  object(entry: (key: string, line: number) => void): void {
    this.take('{');
    if (this.tryTake('}')) return;
    do {
      const key = this.text('a name in quotes');
      const line = this.lineHere();
      this.take(':');
      entry(key, line);
    } while (this.tryTake(','));
    this.take('}');
  }

  text(what: string): string {
    if (!this.isAt('"')) throw this.expected(what);
    const end = this.closingQuote();
    try {
      const value: unknown = JSON.parse(this.content.slice(this.at, end + 1));
      this.at = end + 1;
      return String(value);
    } catch {
      throw malformed(this.lineHere(), 'a text in quotes is not closed, or holds what JSON does not allow there.');
    }
  }

  /** Position of the next quote that no backslash stands before; of the one that opens when there is none. */
  private closingQuote(): number {
    for (let end = this.content.indexOf('"', this.at + 1); end !== -1; end = this.content.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.content[end - 1 - escapes] === '\\') escapes++;
      if (escapes % 2 === 0) return end;
    }
    return this.at;
  }

  end(): void {
    this.skipSpace();
    if (this.at < this.content.length) throw this.expected('the end of the file');
  }

  private take(character: string): void {
    if (!this.tryTake(character)) throw this.expected(JSON.stringify(character));
  }

  private tryTake(character: string): boolean {
    if (!this.isAt(character)) return false;
    this.at++;
    return true;
  }

  private expected(what: string): Error {
    const [next] = this.content.slice(this.at, this.at + 2);
    return malformed(this.lineHere(), `there should be ${what}, not ${next === undefined ? 'the end of the file' : JSON.stringify(next)}.`);
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.content)?.[0].length ?? 0;
  }

  private lineHere(): number {
    for (let at = this.content.indexOf('\n', this.counted); at !== -1 && at < this.at; at = this.content.indexOf('\n', at + 1)) {
      this.line++;
      this.counted = at + 1;
    }
    return this.line;
  }
}
