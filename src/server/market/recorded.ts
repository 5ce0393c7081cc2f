import type { Exchange } from '../../exchange/exchange.ts';
import { openRecording, type Recording } from '../../feeds/reader.ts';
import { decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Micros } from '../../platform/time.ts';
import { instrumentAt } from './instrument-at.ts';
import { VenueReplay, type VenueReplayOptions } from './replay.ts';
import type { MarketSource } from './source.ts';

/** Recordings that are replayed on one clock. */
export interface RecordedMarketOptions extends VenueReplayOptions {
  readonly kind: 'recorded';
  readonly files: readonly string[];
}

/** Opens the recordings of a market. */
export function recorded(
  exchange: Exchange,
  part: RecordedMarketOptions,
  at: Micros,
): MarketSource {
  const opened: Recording[] = [];
  try {
    for (const file of part.files) {
      const recording = openRecording(file);
      opened.push(recording);
      checkTraded(recording);
      checkGrid(exchange, recording);
      checkContract(exchange, recording);
    }
    const indices = opened.map(({ meta }) => exchange.instrument(meta.instrument.symbol));
    for (const [index, { summary }] of opened.entries()) {
      // As in a backtest: recorded data count from the start, and nothing is modelled before them.
      if ((summary.derivatives?.fundings ?? 0) > 0) exchange.margin.awaitFunding(indices[index]);
    }
    return new VenueReplay(opened, indices, at, part);
  } catch (error) {
    for (const recording of opened) recording.close();
    throw error;
  }
}

/** Nobody trades at a mark or index price, so its candles are no market. */
function checkTraded({ path, meta: { prices } }: Recording): void {
  if (prices === undefined) return;
  throw new MillraceError(
    'recording-invalid',
    `${path} holds candles of the ${prices} price, at which nobody trades: take a recording of trades, of a book, or of their candles.`,
    { where: path, field: 'prices' },
  );
}

/** Ticks and lots of a recording must be those of the venue. */
function checkGrid(exchange: Exchange, { path, meta }: Recording): void {
  const { instrument } = instrumentAt(exchange, meta.instrument.symbol);
  for (const field of ['tickSize', 'quantityIncrement'] as const) {
    const recordedStep = decimal(meta.instrument[field], field);
    if (recordedStep.equals(instrument[field])) continue;
    throw new MillraceError(
      'recording-invalid',
      `${path} has a ${field} of ${meta.instrument[field]}, but ${instrument.symbol} has ${instrument.terms[field]} here: set that of the symbol to the recording's.`,
      { where: path, field },
    );
  }
}

/** Quantities of a recording of futures are contracts, which are not those of a spot symbol. */
function checkContract(exchange: Exchange, { path, meta }: Recording): void {
  const { symbol, type, settlement, contractSize = '1' } = meta.instrument;
  if (type === 'spot') return;
  const { instrument } = instrumentAt(exchange, symbol);
  const isOwn = decimal(contractSize, 'contractSize').equals(1) && settlement !== 'inverse';
  if (instrument.terms.type === 'futures' && isOwn) return;
  const field = instrument.terms.type === 'futures' ? 'contractSize' : 'type';
  const here = field === 'type' ? 'spot here' : 'a linear contract of 1 here';
  throw new MillraceError(
    'recording-invalid',
    `${path} is of futures${isOwn ? '' : ` with contracts of another size or settlement`}, but ${symbol} is ${here}: take another recording.`,
    { where: path, field },
  );
}
