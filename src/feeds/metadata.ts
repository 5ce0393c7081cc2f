import { CANDLE, GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../model/events.ts';
import { Instrument, type InstrumentTerms } from '../model/instrument.ts';
import { PERIODS, type Period } from '../model/period.ts';
import type { Layout, Provenance, RecordingMeta, RecordingSummary } from './recording.ts';
import { TOOL } from './recording.ts';

/** Version of the format; a reader refuses what it does not know. */
export const FORMAT = '1';

/** Keys of the schema's metadata. */
export const KEY = {
  format: 'millrace.format',
  tool: 'millrace.tool',
  layout: 'millrace.layout',
  period: 'millrace.period',
  instrument: 'millrace.instrument',
  provenance: 'millrace.provenance',
  legend: 'millrace.legend',
  summary: 'millrace.summary',
} as const;

/** What the numbers of a recording mean, for whoever opens one without Millrace. */
const LEGEND = {
  price: 'whole ticks; times tickSize of millrace.instrument gives the price',
  size: 'whole lots; times quantityIncrement of millrace.instrument gives the quantity',
  received_at: 'when it was received; of a candle the end of its period',
  stamped_at: 'when the venue stamped it; of a candle the start of its period',
  kind: {
    [TRADE]: 'trade',
    [LEVEL]: 'level: the price now has this size, 0 removes it',
    [QUOTE]: 'quote: price and size are the best bid, ask_price and ask_size the best ask',
    [RESET]: 'reset: the book is emptied, the levels of a snapshot follow',
    [GAP]: 'gap: something was missed, the book is stale to the next reset',
    [CANDLE]: 'candle',
  },
  flags: {
    [SELL]: 'sell side: a level of asks, a trade whose aggressor sold',
    [LAST]: 'last row of its message',
  },
} as const;

/** The texts that stand in the schema of a recording, in a fixed order. */
export function describe(meta: RecordingMeta): Map<string, string> {
  const texts = new Map<string, string>([
    [KEY.format, FORMAT],
    [KEY.tool, TOOL],
    [KEY.layout, meta.layout],
  ]);
  if (meta.period !== undefined) texts.set(KEY.period, meta.period);
  texts.set(KEY.instrument, JSON.stringify(meta.instrument));
  texts.set(KEY.provenance, JSON.stringify(meta.provenance));
  texts.set(KEY.legend, JSON.stringify(LEGEND));
  return texts;
}

/** Reads the texts back; gives a sentence's end that says what is wrong, such as "has no …". */
export function understand(texts: ReadonlyMap<string, string>): RecordingMeta | string {
  const format = texts.get(KEY.format);
  if (format === undefined) return 'is an Arrow file but not a recording: import it first';
  if (format !== FORMAT) {
    return `is of format ${format}, this release reads format ${FORMAT}: update Millrace`;
  }
  const layout = texts.get(KEY.layout);
  if (layout !== 'events' && layout !== 'candles') return 'names no known layout';
  const period = PERIODS.find((one) => one === texts.get(KEY.period));
  if ((layout === 'candles') !== (period !== undefined))
    return 'has no period that fits its layout';
  const instrument = readInstrument(texts.get(KEY.instrument));
  if (instrument === undefined) return 'has no valid instrument';
  const provenance = readJson(texts.get(KEY.provenance));
  if (!isProvenance(provenance)) return 'has no valid provenance';
  return { layout, ...optionalPeriod(period), instrument, provenance };
}

/**
 * The summary in a footer, `undefined` when it is absent, not one, or contradicts itself or the
 * layout. Whether the rows are as it says, `SummaryCheck` knows.
 */
export function readSummary(
  texts: ReadonlyMap<string, string>,
  layout: Layout,
): RecordingSummary | undefined {
  const value = readJson(texts.get(KEY.summary));
  if (!isSummary(value)) return undefined;
  const { rows, trades, quotes, levels, resets, gaps, candles, firstAt, lastAt } = value;
  const events = trades + quotes + levels + resets + gaps;
  const fits = layout === 'candles' ? candles === rows : events === rows;
  return fits && events + candles === rows && firstAt <= lastAt ? value : undefined;
}

const optionalPeriod = (period: Period | undefined): { readonly period?: Period } =>
  period === undefined ? {} : { period };

const TERMS = [
  'symbol',
  'type',
  'baseCurrency',
  'quoteCurrency',
  'tickSize',
  'quantityIncrement',
  'takeRate',
  'makeRate',
  'feeCurrency',
] as const satisfies readonly (keyof InstrumentTerms)[];

function readInstrument(text: string | undefined): InstrumentTerms | undefined {
  const value = readJson(text);
  if (!isTerms(value)) return undefined;
  try {
    return new Instrument(value).terms;
  } catch {
    return undefined;
  }
}

function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTerms = (value: unknown): value is InstrumentTerms =>
  isObject(value) && TERMS.every((key) => typeof value[key] === 'string');

const isProvenance = (value: unknown): value is Provenance =>
  isObject(value) &&
  typeof value.importer === 'string' &&
  typeof value.synthetic === 'boolean' &&
  Array.isArray(value.sources) &&
  value.sources.every(
    (file) => isObject(file) && typeof file.name === 'string' && typeof file.sha256 === 'string',
  ) &&
  Array.isArray(value.notes) &&
  value.notes.every((note) => typeof note === 'string');

const COUNTS = [
  'rows',
  'trades',
  'quotes',
  'levels',
  'resets',
  'gaps',
  'candles',
] as const satisfies readonly (keyof RecordingSummary)[];

const isSummary = (value: unknown): value is RecordingSummary =>
  isObject(value) &&
  Number.isSafeInteger(value.firstAt) &&
  Number.isSafeInteger(value.lastAt) &&
  COUNTS.every((key) => Number.isSafeInteger(value[key]) && Number(value[key]) >= 0);
