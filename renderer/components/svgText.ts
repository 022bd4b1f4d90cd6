/** An element of an SVG picture, free of the document. */
export interface SvgNode {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly (SvgNode | string)[];
}

/** The picture as a file of its own. Names and values are escaped; what XML does not allow in text is left out. */
export function writeSvg(root: SvgNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}\n`;
}

function write(node: SvgNode | string): string {
  if (typeof node === 'string') return escaped(node);
  const attributes = node.attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
  if (node.children.length === 0) return `<${node.name}${attributes}/>`;
  return `<${node.name}${attributes}>${node.children.map(write).join('')}</${node.name}>`;
}

function escaped(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
