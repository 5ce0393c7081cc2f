import { basename } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { BAR_COLUMNS, ColumnNames, QUOTE_COLUMNS, TRADE_COLUMNS } from './columns.ts';
import type { ImportOptions } from './contract.ts';
import { fieldsOf, separatorOf, withoutMark, type Header } from './csv.ts';
import type { FormatName } from './formats.ts';
import type { Layout, RowKind } from './layout.ts';
import { BARE_NAMES, LAYOUT_NAMES, layoutOf, type LayoutName } from './layouts.ts';
import { byteBatches } from './lines.ts';
import { malformed, shown } from './malformed.ts';
import type { ImportSources } from './source.ts';

const HEAD_BYTES = 64 * 1024;
const HEAD_LINES = 200;

/** How one text file is read. */
export interface FileLayout {
  /** The name of a known layout; `undefined` for a file that is read by its column names. */
  readonly name: LayoutName | undefined;
  readonly layout: Layout;
  readonly header: Header;
  /** Lines before the first row. */
  readonly lines: number;
  /** Some of its first rows. */
  readonly rows: readonly (readonly string[])[];
  /** Set if the header itself names the instrument. */
  readonly symbol: string | undefined;
}

/** The first lines of a file. */
async function headOf(sources: ImportSources, file: string): Promise<string> {
  let head = '';
  for await (const lines of byteBatches(sources, file, () => 1)) {
    const end = lines.lastIndexOf('\n', Math.max(HEAD_BYTES, lines.indexOf('\n')));
    head += lines.toString('utf8', 0, end + 1);
    if (head.length > 0) break;
  }
  return withoutMark(head);
}

const linesOf = (head: string): readonly string[] =>
  head
    .split('\n', HEAD_LINES)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line, index) => line !== '' || index === 0);

/** The layout of rows of these kinds in a file: the named one, or the one of its first lines. */
export async function layoutOfFile(
  sources: ImportSources,
  file: string,
  kinds: readonly RowKind[],
  options: ImportOptions,
): Promise<FileLayout> {
  const lines = linesOf(await headOf(sources, file));
  const found =
    options.mapping === undefined
      ? knownLayout(lines, file, options)
      : mappedLayout(lines, options.mapping);
  const { refused } = found.layout;
  if (refused !== undefined) throw malformed(`${file}:1`, refused, 'candles, trades or quotes');
  if (kinds.includes(found.layout.rows)) return found;
  // Missing columns are reported by their reader.
  if (!isNamed(found, options)) return { ...found, layout: { rows: kinds[0], columns: {} } };
  throw new MillraceError(
    'usage',
    `${file} holds ${found.layout.rows}, not ${kinds.join(' or ')}: leave --format out, or import it by itself.`,
    { where: file, field: 'format' },
  );
}

function mappedLayout(lines: readonly string[], mapping: Layout): FileLayout {
  const skipped = mapping.skipLines ?? 0;
  const first = lines[skipped] ?? '';
  const separator = mapping.separator ?? separatorOf(first);
  const fields = fieldsOf(first, separator);
  const isRow = mapping.header === false;
  const names = isRow ? fields.map((_, index) => `column ${index + 1}`) : fields;
  return fileLayout(undefined, mapping, lines, {
    header: { separator, columns: new ColumnNames(names), isRow },
    lines: skipped + (isRow ? 0 : 1),
  });
}

function fileLayout(
  name: LayoutName | undefined,
  layout: Layout,
  lines: readonly string[],
  found: Pick<FileLayout, 'header' | 'lines'> & { readonly symbol?: string | undefined },
): FileLayout {
  const rows = lines
    .slice(found.lines)
    .filter((line) => line !== '')
    .map((line) => fieldsOf(line, found.header.separator));
  return { name, layout, rows, symbol: undefined, ...found };
}

/** The named layout, or the first that the lines match, or one by the names of the columns. */
function knownLayout(lines: readonly string[], file: string, options: ImportOptions): FileLayout {
  const table = severalHeaders(lines, file, options) ?? oneHeader(lines);
  const columns = table.header.columns;
  const at = (name: LayoutName): FileLayout | undefined =>
    tryLayout(name, lines, table, file, options.layout === name);
  const isYahoo = options.layout === undefined || options.layout === 'yfinance';
  if (table.symbol !== undefined && isYahoo) {
    return fileLayout('yfinance', layoutOf('yfinance'), lines, table);
  }
  if (options.layout !== undefined) {
    const found = at(options.layout);
    if (found !== undefined) return found;
    const { has = [], names = [] } = layoutOf(options.layout);
    throw malformed(
      `${file}:1`,
      `the first line ${shown(lines[0] ?? '')}`,
      `a file of ${options.layout}, with the columns ${(names.length > 0 ? names : has).join(', ')}`,
    );
  }
  for (const name of LAYOUT_NAMES) {
    const found = BARE_NAMES.includes(name) ? undefined : at(name);
    if (found !== undefined) return found;
  }
  const bare = BARE_NAMES.map(at).filter((found) => found !== undefined);
  if (bare.length > 1) throw ambiguous(bare, file);
  if (bare.length === 1) return bare[0];
  const rows = rowsBy(columns, options) ?? 'candles';
  return fileLayout(undefined, { rows, columns: {} }, lines, table);
}

type Table = Pick<FileLayout, 'header' | 'lines'> & { readonly symbol?: string | undefined };

/** The header of a file that has one; a line without columns, or with an address, may precede it. */
function oneHeader(lines: readonly string[]): Table {
  const [first = '', second] = lines;
  const isBanner = second !== undefined && (!/[,;\t]/.test(first) || /https?:\/\//.test(first));
  const line = isBanner ? second : first;
  const separator = separatorOf(line);
  const columns = new ColumnNames(fieldsOf(line, separator));
  return { header: { separator, columns, isRow: false }, lines: isBanner ? 2 : 1 };
}

/**
 * yfinance writes three lines: the prices, the tickers, and the name of the index; the first two may change
 * places.
 */
function severalHeaders(
  lines: readonly string[],
  file: string,
  options: ImportOptions,
): Table | undefined {
  const [one = [], two = [], three = []] = lines.slice(0, 3).map((line) => fieldsOf(line, ','));
  const isIndex = /^date(?:time)?$/i.test(three[0] ?? '') && three.slice(1).every((x) => x === '');
  if (!isIndex || one.length < 2 || two.length !== one.length) return undefined;
  const isPrice = (name = ''): boolean => /^(?:open|high|low|close|adj close|volume)$/i.test(name);
  const [prices, tickers] = isPrice(one[1]) ? [one, two] : [two, one];
  const symbols = [...new Set(tickers.slice(1))];
  const symbol = symbols.length === 1 ? symbols[0] : options.symbol;
  if (symbol === undefined || (symbols.length > 1 && !symbols.includes(symbol))) {
    throw malformed(
      `${file}:1`,
      `the file has the tickers ${symbols.join(', ')}`,
      'the one to import; name it with --symbol',
    );
  }
  const names = prices.map((name, index) => {
    if (index === 0) return three[0];
    return tickers[index] === symbol ? name : `${tickers[index]} ${name}`;
  });
  const header = { separator: ',', columns: new ColumnNames(names), isRow: false };
  return { header, lines: 3, symbol };
}

/** The file by this layout; `undefined` if its first lines do not match. */
function tryLayout(
  name: LayoutName,
  lines: readonly string[],
  table: Table,
  file: string,
  isNamed: boolean,
): FileLayout | undefined {
  const layout = layoutOf(name);
  const { has, names, fits, named } = layout;
  const { columns, separator } = table.header;
  if (has?.every((column) => columns.find([column]) >= 0) === true) {
    const found = fileLayout(name, layout, lines, table);
    return names !== undefined || fits?.(found.rows, file) !== false ? found : undefined;
  }
  if (names === undefined || (named !== undefined && !isNamed && !named.test(basename(file)))) {
    return undefined;
  }
  const header = { separator, columns: new ColumnNames(names), isRow: true };
  const found = fileLayout(name, layout, lines, { header, lines: 0 });
  if (found.rows.length === 0 || found.rows[0].length < names.length) return undefined;
  return isNamed || fits?.(found.rows, file) === true ? found : undefined;
}

/** True if the layout is known, or the column names show the kind of rows. */
const isNamed = ({ name, header }: FileLayout, options: ImportOptions): boolean =>
  name !== undefined ||
  options.mapping !== undefined ||
  rowsBy(header.columns, options) !== undefined;

/** The kind of rows by the names of the columns. */
function rowsBy(columns: ColumnNames, options: ImportOptions): RowKind | undefined {
  const has = (defaults: Readonly<Record<string, readonly string[]>>, ...fields: string[]) =>
    fields.every(
      (field) => columns.find([options.columns?.[field] ?? [], defaults[field]].flat()) >= 0,
    );
  if (has(BAR_COLUMNS, 'open', 'high', 'low', 'close')) return 'candles';
  if (has(QUOTE_COLUMNS, 'bid', 'ask')) return 'quotes';
  return has(TRADE_COLUMNS, 'price', 'size') ? 'trades' : undefined;
}

const ambiguous = (found: readonly FileLayout[], file: string): MillraceError =>
  malformed(
    `${file}:1`,
    `its six columns have no names, and their order may be that of ${found.map(({ name }) => name).join(' or ')}`,
    'the right one with --format, or a --mapping',
  );

/** A format that was recognised. */
export interface RecognisedFormat {
  readonly format: FormatName;
  /** Why it is only a guess; `undefined` if the file is certain. */
  readonly guess: string | undefined;
}

/** Finds the format of files by their content. Throws `usage` if the content does not show it. */
export async function recogniseFormat(
  sources: ImportSources,
  options: ImportOptions,
): Promise<RecognisedFormat> {
  const [file] = sources.files;
  const head = await headOf(sources, file);
  const sure = (format: FormatName): RecognisedFormat => ({ format, guess: undefined });
  if (head.startsWith('PAR1')) return sure('parquet');
  if (head.startsWith('ARROW1')) return sure('feather');
  if (/^\d{16,19} \{/.test(head)) return sure('binance-raw');
  if (/^\s*\[\s*\[/.test(head)) {
    const [row = ''] = head.split(']', 1);
    return sure(row.includes('"') ? 'freqtrade-trades' : 'candles-json');
  }
  if (/^\s*\{/.test(head) && head.includes('"ohlc"')) return sure('candles-json');
  const [first = ''] = linesOf(head);
  const columns = new ColumnNames(fieldsOf(first, separatorOf(first)));
  if (columns.find(['exchange']) >= 0 && columns.find(['local_timestamp']) >= 0) {
    return sure('tardis-csv');
  }
  if (columns.find(['calc_time']) >= 0 || columns.find(['sum_open_interest']) >= 0) {
    return sure('binance-futures-csv');
  }
  return recogniseText(sources, file, options);
}

async function recogniseText(
  sources: ImportSources,
  file: string,
  options: ImportOptions,
): Promise<RecognisedFormat> {
  const kinds = ['candles', 'trades', 'quotes'] as const;
  const found = await layoutOfFile(sources, file, kinds, options);
  const { name, layout, header, rows } = found;
  const format = layout.rows === 'candles' ? 'ohlcv-csv' : 'events-csv';
  if (name !== undefined || options.mapping !== undefined) return { format, guess: layout.guess };
  if (isNamed(found, options) && rows.length > 0) {
    return {
      format,
      guess: `its columns are named like those of ${layout.rows}; nothing says whose they are`,
    };
  }
  throw malformed(
    `${file}:1`,
    `the first line ${shown(header.columns.names.join(', '))} is of no known format`,
    'the format with --format, or a --mapping that says which column is what',
  );
}
