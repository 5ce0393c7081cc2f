import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateRecording } from '../../src/feeds/generator.ts';
import { DEFAULT_MARKET } from '../../src/feeds/synthetic/parameters.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { periodOf } from '../../src/model/period.ts';
import { Random } from '../../src/platform/random.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { writeRecording, type Row } from '../kit/recordings.ts';

const START = SAMPLE.startAt;

/** The recording that comes with Millrace. */
export const SAMPLE_PATH = fileURLToPath(
  new URL('../../config/sample/BTCUSDT.arrow', import.meta.url),
);

export const ETHUSDT = instrumentOf({
  symbol: 'ETHUSDT',
  baseCurrency: 'ETH',
  quantityIncrement: '0.0001',
}).terms;
export const ETHBTC = instrumentOf({
  symbol: 'ETHBTC',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.000001',
  quantityIncrement: '0.0001',
}).terms;

/** A made-up book with trades of some minutes. */
export function depth(
  folder: string,
  minutes: number,
  {
    seed = 1,
    terms = SAMPLE.instrument,
    startPrice = DEFAULT_MARKET.startPrice,
    quotes = false,
  } = {},
): string {
  const path = join(folder, `${terms.symbol}.arrow`);
  const market = { startPrice, quotes, levelLots: 4_000 };
  const durationUs = minutes * US_PER_MINUTE;
  generateRecording(path, { ...SAMPLE, seed, instrument: terms, durationUs, market });
  return path;
}

/** Made-up candles of a minute. */
export function candles(folder: string, count: number, stepTicks = 2_000): string {
  const path = join(folder, 'BTCUSDT.arrow');
  generateRecording(path, {
    seed: 5,
    instrument: SAMPLE.instrument,
    startAt: START,
    period: periodOf('M1'),
    count,
    bars: { stepTicks, reachTicks: 100_000, volumeLots: 3_000 },
  });
  return path;
}

/** Trades alone, on a walk. */
export function trades(
  folder: string,
  count: number,
  terms: Partial<InstrumentTerms> = {},
): string {
  const random = new Random(11);
  let price = 6_200_000;
  let at: number = START;
  const rows = Array.from({ length: count }, (_, index): Row => {
    price += Math.round(400 * random.normal());
    at += random.integer(1, 2 * US_PER_SECOND);
    const flags = LAST | (random.chance(0.5) ? SELL : 0);
    return [at, at - 9_000, TRADE, flags, index + 1, price, random.integer(1, 900), 0, 0, 0];
  });
  const meta = eventsMeta({ instrument: instrumentOf(terms).terms });
  return writeRecording(join(folder, 'trades.arrow'), rows, meta);
}

/** Best bid and ask alone. */
export function quotes(folder: string, count: number): string {
  const random = new Random(13);
  let bid = 6_200_000;
  const rows = Array.from({ length: count }, (_, index): Row => {
    bid += Math.round(200 * random.normal());
    const at = START + index * US_PER_SECOND;
    const ask = bid + random.integer(1, 40);
    const sizes = [random.integer(0, 700), random.integer(0, 700)];
    return [at, at - 9_000, QUOTE, LAST, index + 1, bid, sizes[0], ask, sizes[1], 0];
  });
  return writeRecording(join(folder, 'quotes.arrow'), rows);
}

/** A book that is missed for a while and comes again, with trades that go on. */
export function broken(folder: string, turns: number): string {
  const random = new Random(17);
  let middle = 6_200_000;
  const rows: Row[] = [];
  const add = (at: number, kind: number, flags: number, price: number, size: number): void => {
    rows.push([at, at - 5_000, kind, flags, rows.length + 1, price, size, 0, 0, 0]);
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const at = START + turn * US_PER_SECOND;
    middle += Math.round(150 * random.normal());
    if (turn % 50 === 30) add(at, GAP, LAST, 0, 0);
    if (turn % 50 === 0 || turn % 50 === 36) snapshot(add, at, middle, random);
    const flags = LAST | (random.chance(0.5) ? SELL : 0);
    add(at + 300_000, TRADE, flags, middle, random.integer(1, 500));
  }
  return writeRecording(join(folder, 'broken.arrow'), rows);
}

function snapshot(
  add: (at: number, kind: number, flags: number, price: number, size: number) => void,
  at: number,
  middle: number,
  random: Random,
): void {
  add(at, RESET, 0, 0, 0);
  for (let level = 1; level <= 6; level += 1) {
    add(at, LEVEL, 0, middle - 20 * level, random.integer(50, 600));
    add(at, LEVEL, SELL | (level === 6 ? LAST : 0), middle + 20 * level, random.integer(50, 600));
  }
}
