import { describe, expect, it } from 'vitest';
import { constantTensor } from './constantTensor';
import { contentLength, contentPieces, repeatedText } from './newTensor';

function bytes(text: string, type: number, dims: number[]): Buffer {
  const pieces = contentPieces(constantTensor(text, { type, dims }));
  return Buffer.concat(pieces.map((piece) => (piece.kind === 'new' ? piece.bytes : new Uint8Array())));
}

describe('the content of a new tensor', () => {
  it('repeats one element', () => {
    expect(bytes('1', 1, [3]).toString('hex')).toBe('0000803f'.repeat(3));
    expect(bytes('1', 1, []).toString('hex')).toBe('0000803f');
  });

  it('leaves the bits behind an odd count of small elements zero', () => {
    expect(bytes('-1', 22, [3]).toString('hex')).toBe('ff0f');
    expect(bytes('-1', 22, [1]).toString('hex')).toBe('0f');
    expect(bytes('3', 25, [5]).toString('hex')).toBe('ff03');
    expect(bytes('15', 21, [4]).toString('hex')).toBe('ffff');
  });

  it('has no bytes for no elements', () => {
    expect(contentPieces(constantTensor('1', { type: 1, dims: [0, 7] }))).toEqual([]);
  });

  it('is large without taking memory', () => {
    const value = constantTensor('0.5', { type: 15, dims: [50_000_001] });
    const pieces = contentPieces(value);
    expect(contentLength(value)).toBe(800_000_016);
    expect(pieces.reduce((sum, piece) => sum + (piece.kind === 'new' ? piece.bytes.byteLength : 0), 0)).toBe(800_000_016);
    expect(new Set(pieces.map((piece) => (piece.kind === 'new' ? piece.bytes.buffer : null))).size).toBe(1);
  });

  it('gives the text of a text tensor', () => {
    expect(repeatedText(constantTensor('x', { type: 8, dims: [2, 2] }))).toEqual({ text: new Uint8Array([0x78]), count: 4 });
    expect(contentLength(constantTensor('x', { type: 8, dims: [2] }))).toBeNull();
  });
});
