import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LAST,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  SELL,
  TRADE,
} from '../model/events.ts';
import { Instrument, type InstrumentTerms } from '../model/instrument.ts';
import { PERIODS, type Period } from '../model/period.ts';
import type {
  CandlePrices,
  DerivativeCounts,
  Layout,
  Provenance,
  RecordingMeta,
  RecordingSummary,
} from './recording.ts';
import { CANDLE_PRICES, TOOL } from './recording.ts';
import { countOf, NO_DERIVATIVES } from './summary.ts';

/**
 * Versions of the format; a reader refuses what it does not know. Version 2 has rows of a derivative, or
 * candles of other prices than those of trades: a reader of version 1 would leave out the ones or trade
 * by the others. What holds neither is written as version 1, to the byte as ever.
 */
export const FORMAT = '1';
export const FORMAT_OF_DERIVATIVES = '2';

/** Keys of the schema's metadata. */
export const KEY = {
  format: 'millrace.format',
  tool: 'millrace.tool',
  layout: 'millrace.layout',
  period: 'millrace.period',
  prices: 'millrace.prices',
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

/** The same of version 2. */
const LEGEND_OF_DERIVATIVES = {
  ...LEGEND,
  kind: {
    ...LEGEND.kind,
    [MARK]: 'mark price: price and size / 1e15 are ticks',
    [INDEX]: 'index price: price and size / 1e15 are ticks',
    [FUNDING]:
      'funding rate: price / 1e9 + size / 1e18; ask_price is when it is paid and ask_size the payment after it, in microseconds since 1970, 0 where not known',
    [OPEN_INTEREST]: 'open interest: size and price / 1e15 are lots',
  },
} as const;

const isOfDerivatives = ({ derivatives, prices }: RecordingMeta): boolean =>
  derivatives === true || prices !== undefined;

/** False if a recording of spot says that it holds what only derivatives have. */
export const fitsMarket = (meta: RecordingMeta): boolean =>
  !isOfDerivatives(meta) || meta.instrument.type === 'futures';

/** The texts that stand in the schema of a recording, in a fixed order. */
export function describe(meta: RecordingMeta): Map<string, string> {
  const isLater = isOfDerivatives(meta);
  const texts = new Map<string, string>([
    [KEY.format, isLater ? FORMAT_OF_DERIVATIVES : FORMAT],
    [KEY.tool, TOOL],
    [KEY.layout, meta.layout],
  ]);
  if (meta.period !== undefined) texts.set(KEY.period, meta.period);
  if (meta.prices !== undefined) texts.set(KEY.prices, meta.prices);
  texts.set(KEY.instrument, JSON.stringify(meta.instrument));
  texts.set(KEY.provenance, JSON.stringify(meta.provenance));
  texts.set(KEY.legend, JSON.stringify(isLater ? LEGEND_OF_DERIVATIVES : LEGEND));
  return texts;
}

/** Reads the texts back; returns a sentence's end that says what is wrong, such as "has no …". */
export function understand(texts: ReadonlyMap<string, string>): RecordingMeta | string {
  const format = texts.get(KEY.format);
  if (format === undefined) return 'is an Arrow file but not a recording: import it first';
  if (format !== FORMAT && format !== FORMAT_OF_DERIVATIVES) {
    return `is of format ${format}, this release reads formats ${FORMAT} and ${FORMAT_OF_DERIVATIVES}: update Millrace`;
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
  const reported = readLater(format, layout, texts.get(KEY.prices));
  if (reported === undefined) return 'names no known prices of its candles';
  const meta: RecordingMeta = {
    layout,
    ...optionalPeriod(period),
    ...reported,
    instrument,
    provenance,
  };
  return fitsMarket(meta) ? meta : 'holds what only derivatives have, and is of spot';
}

/** What version 2 says beyond version 1. */
function readLater(
  format: string,
  layout: Layout,
  text: string | undefined,
): Pick<RecordingMeta, 'prices' | 'derivatives'> | undefined {
  const prices = CANDLE_PRICES.find((one): one is CandlePrices => one === text);
  if (format === FORMAT || layout === 'events') {
    if (text !== undefined) return undefined;
    return format === FORMAT ? {} : { derivatives: true };
  }
  return prices === undefined ? undefined : { prices };
}

/**
 * The summary in a footer, `undefined` when it is absent, not one, or contradicts itself or what
 * the recording says of itself. Whether the rows are as it says, `SummaryCheck` knows.
 */
export function readSummary(
  texts: ReadonlyMap<string, string>,
  { layout, derivatives }: Pick<RecordingMeta, 'layout' | 'derivatives'>,
): RecordingSummary | undefined {
  const value = readJson(texts.get(KEY.summary));
  if (!isSummary(value)) return undefined;
  if ((value.derivatives !== undefined) !== (derivatives === true)) return undefined;
  const { rows, trades, quotes, levels, resets, gaps, candles, firstAt, lastAt } = value;
  const beside = countOf(value.derivatives ?? NO_DERIVATIVES);
  const events = trades + quotes + levels + resets + gaps + beside;
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
  value.notes.every((note) => typeof note === 'string') &&
  (value.part === undefined || isPart(value.part));

const isPart = (value: unknown): boolean =>
  isObject(value) && typeof value.of === 'string' && isCount(value.index) && isCount(value.carried);

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
  COUNTS.every((key) => isCount(value[key])) &&
  (value.derivatives === undefined || isDerivativeCounts(value.derivatives));

const isDerivativeCounts = (value: unknown): value is DerivativeCounts =>
  isObject(value) && Object.keys(NO_DERIVATIVES).every((key) => isCount(value[key]));

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
