import type { Rect } from '../../charts/graphCamera';
import { type SvgNode, writeSvg } from '../svgText';
import { GRAPH_FONT, GRAPH_MONO, type GraphPen } from './graphPen';

type Attributes = SvgNode['attributes'];

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function numbers(values: Readonly<Record<string, number>>): Attributes {
  return Object.entries(values).map(([name, value]) => [name, round(value)]);
}

function dashed(dash: readonly number[] | undefined): Attributes {
  return dash === undefined || dash.length === 0 ? [] : [['stroke-dasharray', dash.map(round).join(' ')]];
}

/** Draws into elements of an SVG picture. */
export function svgPen(): { readonly pen: GraphPen; readonly nodes: SvgNode[] } {
  const nodes: SvgNode[] = [];
  const add = (name: string, attributes: Attributes, children: SvgNode['children'] = []) => {
    nodes.push({ name, attributes, children });
  };
  const pen: GraphPen = {
    blocks(blocks) {
      for (const { colour, rects } of blocks) {
        for (let at = 0; at < rects.length; at += 4) {
          const [x = 0, y = 0, width = 0, height = 0] = rects.subarray(at, at + 4);
          add('rect', [...numbers({ x, y, width, height }), ['fill', colour]]);
        }
      }
    },
    box({ x, y, width, height }, { fill = 'none', stroke = 'none', lineWidth = 1, radius = 0, dash }) {
      add('rect', [
        ...numbers({ x, y, width, height, rx: radius }),
        ['fill', fill],
        ['stroke', stroke],
        ...(stroke === 'none' ? [] : numbers({ 'stroke-width': lineWidth })),
        ...dashed(dash),
      ]);
    },
    lines(trace, { stroke, lineWidth, dash }) {
      const parts: string[] = [];
      const put = (letter: string, ...values: number[]) => void parts.push(letter + values.map(round).join(' '));
      trace({
        moveTo: (x, y) => put('M', x, y),
        lineTo: (x, y) => put('L', x, y),
        quadraticCurveTo: (cx, cy, x, y) => put('Q', cx, cy, x, y),
        bezierCurveTo: (ax, ay, bx, by, x, y) => put('C', ax, ay, bx, by, x, y),
      });
      if (parts.length > 0)
        add('path', [['d', parts.join('')], ['fill', 'none'], ['stroke', stroke], ...numbers({ 'stroke-width': lineWidth }), ...dashed(dash)]);
    },
    shapes(polygons, fill) {
      for (const points of polygons)
        add('polygon', [
          ['points', points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')],
          ['fill', fill],
        ]);
    },
    text(text, { x, y }, { fill, size, weight = 400, isMono = false, align = 'start', halo }) {
      const anchor = align === 'center' ? 'middle' : align;
      const around: Attributes =
        halo === undefined
          ? []
          : [
              ['stroke', halo],
              ['stroke-width', round(size / 3)],
              ['paint-order', 'stroke'],
              ['stroke-linejoin', 'round'],
            ];
      const font: Attributes = [
        ['font-family', isMono ? GRAPH_MONO : GRAPH_FONT],
        ['font-size', round(size)],
        ['font-weight', String(weight)],
      ];
      add('text', [...numbers({ x, y }), ['dominant-baseline', 'central'], ['text-anchor', anchor], ['fill', fill], ...font, ...around], [text]);
    },
  };
  return { pen, nodes };
}

/** A drawing as an SVG file: the part of it that the rectangle names, in its own units. */
export function svgFile(nodes: readonly SvgNode[], { x, y, width, height }: Rect, background: string): string {
  const ground: SvgNode = { name: 'rect', attributes: [...numbers({ x, y, width, height }), ['fill', background]], children: [] };
  const attributes: Attributes = [
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ['width', round(width)],
    ['height', round(height)],
    ['viewBox', [x, y, width, height].map(round).join(' ')],
  ];
  return writeSvg({ name: 'svg', attributes, children: [ground, ...nodes] });
}
