import type { FieldSite, Frame } from '../../encodings/protobuf/frame';
import type { WireCursor } from '../../encodings/protobuf/wireCursor';
import type { NameSite } from './onnxModel';

/** A name and its place, which is made an object when somebody asks: a large model has a hundred thousand names, and an edit touches few. */
export class NameAt implements NameSite {
  readonly text: string;
  private readonly frame: Frame;
  private readonly number: number;
  private readonly start: number;
  private readonly end: number;

  /** The field where the cursor stands, inside the message of the frame. */
  constructor(cursor: WireCursor, frame: Frame, text: string) {
    this.text = text;
    this.frame = frame;
    this.number = cursor.number;
    this.start = cursor.startAt;
    this.end = cursor.endAt;
  }

  get site(): FieldSite {
    const { frame, number, start, end } = this;
    return { frame, number, start, end };
  }
}
