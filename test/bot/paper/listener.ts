import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  RecordedMarketSource,
  type RecordedMarketSetup,
} from '../../../src/bot/paper/recorded-market.ts';
import type { MarketListener, Wanted } from '../../../src/gateways/market-source.ts';
import { CANDLE, LAST, LEVEL, RESET, TRADE, type EventColumns } from '../../../src/model/events.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { rowsOf, temporaryFolder, writeRecording, type Row } from '../../kit/recordings.ts';

/** Recorded at 09:00:10, played at 15:23:17 of another day. */
export const RECORDED = Date.UTC(2025, 2, 3, 9, 0, 10) * 1_000;
export const NOW = micros(Date.UTC(2026, 0, 5, 15, 23, 17) * 1_000);
export const BTC = instrumentOf();
export const ETH = instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' });

export const at = (seconds: number): number => RECORDED + seconds * US_PER_SECOND;
export const trade = (seconds: number, price: number, size = 1): Row => [
  at(seconds),
  at(seconds) - 1_000,
  TRADE,
  LAST,
  0,
  price,
  size,
  0,
  0,
  0,
];
export const level = (
  seconds: number,
  sequence: number,
  price: number,
  size: number,
  flags = LAST,
): Row => [at(seconds), at(seconds) - 500, LEVEL, flags, sequence, price, size, 0, 0, 0];
export const reset = (seconds: number, sequence: number): Row =>
  [...[at(seconds), at(seconds) - 500, RESET, 0, sequence], ...[0, 0, 0, 0, 0]] as unknown as Row;
/** A candle of M1 that opened so many minutes after 09:00. */
export const candle = (minute: number, close: number): Row => {
  const openedAt = RECORDED - 10 * US_PER_SECOND + minute * US_PER_MINUTE;
  return [
    openedAt + US_PER_MINUTE,
    openedAt,
    CANDLE,
    LAST,
    0,
    close,
    5,
    close + 2,
    close - 2,
    close - 1,
  ];
};

export interface Reported {
  readonly at: number;
  readonly index: number;
  readonly row: Row;
}

/** Who listens to a market by a clock that the test moves. */
export class Ear implements MarketListener {
  readonly reported: Reported[] = [];
  readonly hearings: string[] = [];
  readonly scheduler = new VirtualScheduler(NOW);
  readonly market: RecordedMarketSource;
  calls = 0;

  constructor(paths: readonly string[], setup: Partial<RecordedMarketSetup> = {}) {
    this.market = new RecordedMarketSource({
      paths,
      speed: 1,
      scheduler: this.scheduler,
      ...setup,
    });
    onTestFinished(() => this.market.close());
  }

  rows(index: number, columns: EventColumns): void {
    this.calls += 1;
    for (const row of rowsOf(columns)) this.reported.push({ at: this.scheduler.now(), index, row });
  }

  connectionState(index: number, connectionState: string, why?: string): void {
    this.hearings.push(`${index} ${connectionState}${why === undefined ? '' : `: ${why}`}`);
  }

  pass(seconds: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + seconds * US_PER_SECOND));
  }

  /** Seconds since the play began at which rows of a kind were told, and their prices. */
  of(kind: number): readonly (readonly [number, number])[] {
    return this.reported
      .filter(({ row }) => row[2] === kind)
      .map((one) => [(one.at - NOW) / US_PER_SECOND, one.row[5]] as const);
  }
}

export const all = (instrument = BTC): Wanted => ({
  instrument,
  trades: true,
  book: 'full',
  candles: 'M1',
});

export function recorded(...rows: Row[]): string {
  return writeRecording(join(temporaryFolder(), 'BTCUSDT.arrow'), rows);
}
