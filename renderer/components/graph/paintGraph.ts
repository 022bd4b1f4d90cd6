import type { GraphLayout, GraphView } from '../../../shared/model/graph';
import { BOX } from '../../../shared/model/graphBoxes';
import type { Rect } from '../../charts/graphCamera';
import { detailAt, type GraphDetail, MOST_HAIRLINES, showsTypes } from '../../charts/graphDetail';
import { arrowHead, edgeMiddle, type LineSink, traceEdge } from '../../charts/graphEdges';
import { FOLDED_BOX, NODE_BOX, OPEN_BOX, STUB_BOX } from '../../charts/graphScene';
import type { Edges } from '../../charts/rectTree';
import { boxText } from './boxTexts';
import type { GraphColours } from './graphColours';
import type { GraphLook, GraphLooks } from './graphLooks';
import type { GraphPen } from './graphPen';

export interface GraphMarks {
  /** The chosen box; -1 for none. */
  readonly selected: number;
  /** Edges that end at it and leave it. */
  readonly inputs: Uint32Array;
  readonly outputs: Uint32Array;
  /** Boxes that a search found. */
  readonly hits: ReadonlySet<number>;
  /** Edge under the pointer; -1 for none. */
  readonly hovered: number;
}

export interface GraphPainting {
  readonly view: GraphView;
  readonly layout: GraphLayout;
  /** What is in view, frames before what they hold. */
  readonly boxes: Uint32Array;
  readonly edges: Uint32Array;
  /** Part of the drawing that is in view: titles of open groups stay in it. */
  readonly part: Edges;
  /** Pixels of a unit. */
  readonly zoom: number;
  readonly looks: GraphLooks;
  readonly colours: GraphColours;
  readonly marks: GraphMarks;
}

const ARROW = 7;

/** Draws a part of a graph: frames, edges, boxes, then what is marked. The further away, the less of it. */
export function paintGraph(pen: GraphPen, painting: GraphPainting): void {
  const { layout, boxes, zoom } = painting;
  const detail = detailAt(zoom);
  const kinds = layout.boxes.kind;
  for (const box of boxes) if (kinds[box] === OPEN_BOX) paintFrame(pen, painting, box);
  paintEdges(pen, painting, detail);
  if (detail === 'blocks') paintBlocks(pen, painting);
  else for (const box of boxes) if (kinds[box] !== OPEN_BOX) paintBox(pen, painting, { box, detail });
  paintMarks(pen, painting, detail);
  for (const box of boxes) if (kinds[box] === OPEN_BOX) paintTitle(pen, painting, box);
  if (showsTypes(zoom))
    for (const edge of painting.edges)
      if (!isInner(layout, edge)) paintType(pen, painting, edge);
      else if (painting.marks.hovered >= 0 && detail !== 'blocks') paintType(pen, painting, painting.marks.hovered);
}

/** From the border of an open group to something in it, or the other way: outside of the group the same value has its type already. */
function isInner({ boxes, edges }: GraphLayout, edge: number): boolean {
  const [from, to] = [edges.from[edge] ?? 0, edges.to[edge] ?? 0];
  return boxes.parent[to] === from || boxes.parent[from] === to;
}

function rectOf({ boxes }: GraphLayout, box: number): Rect {
  return { x: boxes.x[box] ?? 0, y: boxes.y[box] ?? 0, width: boxes.width[box] ?? 0, height: boxes.height[box] ?? 0 };
}

/** Frames in frames alternate, so that borders need not be counted. */
function depthOf({ boxes }: GraphLayout, box: number): number {
  let depth = 0;
  for (let at = boxes.parent[box] ?? -1; at >= 0 && depth < 64; at = boxes.parent[at] ?? -1) depth++;
  return depth;
}

function paintFrame(pen: GraphPen, { layout, colours, zoom }: GraphPainting, box: number): void {
  const fill = depthOf(layout, box) % 2 === 0 ? colours.frame : colours.frameDeep;
  pen.box(rectOf(layout, box), { fill, stroke: colours.line, lineWidth: Math.max(1, 0.6 / zoom), radius: 8 });
}

/** Titles that stand below each other at the upper edge of the view, at most. */
const MOST_STACKED = 3;

/** The title of a frame stays in view as long as the frame is, below those of the frames around it. */
function paintTitle(pen: GraphPen, { view, layout, colours, part, zoom }: GraphPainting, box: number): void {
  const rect = rectOf(layout, box);
  if (BOX.header * zoom < 10 || rect.width * zoom < 60) return;
  const group = view.groups[layout.boxes.ref[box] ?? -1];
  if (group === undefined) return;
  const depth = depthOf(layout, box);
  const above = Math.min(depth, MOST_STACKED) * BOX.header;
  const y = Math.min(Math.max(rect.y, part.top + above), rect.y + rect.height - BOX.header);
  const x = Math.min(Math.max(rect.x, part.left), rect.x + Math.max(0, rect.width - 160));
  const isSticking = y > rect.y || x > rect.x;
  const width = Math.min(rect.x + rect.width - x, 320);
  if (isSticking) {
    const fill = depth % 2 === 0 ? colours.frame : colours.frameDeep;
    pen.box({ x, y, width, height: BOX.header }, { fill, stroke: colours.line, radius: 6 });
  }
  const count = `${group.nodes.toLocaleString('en')} ${group.nodes === 1 ? 'operator' : 'operators'}`;
  const room = width - 2 * BOX.paddingX - 14;
  pen.text('−', { x: x + BOX.paddingX, y: y + BOX.header / 2 }, { fill: colours.muted, size: 13, weight: 600 });
  const label = group.label || group.path;
  const isLong = (label.length + count.length + 2) * BOX.character > room;
  pen.text(label, { x: x + BOX.paddingX + 14, y: y + BOX.header / 2 }, { fill: colours.text, size: 12, weight: 600, maxWidth: room });
  if (!isLong) pen.text(count, { x: x + width - BOX.paddingX, y: y + BOX.header / 2 }, { fill: colours.muted, size: 11, align: 'end' });
}

function paintEdges(pen: GraphPen, { layout, edges, colours, zoom }: GraphPainting, detail: GraphDetail): void {
  if (detail === 'blocks' && edges.length > MOST_HAIRLINES) return;
  const lineWidth = detail === 'blocks' ? 0.8 / zoom : 1.25;
  pen.lines((sink) => traceAll(layout, edges, sink), { stroke: colours.edge, lineWidth });
  if (detail === 'blocks') return;
  const arrows = [...edges].flatMap((edge) => arrowHead(layout.edges, edge, ARROW) ?? []);
  pen.shapes(
    Array.from({ length: arrows.length / 3 }, (_, at) => arrows.slice(3 * at, 3 * at + 3)),
    colours.edge,
  );
}

function traceAll({ edges: points }: GraphLayout, edges: Uint32Array, sink: LineSink): void {
  for (const edge of edges) traceEdge(points, edge, sink);
}

function lookOf({ looks, layout }: GraphPainting, box: number): GraphLook | null {
  const ref = layout.boxes.ref[box] ?? 0;
  const kind = layout.boxes.kind[box];
  const place = kind === NODE_BOX ? looks.ofNode[ref] : kind === FOLDED_BOX ? looks.ofGroup[ref] : undefined;
  return looks.list[place ?? -1] ?? null;
}

/** All boxes as plain colours, one colour after the other; at least a pixel large. */
function paintBlocks(pen: GraphPen, painting: GraphPainting): void {
  const { layout, boxes, colours, zoom, looks } = painting;
  const least = 1 / zoom;
  const { kind: kinds, ref: refs, x, y, width, height } = layout.boxes;
  const places = new Uint16Array(boxes.length);
  const counts = new Uint32Array(looks.list.length + 1);
  const plain = looks.list.length;
  boxes.forEach((box, at) => {
    const kind = kinds[box];
    const ref = refs[box] ?? 0;
    const place = (kind === NODE_BOX ? looks.ofNode[ref] : kind === FOLDED_BOX ? looks.ofGroup[ref] : undefined) ?? plain;
    places[at] = kind === OPEN_BOX ? HIDDEN : place;
    if (kind !== OPEN_BOX) counts[place] = (counts[place] ?? 0) + 1;
  });
  const rects = Array.from(counts, (count) => new Float32Array(4 * count));
  const ends = new Uint32Array(counts.length);
  for (let at = 0; at < boxes.length; at++) {
    const place = places[at] ?? HIDDEN;
    const list = rects[place];
    if (list === undefined) continue;
    const box = boxes[at] ?? 0;
    const end = ends[place] ?? 0;
    list[end] = x[box] ?? 0;
    list[end + 1] = y[box] ?? 0;
    list[end + 2] = Math.max(least, width[box] ?? 0);
    list[end + 3] = Math.max(least, height[box] ?? 0);
    ends[place] = end + 4;
  }
  pen.blocks(rects.map((list, place) => ({ colour: looks.list[place]?.fill ?? colours.line, rects: list })));
}

/** No place in the list of looks. */
const HIDDEN = 0xffff;

function paintBox(pen: GraphPen, painting: GraphPainting, { box, detail }: { readonly box: number; readonly detail: GraphDetail }): void {
  const { layout, view, colours } = painting;
  const rect = rectOf(layout, box);
  const kind = layout.boxes.kind[box] ?? 0;
  const look = lookOf(painting, box);
  const text = boxText(view, kind, layout.boxes.ref[box] ?? 0);
  const room = rect.width - 2 * BOX.paddingX + 6;
  if (look === null) {
    pen.box(rect, { fill: kind === STUB_BOX ? colours.stub : colours.surface, stroke: colours.border, lineWidth: 1, radius: rect.height / 2 });
  } else {
    const radius = 5;
    if (kind === FOLDED_BOX) pen.box({ ...rect, x: rect.x + 3, y: rect.y + 3 }, { fill: look.soft, stroke: colours.border, lineWidth: 1, radius });
    const dash = look.isDashed === true ? { dash: [4, 3] } : {};
    pen.box(rect, { fill: look.soft, stroke: look.isDashed === true ? look.fill : colours.border, lineWidth: 1, radius, ...dash });
    pen.box({ x: rect.x, y: rect.y + radius, width: 3.5, height: rect.height - 2 * radius }, { fill: look.fill });
  }
  const isPill = look === null;
  const x = isPill ? rect.x + rect.width / 2 : rect.x + BOX.paddingX;
  const align = isPill ? 'center' : 'start';
  const lines = detail === 'all' ? [text.subtitle, ...text.lines].filter((line) => line !== '') : [];
  // Without its other lines the title stands in the middle.
  let y = detail === 'all' ? rect.y + (rect.height - textHeight(text.lines.length, lines.length)) / 2 + BOX.line / 2 : rect.y + rect.height / 2;
  pen.text(text.title, { x, y }, { fill: look?.text ?? colours.text, size: 12, weight: 600, align, maxWidth: room });
  const sign = look?.mark || (kind === FOLDED_BOX ? '+' : '');
  if (sign !== '') paintSign(pen, painting, { rect, sign });
  lines.forEach((line, at) => {
    y += BOX.line;
    if (at === lines.length - text.lines.length) y += BOX.gap;
    pen.text(line, { x, y }, { fill: look === null || look.text === colours.text ? colours.muted : look.text, size: 11, isMono: true, align, maxWidth: room });
  });
}

/** A sign on the corner, where there is no text. */
function paintSign(pen: GraphPen, { colours }: GraphPainting, { rect, sign }: { readonly rect: Rect; readonly sign: string }): void {
  // A sign with a count needs more room than a circle has.
  const width = Math.max(16, 8 * sign.length + 6);
  const at = { x: rect.x + rect.width + 7 - width, y: rect.y - 7 };
  pen.box({ ...at, width, height: 16 }, { fill: colours.surface, stroke: colours.border, radius: 8 });
  pen.text(sign, { x: at.x + width / 2, y: at.y + 8 }, { fill: colours.text, size: 12, weight: 600, align: 'center' });
}

function textHeight(tensors: number, lines: number): number {
  return (1 + lines) * BOX.line + (tensors > 0 && lines > 0 ? BOX.gap : 0);
}

/** The chosen box and its neighbours: what comes in is joined by thick lines, what it gives by dashed ones, and both are called by name. */
function paintMarks(pen: GraphPen, painting: GraphPainting, detail: GraphDetail): void {
  const { layout, colours, marks, zoom, boxes } = painting;
  const thick = Math.max(2.5, 1.8 / zoom);
  const outline = (box: number, style: { stroke: string; dash?: readonly number[] }) => {
    const { x, y, width, height } = rectOf(layout, box);
    const grow = Math.max(2, 2 / zoom);
    const [w, h] = [Math.max(width, 6 / zoom), Math.max(height, 6 / zoom)];
    pen.box({ x: x - grow, y: y - grow, width: w + 2 * grow, height: h + 2 * grow }, { ...style, lineWidth: thick, radius: 7 });
  };
  if (marks.hits.size > 0) for (const box of boxes) if (marks.hits.has(box)) outline(box, { stroke: colours.hit, dash: [2 * thick, 1.5 * thick] });
  if (marks.hovered >= 0 && detail !== 'blocks') pen.lines((sink) => traceEdge(layout.edges, marks.hovered, sink), { stroke: colours.text, lineWidth: 2 });
  if (marks.selected < 0) return;
  const join = (edges: Uint32Array, stroke: string, dash?: readonly number[]) => {
    if (edges.length === 0) return;
    pen.lines((sink) => traceAll(layout, edges, sink), { stroke, lineWidth: thick, ...(dash === undefined ? {} : { dash }) });
    const heads = [...edges].map((edge) => arrowHead(layout.edges, edge, ARROW + 4)).filter((head) => head !== null);
    if (detail !== 'blocks') pen.shapes(heads, stroke);
  };
  join(marks.inputs, colours.input);
  join(marks.outputs, colours.output, [3 * thick, 2 * thick]);
  if (detail !== 'blocks') {
    const outside = (edges: Uint32Array) => [...edges].filter((edge) => !isInner(layout, edge));
    for (const box of new Set(outside(marks.inputs).map((edge) => layout.edges.from[edge] ?? 0)))
      badge(pen, painting, { box, word: 'input', colour: colours.input });
    for (const box of new Set(outside(marks.outputs).map((edge) => layout.edges.to[edge] ?? 0)))
      badge(pen, painting, { box, word: 'output', colour: colours.output });
  }
  outline(marks.selected, { stroke: colours.accent });
}

function badge(
  pen: GraphPen,
  { layout, colours }: GraphPainting,
  { box, word, colour }: { readonly box: number; readonly word: string; readonly colour: string },
): void {
  const rect = rectOf(layout, box);
  const width = word.length * 6 + 10;
  // Beside the box: on it there is text.
  const at = { x: rect.x + rect.width + 5, y: rect.y + Math.min(rect.height, BOX.header) / 2 - 7.5 };
  pen.box({ ...at, width, height: 15 }, { fill: colour, radius: 4 });
  pen.text(word, { x: at.x + width / 2, y: at.y + 8 }, { fill: colours.surface, size: 10, weight: 600, align: 'center' });
}

/** Width of a character of a value's type. */
const TYPE_CHARACTER = 6.05;

function paintType(pen: GraphPen, { view, layout, colours }: GraphPainting, edge: number): void {
  const value = layout.edges.value[edge] ?? -1;
  const type = view.values.types[value] ?? '';
  const count = layout.edges.count[edge] ?? 1;
  const words = [type, count > 1 ? `+${count - 1} more` : ''].filter((word) => word !== '').join(' ');
  if (words === '') return;
  const { x, y } = edgeMiddle(layout.edges, edge);
  const frame = layout.boxes.parent[layout.edges.to[edge] ?? -1] ?? -1;
  const width = words.length * TYPE_CHARACTER;
  // One that is wider than its frame stands on a plate: letters with a border between them are hard to read.
  if (frame >= 0 && x + 5 + width > (layout.boxes.x[frame] ?? 0) + (layout.boxes.width[frame] ?? 0))
    pen.box({ x: x + 2, y: y - 8, width: width + 6, height: 16 }, { fill: colours.surface, stroke: colours.line, radius: 4 });
  pen.text(words, { x: x + 5, y }, { fill: colours.muted, size: 10, isMono: true, halo: colours.surface });
}
