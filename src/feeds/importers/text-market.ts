import { basename } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { isoTime, micros, parseIsoTime, US_PER_HOUR } from '../../platform/time.ts';
import type { ImportNotes, ImportOptions } from './contract.ts';
import type { Market } from './layout.ts';
import type { LayoutRows } from './layout-rows.ts';
import type { FileLayout } from './recognise.ts';
import { splitSymbol, symbolOfFile } from './symbol.ts';

/** The market of an import's files, for the notes of its first pass. */
export function marketOf(
  { layout, header }: FileLayout,
  symbol: string | undefined,
  file: string,
  options: ImportOptions,
): Pick<ImportNotes, 'symbol' | 'type' | 'contract' | 'isPerpetual' | 'notes'> {
  const named = symbolOfFile(file);
  const found = symbol === undefined || named !== undefined ? (named ?? symbol) : symbol;
  const known = options.symbol ?? symbol ?? named;
  const market: Market = layout.market?.(known, file, !header.isRow) ?? {};
  const { type, contract, isPerpetual, needsContract, note } = market;
  if (needsContract === true && options.contractSize === undefined) {
    throw new MillraceError(
      'usage',
      `Sizes of ${known ?? basename(file)} are contracts: give how much one is with --contract-size, and --settlement inverse where it settles in the base currency.`,
      { field: 'contractSize' },
    );
  }
  return {
    symbol: found === undefined || splitSymbol(found) === undefined ? (symbol ?? found) : found,
    type,
    contract,
    isPerpetual,
    notes: note === undefined || options.type !== undefined ? [] : [note],
  };
}

/** Notes about the layouts of files, and about times without a zone. */
export function notesOf(
  opened: readonly { readonly file: FileLayout; readonly rows: LayoutRows }[],
): readonly string[] {
  const names = new Set(opened.map(({ file }) => file.name).filter((name) => name !== undefined));
  const layouts = opened.map(({ file }) => file.layout);
  return [
    ...(names.size === 0 ? [] : [`Read as ${[...names].join(', ')}.`]),
    ...new Set(layouts.flatMap(({ guess }) => (guess === undefined ? [] : [`A guess: ${guess}.`]))),
    ...new Set(layouts.flatMap(({ notes = [] }) => notes)),
    ...(opened.some(({ rows }) => rows.hasLocalTimes)
      ? ['Times without an offset are taken for UTC, as nobody named a zone.']
      : []),
  ];
}

/** The day or month at the end of a file's name, as a span of the clock. */
const DATED = /[-_](\d{4})-?(\d\d)(?:-(\d\d))?\.[a-z]+(?:\.[a-z]+)?$/i;
/** Trades of a quiet market may begin late and end early. */
const QUIET_US = US_PER_HOUR;

/** Parts that a file's name promises and its rows lack: a beginning, or an end. */
export class Coverage {
  readonly #partial: string[] = [];

  get partialFiles(): readonly string[] {
    return this.#partial;
  }

  /** Compares the first and the last time of a file with its name. */
  check(
    file: string,
    { days }: FileLayout['layout'],
    first: number | undefined,
    last: number | undefined,
  ): void {
    if (days === undefined || first === undefined || last === undefined) return;
    const [, year, month, day] = DATED.exec(basename(file)) ?? [];
    if (year === undefined) return;
    const from = parseIsoTime(`${year}-${month}-${day ?? '01'}`);
    if (from === undefined) return;
    const end = Date.UTC(
      Number(year),
      Number(month) - (day === undefined ? 0 : 1),
      day === undefined ? 1 : Number(day) + 1,
    );
    const ahead = days === 'UTC' ? 0 : 8 * US_PER_HOUR;
    const till = end * 1_000 - ahead;
    const parts = [
      ...(first > from - ahead + QUIET_US ? [`begins at ${isoTime(micros(first))}`] : []),
      ...(last < till - QUIET_US ? [`ends at ${isoTime(micros(last))}`] : []),
    ];
    if (parts.length > 0) {
      const span = day === undefined ? 'month' : 'day';
      this.#partial.push(
        `${basename(file)} ${parts.join(' and ')}, and its name promises a whole ${span}`,
      );
    }
  }
}
