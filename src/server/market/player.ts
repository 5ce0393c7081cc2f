import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { TradingService } from '../trading/service.ts';
import type { MarketSource } from './source.ts';

/** A turn ends after so much time or so many rows, whatever is due; then others have theirs. */
const TURN_US = 2_000;
const TURN_ROWS = 2_000;
/** Between two turns of a market that is behind. */
const PAUSE_US = 500;

export interface PlayerSetup {
  readonly service: TradingService;
  readonly sources: readonly MarketSource[];
  /** The clock by which rows are due: time passes by it even where that of the service jumps. */
  readonly scheduler: Scheduler;
  /** A source has come to its end, or to a fault that ends it. */
  readonly ended?: (source: MarketSource, fault?: unknown) => void;
}

/**
 * Plays sources into the exchange as their rows come due, in short turns, so that whoever trades
 * meanwhile is answered. A market faster than the machine comes late and skips nothing.
 */
export class Player {
  readonly #service: TradingService;
  readonly #scheduler: Scheduler;
  readonly #ended: (source: MarketSource, fault?: unknown) => void;
  #sources: readonly MarketSource[];
  #cancel: Cancel = () => undefined;

  constructor({ service, sources, scheduler, ended = () => undefined }: PlayerSetup) {
    this.#service = service;
    this.#scheduler = scheduler;
    this.#sources = sources;
    this.#ended = ended;
    for (const source of sources) if (hasEnded(source)) this.#drop(source);
    this.#arm(0);
  }

  /** Ends, and closes the sources. */
  close(): void {
    this.#cancel();
    for (const source of this.#sources) source.close();
    this.#sources = [];
  }

  #turn(): void {
    let rows = 0;
    const startedAt = this.#scheduler.now();
    this.#service.act((exchange, at) => {
      for (;;) {
        const source = earliest(this.#sources);
        if (source === undefined || source.nextAt > startedAt) return;
        try {
          rows += source.play(exchange, at, startedAt);
        } catch (fault) {
          this.#drop(source, fault);
        }
        if (hasEnded(source)) this.#drop(source);
        if (rows >= TURN_ROWS || this.#scheduler.now() - startedAt >= TURN_US) return;
      }
    });
    this.#arm(PAUSE_US);
  }

  /** Sets the next turn: when something comes due, or after a pause where it is due already. */
  #arm(pauseUs: number): void {
    const source = earliest(this.#sources);
    if (source === undefined) return;
    const now: Micros = this.#scheduler.now();
    const at = source.nextAt > now ? Math.ceil(source.nextAt) : now + pauseUs;
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

/** The source whose rows are due first; those that have ended are not there any more. */
function earliest(sources: readonly MarketSource[]): MarketSource | undefined {
  let first: MarketSource | undefined;
  for (const source of sources)
    if (first === undefined || source.nextAt < first.nextAt) first = source;
  return first;
}
