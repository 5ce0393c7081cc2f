import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import type { TradingService } from '../trading/service.ts';
import type { MarketSource } from './source.ts';

/** A turn ends after this time or number of rows, whatever is due; then others run. */
const TURN_US = 2_000;
const TURN_ROWS = 2_000;
/** Between two turns of a market that is behind. */
const PAUSE_US = 500;
/** Turns that must be equal in every replay start at whole multiples of this, and end by rows alone. */
const STEP_US = US_PER_MS;
const STEP_ROWS = 500;

export interface PlayerSetup {
  readonly service: TradingService;
  readonly sources: readonly MarketSource[];
  /** The clock by which rows are due: it advances even if that of the service jumps. */
  readonly scheduler: Scheduler;
  /** True if turns are to follow from the sources and the time alone, however fast the machine is. */
  readonly isReplayed?: boolean;
  /** A source has ended, or failed. */
  readonly ended?: (source: MarketSource, fault?: unknown) => void;
}

/**
 * Plays sources into the exchange as their rows come due, in short turns, so that clients are answered in
 * between. A market faster than the machine is late and skips nothing.
 */
export class Player {
  readonly #service: TradingService;
  readonly #scheduler: Scheduler;
  readonly #isReplayed: boolean;
  readonly #ended: (source: MarketSource, fault?: unknown) => void;
  #sources: readonly MarketSource[];
  #cancel: Cancel = () => undefined;
  #nextAt = Number.POSITIVE_INFINITY;
  /** For how long the market has stood still, all times together. */
  #stoodUs = 0;

  constructor({
    service,
    sources,
    scheduler,
    isReplayed = false,
    ended = () => undefined,
  }: PlayerSetup) {
    this.#service = service;
    this.#scheduler = scheduler;
    this.#isReplayed = isReplayed;
    this.#sources = sources;
    this.#ended = ended;
    for (const source of sources) if (hasEnded(source)) this.#drop(source);
  }

  /** When the next turn is due, +Infinity if there is none. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** Plays from now on. */
  start(): void {
    this.#arm();
  }

  /** The market stood still for a time: it continues where it was. */
  stand(us: number): void {
    this.#stoodUs += us;
    if (this.#nextAt !== Number.POSITIVE_INFINITY) this.#set(this.#nextAt + us);
  }

  /** Ends, and closes the sources. */
  close(): void {
    this.#cancel();
    for (const source of this.#sources) source.close();
    this.#sources = [];
  }

  #turn(): void {
    const startedAt = this.#scheduler.now();
    let rows = 0;
    const isOver = (played: number): boolean => {
      rows += played;
      if (this.#isReplayed) return rows >= STEP_ROWS;
      return rows >= TURN_ROWS || this.#scheduler.now() - startedAt >= TURN_US;
    };
    this.#play(isOver);
    this.#arm(PAUSE_US);
  }

  /** Plays everything due, one source after the other, until `isOver` by the rows of each. */
  #play(isOver: (rows: number) => boolean): void {
    const now = this.#now();
    this.#service.act((exchange, at) => {
      for (let rows = 0; !isOver(rows);) {
        const source = earliest(this.#sources);
        if (source === undefined || source.nextAt > now) return;
        try {
          rows = source.play(exchange, at, now);
        } catch (fault) {
          rows = 0;
          this.#drop(source, fault);
        }
        if (hasEnded(source)) this.#drop(source);
      }
    });
  }

  /** The time of the market. */
  #now(): Micros {
    return micros(this.#scheduler.now() - this.#stoodUs);
  }

  /** Schedules the next turn: when something comes due, or after a pause if it is due already. */
  #arm(pauseUs = 0): void {
    this.#nextAt = Number.POSITIVE_INFINITY;
    const source = earliest(this.#sources);
    if (source === undefined) return;
    const now = this.#now();
    const waitUs = source.nextAt > now ? Math.ceil(source.nextAt) - now : pauseUs;
    const at = this.#scheduler.now() + waitUs;
    this.#set(this.#isReplayed ? Math.ceil(at / STEP_US) * STEP_US : at);
  }

  #set(at: number): void {
    this.#cancel();
    this.#nextAt = at;
    this.#cancel = this.#scheduler.at(micros(at), () => {
      this.#turn();
    });
  }

  #drop(source: MarketSource, fault?: unknown): void {
    if (!this.#sources.includes(source)) return;
    this.#sources = this.#sources.filter((one) => one !== source);
    source.close();
    this.#ended(source, fault);
  }
}

const hasEnded = ({ nextAt }: MarketSource): boolean => nextAt === Number.POSITIVE_INFINITY;

/** The source whose rows are due first; ended ones are removed. */
function earliest(sources: readonly MarketSource[]): MarketSource | undefined {
  let first: MarketSource | undefined;
  for (const source of sources)
    if (first === undefined || source.nextAt < first.nextAt) first = source;
  return first;
}
