import { MillraceError } from '../../model/errors.ts';
import { suggest } from '../../model/suggest.ts';
import type { Format, ImportNotes, ImportOptions } from './contract.ts';
import { FORMAT_NAMES, type FormatName } from './formats.ts';
import { LAYOUT_NAMES, layoutOf, type LayoutName } from './layouts.ts';
import { loadFormat } from './load.ts';
import { recogniseFormat } from './recognise.ts';
import { ImportSources } from './source.ts';

const isFormat = (name: string): name is FormatName =>
  (FORMAT_NAMES as readonly string[]).includes(name);
const isLayout = (name: string): name is LayoutName =>
  (LAYOUT_NAMES as readonly string[]).includes(name);

/** Whether this is the name of a format, or of a layout of text files. */
export const isFormatName = (name: string): boolean => isFormat(name) || isLayout(name);

/** The importer of files, and its options. */
export interface ChosenFormat {
  readonly importer: Format;
  readonly options: ImportOptions;
}

/**
 * The importer of a format, of a layout of text files, or, without a name, the one recognized in the files.
 * A guess is stated in the notes of the recording. Throws `usage` for an unknown name.
 */
export async function chooseFormat(
  name: string | undefined,
  files: readonly string[],
  options: ImportOptions,
): Promise<ChosenFormat> {
  if (name === undefined) return recognised(files, options);
  if (isFormat(name)) return { importer: await loadFormat(name), options };
  if (isLayout(name)) {
    const format = layoutOf(name).rows === 'candles' ? 'ohlcv-csv' : 'events-csv';
    return { importer: await loadFormat(format), options: { ...options, layout: name } };
  }
  const names = [...FORMAT_NAMES, ...LAYOUT_NAMES];
  const near = suggest(name, names);
  throw new MillraceError(
    'usage',
    `There is no format ${JSON.stringify(name.slice(0, 40))}${near === undefined ? '.' : `; did you mean ${near}?`} There are ${names.join(', ')}.`,
    { field: 'format' },
  );
}

async function recognised(files: readonly string[], options: ImportOptions): Promise<ChosenFormat> {
  const sources = await ImportSources.of(files, () => undefined);
  const { format, guess } = await recogniseFormat(sources, options);
  const importer = await loadFormat(format);
  if (guess === undefined) return { importer, options };
  const note = `The format was recognised as ${format}, which is a guess: ${guess}.`;
  const noted = (found: ImportNotes): ImportNotes => ({ ...found, notes: [note, ...found.notes] });
  return { importer: withNotes(importer, noted), options };
}

/** The importer, with `noted` applied to its findings. */
function withNotes(importer: Format, noted: (found: ImportNotes) => ImportNotes): Format {
  const scan: Format['scan'] = async (sources, options) =>
    noted(await importer.scan(sources, options));
  if (importer.guess === undefined) return { ...importer, scan };
  return {
    ...importer,
    scan,
    guess: async (sources, options) => {
      const found = await importer.guess?.(sources, options);
      return found === undefined ? undefined : noted(found);
    },
  };
}
