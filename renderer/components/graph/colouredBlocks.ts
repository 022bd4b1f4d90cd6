/** Plain rectangles of one colour. */
export interface ColouredBlocks {
  readonly colour: string;
  /** x, y, width, height of each. */
  readonly rects: Float32Array;
}
