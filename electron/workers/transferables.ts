/** Deepest nesting of a task's output that is looked through. */
const DEPTH = 3;

/**
 * Buffers inside a task's output that can be handed over instead of copied: those that a typed array covers whole. A view of a larger
 * buffer (Node's pool of small Buffers, a reused block) is copied, because handing over its buffer would take the rest with it.
 */
export function transferables(output: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  collect(output, DEPTH, found);
  return [...found];
}

function collect(value: unknown, depth: number, found: Set<ArrayBuffer>): void {
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) {
    const { buffer } = value;
    if (buffer instanceof ArrayBuffer && value.byteLength === buffer.byteLength && buffer.byteLength > 0) found.add(buffer);
    return;
  }
  if (depth === 0) return;
  for (const inner of Object.values(value)) collect(inner, depth - 1, found);
}
