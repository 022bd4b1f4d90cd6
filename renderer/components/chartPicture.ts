import { type SvgNode, writeSvg } from './svgText';

/** A chart in the document: drawn as SVG, or painted on a canvas. */
export type ChartElement = SVGSVGElement | HTMLCanvasElement;

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Looks that style sheets give; a file has no style sheet, so they are written into it. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'visibility',
  'display',
] as const;
/** Pixels of a picture for each one on the screen: sharp in print. */
const SHARPNESS = 2;

/** The chart as an SVG file that looks as it does now, on the background that it has now. */
export function chartSvg(chart: ChartElement): string {
  const { width, height } = sizeOf(chart);
  const size: SvgNode['attributes'] = [
    ['xmlns', NAMESPACE],
    ['width', String(width)],
    ['height', String(height)],
    ['viewBox', `0 0 ${width} ${height}`],
  ];
  const ground: SvgNode = {
    name: 'rect',
    attributes: [
      ['width', '100%'],
      ['height', '100%'],
      ['fill', backgroundOf(chart)],
    ],
    children: [],
  };
  const content: readonly (SvgNode | string)[] =
    chart instanceof SVGSVGElement
      ? readNode(chart).children
      : [
          {
            name: 'image',
            attributes: [
              ['width', String(width)],
              ['height', String(height)],
              ['href', chart.toDataURL('image/png')],
            ],
            children: [],
          },
        ];
  return writeSvg({ name: 'svg', attributes: size, children: [ground, ...content] });
}

/** The chart as a PNG file. @throws Error when the picture cannot be drawn */
export async function chartPng(chart: ChartElement): Promise<Blob> {
  if (chart instanceof HTMLCanvasElement) return toPng(chart);
  const { width, height } = sizeOf(chart);
  const url = URL.createObjectURL(new Blob([chartSvg(chart)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * SHARPNESS));
    canvas.height = Math.max(1, Math.round(height * SHARPNESS));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await toPng(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The picture is too large to be drawn.')) : resolve(blob)), 'image/png');
  });
}

function sizeOf(chart: ChartElement): { readonly width: number; readonly height: number } {
  const { width, height } = chart.getBoundingClientRect();
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** What shines through: the colour of the nearest element that has one. */
function backgroundOf(chart: Element): string {
  for (let element: Element | null = chart; element !== null; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (colour !== 'transparent' && !/[,/]\s*0\)$/.test(colour)) return colour;
  }
  return '#ffffff';
}

function readNode(element: Element): SvgNode {
  const kept = [...element.attributes].filter(({ name }) => !['class', 'style', 'tabindex'].includes(name) && !name.startsWith('on'));
  const style = getComputedStyle(element);
  const looks = new Map(kept.map(({ name, value }) => [name, value]));
  for (const name of LOOKS) {
    const value = style.getPropertyValue(name);
    if (value !== '') looks.set(name, value);
  }
  const children: (SvgNode | string)[] = [];
  for (const child of element.childNodes) {
    if (child instanceof SVGElement) children.push(readNode(child));
    else if (child instanceof Text) children.push(child.data);
  }
  return { name: element.localName, attributes: [...looks], children };
}
