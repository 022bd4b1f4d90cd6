import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ChartElement, chartPng, chartSvg } from './chartPicture';
import { IconButton } from './IconButton';
import { Menu, type MenuItem } from './Menu';
import { safeFileName, saveFile } from './saveFile';
import { type ExportTable, writeCsv, writeJson } from './tableText';

interface ExportMenuProps {
  /** What is saved: `histogram of fc1.weight`. The button is called `Export …`, files are named after it. */
  readonly label: string;
  /** Name of the files without their ending, when it is not to be the label. */
  readonly fileName?: string;
  /** The drawing, read when it is saved; absent or `null`: no picture. */
  readonly chart?: () => ChartElement | null;
  /** Instead of `chart`: a drawing that makes its own files. */
  readonly picture?: { readonly svg: () => string; readonly png: () => Promise<Blob> };
  /** The values behind it, read when they are saved. */
  readonly table?: () => ExportTable;
  /** A form for people, as a text file. */
  readonly text?: () => string;
  /** Text of the JSON file where it holds more than the table. */
  readonly json?: () => string;
  readonly className?: string;
}

/** A button that saves a chart as SVG or PNG, and what it shows as CSV or JSON. */
export function ExportMenu({ label, fileName = label, chart, picture: drawing, table, text, json, className }: ExportMenuProps) {
  const [outcome, setOutcome] = useState('');
  useEffect(() => {
    if (outcome === '') return;
    const timer = setTimeout(() => setOutcome(''), 4000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const save = async (extension: string, make: () => Blob | null | Promise<Blob | null>) => {
    const name = safeFileName(fileName, extension);
    try {
      const content = await make();
      if (content === null) return;
      saveFile(name, content);
      setOutcome(`Saved ${name}`);
    } catch (error) {
      setOutcome(`${name} could not be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const picture = (work: (drawn: ChartElement) => Blob | Promise<Blob>) => () => {
    const drawn = chart?.() ?? null;
    return drawn === null ? null : work(drawn);
  };
  const item = (id: string, text: string, make: () => Blob | null | Promise<Blob | null>): MenuItem => ({
    id,
    label: text,
    onSelect: () => void save(id, make),
  });
  const items = [
    ...(chart === undefined
      ? []
      : [
          item(
            'svg',
            'Picture as SVG',
            picture((drawn) => new Blob([chartSvg(drawn)], { type: 'image/svg+xml' })),
          ),
          item('png', 'Picture as PNG', picture(chartPng)),
        ]),
    ...(drawing === undefined
      ? []
      : [item('svg', 'Picture as SVG', () => new Blob([drawing.svg()], { type: 'image/svg+xml' })), item('png', 'Picture as PNG', () => drawing.png())]),
    ...(text === undefined ? [] : [item('txt', 'Text', () => new Blob([text()], { type: 'text/plain;charset=utf-8' }))]),
    ...(table === undefined ? [] : [item('csv', 'Values as CSV', () => new Blob([writeCsv(table())], { type: 'text/csv;charset=utf-8' }))]),
    ...(table === undefined && json === undefined
      ? []
      : [
          item(
            'json',
            'Values as JSON',
            () => new Blob([json !== undefined ? json() : table === undefined ? '' : writeJson(table())], { type: 'application/json' }),
          ),
        ]),
  ];
  return (
    <>
      <Menu label={`Export ${label}`} items={items} align="end">
        <IconButton label={`Export ${label}`} icon={<Download size={14} aria-hidden="true" />} {...(className === undefined ? {} : { className })} />
      </Menu>
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </>
  );
}
