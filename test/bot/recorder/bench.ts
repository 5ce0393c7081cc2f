import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MarketRecorder, type RecorderSetup } from '../../../src/bot/recorder/recorder.ts';
import type { MarketListener, MarketSource, Wanted } from '../../../src/gateways/market-source.ts';
import { EventRows } from '../../../src/gateways/rows.ts';
import { eventColumns, LAST, LEVEL, RESET, SELL, TRADE } from '../../../src/model/events.ts';
import { micros, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { readRecording, temporaryFolder, type Row } from '../../kit/recordings.ts';

export const START = micros(Date.UTC(2026, 0, 5, 10, 59, 50) * 1_000);
export const BTC = instrumentOf();
export const PERPETUAL = instrumentOf({ type: 'futures', contractType: 'perpetual' });
export const ETH = instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' });

/** A market in the hands of the test. */
export class Hand implements MarketSource {
  listener: MarketListener | undefined;
  wanted: readonly Wanted[] = [];
  isClosed = false;

  open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    this.wanted = wanted;
    this.listener = listener;
    return Promise.resolve();
  }

  history() {
    return Promise.resolve(eventColumns(0));
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  emit(index: number, ...rows: Row[]): void {
    const columns = new EventRows();
    for (const row of rows) columns.add(...row);
    this.listener?.rows(index, columns.columns);
  }
}

export class Bench {
  readonly folder: string;
  readonly scheduler: VirtualScheduler;
  readonly market = new Hand();
  readonly notes: string[] = [];
  readonly failures: unknown[] = [];
  readonly recorder: MarketRecorder;

  constructor(setup: Partial<RecorderSetup> = {}, at: Micros = START) {
    this.folder = setup.folder ?? join(temporaryFolder(), 'recordings');
    this.scheduler = new VirtualScheduler(at);
    this.recorder = new MarketRecorder({
      instruments: [BTC, ETH],
      folder: this.folder,
      scheduler: this.scheduler,
      source: this.market,
      from: 'http://127.0.0.1:8330',
      ...setup,
      listener: {
        leftover: (one) => this.notes.push(`${one.kind} ${nameOf(one.path)}`),
        finished: (path, count) => this.notes.push(`finished ${nameOf(path)} ${count}`),
        connectionState: (symbol, connectionState) =>
          this.notes.push(`${symbol} ${connectionState}`),
        failed: (error) => this.failures.push(error),
      },
    });
  }

  get now(): number {
    return this.scheduler.now();
  }

  /** Names of the files, in order. */
  get files(): readonly string[] {
    return readdirSync(this.folder).sort();
  }

  pass(us: number): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  trade(price: number, index = 0): void {
    this.market.emit(index, [this.now, this.now - 7, TRADE, LAST, 0, price, 1, 0, 0, 0]);
  }

  /** Levels of one message; the last one of a snapshot ends it. */
  level(sequence: number, price: number, size: number, flags = LAST): void {
    this.market.emit(0, [this.now, this.now - 7, LEVEL, flags, sequence, price, size, 0, 0, 0]);
  }

  snapshot(sequence: number): void {
    this.market.emit(
      0,
      [this.now, this.now - 7, RESET, 0, sequence, 0, 0, 0, 0, 0],
      [this.now, this.now - 7, LEVEL, 0, sequence, 99, 4, 0, 0, 0],
      [this.now, this.now - 7, LEVEL, SELL | LAST, sequence, 101, 5, 0, 0, 0],
    );
  }

  rows(name: string): readonly Row[] {
    return readRecording(join(this.folder, name));
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const kinds = (rows: readonly Row[]): readonly number[] => rows.map((row) => row[2]);
