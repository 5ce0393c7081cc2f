import type { Exchange } from '../../exchange/exchange.ts';
import { checkMarket } from '../../feeds/generator.ts';
import type { MarketParameters } from '../../feeds/synthetic/parameters.ts';
import { FLOOR_TICKS } from '../../feeds/synthetic/value.ts';
import { decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { TradingService } from '../trading/service.ts';
import { Generated, type Making } from './generated.ts';
import { Player, type PlayerSetup } from './player.ts';
import { instrumentAt } from './instrument-at.ts';
import type { RecordedMarketOptions } from './recorded.ts';
import { followingShape, shapeOf, type MarketShape } from './shape.ts';
import type { MarketSource } from './source.ts';
import { FollowedPrice, middleOf } from './followed-price.ts';

/** A market that is generated from a first price on. */
export interface GeneratedMarket {
  readonly kind: 'generated';
  readonly symbol: string;
  readonly seed: number;
  readonly startPrice: string;
  readonly shape?: MarketShape;
}

/** A market that is generated around another's price: of one symbol, or the ratio of two. */
export interface FollowingMarket {
  readonly kind: 'following';
  readonly symbol: string;
  readonly seed: number;
  readonly follows: string;
  /** Divides the price that is followed: ETHBTC follows ETHUSDT over BTCUSDT. */
  readonly over?: string;
  readonly shape?: MarketShape;
}

/** Sources of the markets; a symbol without one is moved only by those who trade it. */
export type MarketPlan = readonly (RecordedMarketOptions | GeneratedMarket | FollowingMarket)[];

export interface OpenMarketOptions {
  /** The clock by which rows are due; that of the service if absent. */
  readonly scheduler?: Scheduler;
  /** True if every replay of the service's inputs must have the same turns. */
  readonly isReplayed?: boolean;
  readonly ended?: PlayerSetup['ended'];
}

/**
 * Starts the markets of a plan. Throws `symbol-unknown`, `parameter-invalid` for a symbol with two sources,
 * `recording-invalid` for one with another grid than its symbol, and the errors of opening a recording.
 */
export async function openMarket(
  service: TradingService,
  plan: MarketPlan,
  { scheduler = service.scheduler, isReplayed = false, ended }: OpenMarketOptions = {},
): Promise<Player> {
  const sources: MarketSource[] = [];
  try {
    for (const part of plan) {
      sources.push(await sourceOf(service.exchange, part, plan, scheduler.now()));
    }
    checkOnce(sources);
  } catch (error) {
    for (const source of sources) source.close();
    throw error;
  }
  const player = new Player({
    service,
    sources,
    scheduler,
    isReplayed,
    ended,
  });
  player.start();
  return player;
}

async function sourceOf(
  exchange: Exchange,
  part: MarketPlan[number],
  plan: MarketPlan,
  startAt: Micros,
): Promise<MarketSource> {
  switch (part.kind) {
    case 'recorded': {
      // A synthetic market needs no reader of recordings.
      const { recorded } = await import('./recorded.ts');
      return recorded(exchange, part, startAt);
    }
    case 'generated': {
      const making = madeUp(exchange, part);
      return new Generated(instrumentAt(exchange, part.symbol), part.seed, startAt, () => making);
    }
    case 'following': {
      checkFollowing(exchange, part, plan);
      const making = following(exchange, part);
      return new Generated(instrumentAt(exchange, part.symbol), part.seed, startAt, making);
    }
  }
}

function madeUp(exchange: Exchange, { symbol, startPrice, shape }: GeneratedMarket): Making {
  const { instrument } = instrumentAt(exchange, symbol);
  const price = decimal(startPrice, 'startPrice');
  const ticks = instrument.ticksExactly(price);
  if (ticks !== undefined && ticks > 0) {
    const parameters = shapeOf(instrument, ticks, price.toNumber(), shape);
    checkShape(symbol, startPrice, parameters);
    checkFloor(instrument, startPrice, ticks);
    return { parameters };
  }
  throw new MillraceError(
    'off-grid',
    `${symbol} cannot begin at ${startPrice}: that is no positive multiple of its tick size ${instrument.terms.tickSize}.`,
    { field: 'startPrice' },
  );
}

function following(exchange: Exchange, part: FollowingMarket): () => Making | undefined {
  const { instrument } = instrumentAt(exchange, part.symbol);
  const leader = instrumentAt(exchange, part.follows).index;
  const over = part.over === undefined ? undefined : instrumentAt(exchange, part.over).index;
  const price = (): number | undefined => {
    const [above, below] = [
      middleOf(exchange, leader),
      over === undefined ? 1 : middleOf(exchange, over),
    ];
    return above === undefined || below === undefined ? undefined : above / below;
  };
  return () => {
    const value = middleOf(exchange, leader);
    const now = price();
    if (value === undefined || now === undefined) return undefined;
    const ticks = Math.max(1, Math.round(now / instrument.tickSize.toNumber()));
    const parameters = followingShape(instrument, ticks, value, part.shape);
    return {
      parameters,
      priceOf: (random) => new FollowedPrice(random, instrument, price, parameters),
    };
  };
}

/** Throws `parameter-invalid` for a market that cannot be generated, which would end as it begins. */
function checkShape(symbol: string, price: string, parameters: MarketParameters): void {
  try {
    checkMarket(parameters);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new MillraceError(
      'parameter-invalid',
      `The market of ${symbol} cannot be made up at a price of ${price}: ${error.message} Give that parameter, or the symbol another tick size or quantity increment.`,
      { field: symbol, cause: error },
    );
  }
}

/** The same for one that follows another, as far as its first price is known. */
function checkFollowing(exchange: Exchange, part: FollowingMarket, plan: MarketPlan): void {
  const { instrument } = instrumentAt(exchange, part.symbol);
  const value = startOf(part.follows, plan);
  const price = value / (part.over === undefined ? 1 : startOf(part.over, plan));
  const ticks = Math.max(1, Math.round(price / instrument.tickSize.toNumber()));
  if (!Number.isFinite(ticks)) return;
  checkShape(part.symbol, String(price), followingShape(instrument, ticks, value, part.shape));
  checkFloor(instrument, String(price), ticks);
}

/** Throws `parameter-invalid` for a price below the lowest of a synthetic market. */
function checkFloor({ symbol, tickSize }: Instrument, price: string, ticks: number): void {
  if (ticks >= FLOOR_TICKS) return;
  const least = tickSize.times(FLOOR_TICKS).toFixed();
  throw new MillraceError(
    'parameter-invalid',
    `The market of ${symbol} cannot be made up at a price of ${price}: it never comes below ${least}, ${FLOOR_TICKS} of its tick size, so that there is room for bids. Give a higher price, or the symbol a smaller tick size.`,
    { field: symbol },
  );
}

/** The approximate first price of a market, to scale others by it; NaN if the plan has none. */
function startOf(symbol: string, plan: MarketPlan): number {
  const part = plan.find((one) => 'symbol' in one && one.symbol === symbol);
  if (part?.kind === 'generated') return Number(part.startPrice);
  if (part?.kind !== 'following') return Number.NaN;
  // Without this part, so that symbols which follow each other in a circle end.
  const others = plan.filter((one) => one !== part);
  return startOf(part.follows, others) / (part.over === undefined ? 1 : startOf(part.over, others));
}

function checkOnce(sources: readonly MarketSource[]): void {
  const moved = new Set<string>();
  for (const symbol of sources.flatMap(({ symbols }) => symbols)) {
    if (moved.has(symbol)) {
      throw new MillraceError('parameter-invalid', `Two parts of the market move ${symbol}.`, {
        field: symbol,
      });
    }
    moved.add(symbol);
  }
}
