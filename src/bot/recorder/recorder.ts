import { makeFolders } from '../../feeds/folder.ts';
import type { Provenance } from '../../feeds/recording.ts';
import { guard } from '../../feeds/writer.ts';
import type { MarketSource, Wanted } from '../../gateways/market-source.ts';
import type { EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { FrameRecorder } from './frames.ts';
import { recoverLeftovers, type Leftover } from './leftovers.ts';
import type { Rotation } from './rotation.ts';
import { Track } from './track.ts';

/** Receives events of a recording. */
export interface RecorderListener {
  /** A file of a previous run was found, before anything else. */
  leftover?(leftover: Leftover): void;
  finished?(path: string, count: number): void;
  connectionState?(symbol: string, connectionState: 'live' | 'lost', why?: string): void;
  /** Nothing more can be written or received; called once. */
  failed(error: unknown): void;
}

export interface RecorderSetup {
  readonly source: MarketSource;
  readonly instruments: readonly Instrument[];
  /** The folder of the recordings; it is created if missing. */
  readonly folder: string;
  readonly scheduler: Scheduler;
  readonly listener: RecorderListener;
  /** One file for all if absent. */
  readonly rotation?: Rotation | undefined;
  /** After this time everything received is durable; 5 s if absent. */
  readonly flushUs?: number | undefined;
  /** True to keep the frames as received too. */
  readonly raw?: boolean | undefined;
  /** Origin of the market data, such as the address of a service; stored in each recording. */
  readonly from?: string | undefined;
}

/** State of a recorder. */
export interface RecorderStatus {
  readonly rows: number;
  readonly gaps: number;
  readonly frames: number;
  readonly symbols: readonly { readonly symbol: string; readonly rows: number }[];
}

const FLUSH_US = 5 * US_PER_SECOND;

/**
 * Writes the data of a market source into recordings, one for each symbol, with both times and with its
 * gaps. A recording has its name once it is complete; until then it is a `.part` file, of which a crash
 * costs only the data after the last flush.
 */
export class MarketRecorder {
  readonly #setup: RecorderSetup;
  readonly #tracks: readonly Track[];
  readonly #frames: FrameRecorder | undefined;
  #cancel: Cancel = () => undefined;
  #isOver = false;

  constructor(setup: RecorderSetup) {
    this.#setup = setup;
    const { folder, rotation, instruments, listener } = setup;
    const finished = (path: string, count: number): void => listener.finished?.(path, count);
    const provenance = provenanceOf(setup.from);
    this.#tracks = instruments.map(
      (instrument) => new Track({ instrument, folder, rotation, provenance, finished }),
    );
    this.#frames =
      setup.raw === true ? new FrameRecorder({ folder, rotation, finished }) : undefined;
  }

  get status(): RecorderStatus {
    const symbols = this.#tracks.map(({ rows }, index) => ({
      symbol: this.#setup.instruments[index].symbol,
      rows,
    }));
    return {
      rows: symbols.reduce((sum, { rows }) => sum + rows, 0),
      gaps: this.#tracks.reduce((sum, { gaps }) => sum + gaps, 0),
      frames: this.#frames?.count ?? 0,
      symbols,
    };
  }

  /** Recovers what a crash left behind, then listens. Throws what the source throws, `file-unwritable`. */
  async open(): Promise<void> {
    const { source, instruments, folder, listener } = this.#setup;
    guard(folder, () => {
      makeFolders(folder);
    });
    for (const leftover of recoverLeftovers(folder)) listener.leftover?.(leftover);
    const wanted = instruments.map((instrument): Wanted => {
      const market = { instrument, trades: true, book: 'full' } as const;
      return instrument.terms.type === 'futures' ? { ...market, derivatives: true } : market;
    });
    const frames = this.#frames;
    this.#arm();
    await source.open(wanted, {
      rows: (index, columns) => this.#rows(index, columns),
      connectionState: (index, connectionState, why) =>
        this.#connectionState(index, connectionState, why),
      ...(frames === undefined
        ? {}
        : { frame: (frame: string, at: Micros) => this.#do(() => frames.take(frame, at)) }),
    });
  }

  /** Ends: the source first, then every file gets its name. */
  async close(): Promise<void> {
    this.#cancel();
    await this.#setup.source.close();
    this.#do(() => {
      for (const track of this.#tracks) track.finish();
      this.#frames?.finish();
    });
    this.#isOver = true;
  }

  #rows(index: number, columns: EventColumns): void {
    this.#do(() => this.#tracks[index].take(columns));
  }

  #connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void {
    const { scheduler, listener, instruments } = this.#setup;
    if (connectionState === 'lost') this.#do(() => this.#tracks[index].lost(scheduler.now()));
    listener.connectionState?.(instruments[index].symbol, connectionState, why);
  }

  #arm(): void {
    const { scheduler, flushUs = FLUSH_US } = this.#setup;
    this.#cancel = scheduler.at(micros(scheduler.now() + flushUs), () => {
      const now = scheduler.now();
      this.#do(() => {
        for (const track of this.#tracks) track.flush(now);
        this.#frames?.flush(now);
      });
      if (!this.#isOver) this.#arm();
    });
  }

  /** Does what touches files; the first failure ends the record. */
  #do(action: () => void): void {
    if (this.#isOver) return;
    try {
      action();
    } catch (error) {
      this.#isOver = true;
      this.#cancel();
      this.#frames?.abandon();
      this.#setup.listener.failed(error);
    }
  }
}

const provenanceOf = (from: string | undefined): Provenance => ({
  importer: 'recorder',
  sources: [],
  synthetic: false,
  ...(from === undefined ? {} : { parameters: { from } }),
  notes: [],
});
