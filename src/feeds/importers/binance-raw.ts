import type { MillraceError } from '../../model/errors.ts';
import { isoTime, micros } from '../../platform/time.ts';
import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from './contract.ts';
import { binanceContract } from './contracts.ts';
import { readFrame, type RawFrame, type RawLevel } from './binance-frame.ts';
import { BinanceSession } from './binance-session.ts';
import { Precision } from './grid.ts';
import { lineBatches } from './lines.ts';
import { shown } from './malformed.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';

/** Captures of Binance's websocket streams, a line for each frame with the time of its receipt. */
export const binanceRaw: Format = { name: 'binance-raw', scan, write };

/** Calls `visit` with every frame of the files, in order, and its time of receipt in microseconds. */
async function eachFrame(
  sources: ImportSources,
  position: RowPosition,
  visit: (receivedAt: number, frame: RawFrame) => boolean,
): Promise<void> {
  let latestAt = Number.NEGATIVE_INFINITY;
  for (const file of sources.files) {
    position.file = file;
    let isFirst = true;
    for await (const { first, lines } of lineBatches(sources, file)) {
      for (let index = 0; index < lines.length; index++) {
        position.line = first + index;
        const line = lines[index];
        const space = line.indexOf(' ');
        const receivedAt = receiveTime(line.slice(0, Math.max(space, 0)), position);
        // Within a file a clock may be set back a little; a file that begins earlier is misplaced.
        if (isFirst && receivedAt < latestAt) throw outOfOrder(position, receivedAt, latestAt);
        isFirst = false;
        latestAt = Math.max(latestAt, receivedAt);
        if (!visit(receivedAt, readFrame(line.slice(space + 1), position))) return;
      }
    }
  }
}

const outOfOrder = (position: RowPosition, at: number, latestAt: number): MillraceError =>
  position.malformed(
    `it begins at ${isoTime(micros(at))}, before the file ahead of it ends`,
    `a file that begins at ${isoTime(micros(latestAt))} or later; name the files in order of time`,
  );

const NANOSECONDS = /^\d{1,19}$/;

/** Microseconds, rounded down: dropping the last three digits keeps the number exact. */
function receiveTime(text: string, position: RowPosition): number {
  if (NANOSECONDS.test(text)) return Number(text.slice(0, -3));
  throw position.malformed(
    text === '' ? 'the line begins with no time' : `the line begins with ${shown(text)}`,
    'the receive time in nanoseconds, a space and a JSON frame',
  );
}

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const position = new RowPosition();
  const price = new Precision();
  const size = new Precision();
  const gridKnown = options.tickSize !== undefined && options.quantityIncrement !== undefined;
  let symbol: string | undefined;
  let derivatives = false;
  let isPerpetual = false;
  let type: 'spot' | 'futures' | undefined = options.type;
  const see = (precision: Precision, text: unknown): void => {
    if (typeof text === 'string' && precision.see(text)) return;
    throw position.malformed(
      `${shown(JSON.stringify(text) ?? 'nothing')} stands where a price or size should`,
      'decimal text such as "61837.63000000"',
    );
  };
  const seeLevels = (levels: readonly RawLevel[]): void => {
    for (const level of levels) {
      see(price, level[0]);
      see(size, level[1]);
    }
  };
  await eachFrame(sources, position, (_receivedAt, frame) => {
    if (frame.kind === 'other') return true;
    if (frame.kind !== 'snapshot') symbol ??= frame.symbol;
    if (frame.kind !== 'snapshot' && frame.futures !== undefined) {
      type ??= frame.futures ? 'futures' : 'spot';
    }
    if (frame.kind === 'mark' && options.type !== 'spot') {
      derivatives = true;
      isPerpetual ||= frame.rate !== '';
    }
    // For futures it must be known whether mark prices follow, however late.
    if (gridKnown) return symbol === undefined || (type !== 'spot' && !derivatives);
    switch (frame.kind) {
      case 'mark':
        // Its prices lie off the grid.
        break;
      case 'trade':
        see(price, frame.price);
        see(size, frame.size);
        break;
      case 'quote':
        see(price, frame.bid);
        see(price, frame.ask);
        see(size, frame.bidSize);
        see(size, frame.askSize);
        break;
      case 'diff':
      case 'snapshot':
        seeLevels(frame.bids);
        seeLevels(frame.asks);
        break;
    }
    return true;
  });
  if (symbol === undefined) {
    throw position.malformed(
      'no trade, quote, depth update or mark price in the files',
      'at least one of them',
    );
  }
  return {
    layout: 'events',
    symbol,
    type,
    derivatives,
    isPerpetual,
    contract: binanceContract(symbol),
    tickSize: price.hasSeen ? price.step : undefined,
    quantityIncrement: size.hasSeen ? size.step : undefined,
    notes: [
      'Times of receipt and stamps are as captured; the two clocks may differ.',
      'Where the venue sends no stamp (spot book ticker, snapshots) the time of receipt stands for it.',
    ],
  };
}

async function write({
  sources,
  findings,
  instrument,
  sink,
}: ImportWriting): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  const session = new BinanceSession(
    findings.symbol ?? instrument.symbol,
    instrument,
    sink,
    position,
  );
  await eachFrame(sources, position, (receivedAt, frame) => {
    session.take(receivedAt, frame);
    return true;
  });
  return session.counts();
}
