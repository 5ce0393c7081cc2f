import type { Decimal } from '../model/decimal.ts';
import type { Side } from '../model/order.ts';
import { ownMembers } from '../model/members.ts';
import { commandFactory } from './arguments.ts';
import type { Dca, Grid, Iceberg, Twap, Vwap } from './commands.ts';
import { commandFrom } from './command.ts';
import type { LotsInput, PriceOf, QuantityOf, TicksInput } from './numbers.ts';
import { orderMarketOf, type Where } from './where.ts';

/** An optional price in one of its two forms. */
type AnyPriceOf = PriceOf | { readonly ticks?: never; readonly price?: never };

interface OrderById {
  readonly id: string;
}

type ExecutedOf = OrderById & { readonly side: Side; readonly reduceOnly?: boolean } & QuantityOf;

/** Argument of `twap`: a quantity, a duration in milliseconds, and the number of slices. */
export type TwapOf = ExecutedOf & AnyPriceOf & Pick<Twap, 'over' | 'slices' | 'jitter' | 'participation' | 'atEnd'>; // prettier-ignore

/** Argument of `vwap`: as for `twap`, with an optional volume for each slice. */
export type VwapOf = TwapOf & { readonly profile?: readonly number[] };

/** Argument of `iceberg`. */
export type IcebergOf = ExecutedOf &
  PriceOf & { readonly postOnly?: boolean } & (
    | { readonly visibleLots: LotsInput; readonly visibleQuantity?: never }
    | { readonly visibleQuantity: Decimal; readonly visibleLots?: never }
  );

/** Argument of `grid`. */
export type GridOf = OrderById &
  QuantityOf &
  Pick<Grid, 'levels' | 'spacing'> &
  (
    | { readonly lowTicks: TicksInput; readonly low?: never }
    | { readonly low: Decimal; readonly lowTicks?: never }
  ) &
  (
    | { readonly highTicks: TicksInput; readonly high?: never }
    | { readonly high: Decimal; readonly highTicks?: never }
  );

/** Argument of `dca`. */
export type DcaOf = OrderById &
  Pick<Dca, 'value' | 'max' | 'takeProfit'> &
  (
    | { readonly every: number; readonly drop?: never }
    | { readonly drop: Decimal; readonly every?: never }
  );

const algo = <Command extends object>(kind: string, where: Where, of: object): Command =>
  Object.freeze(commandFrom({ kind, ...orderMarketOf(where) }, of) as Command);

/**
 * Buys or sells a quantity in slices of the same size, one in each interval:
 *
 *     twap('BTCUSDT', { id: 'exit-0001', side: 'sell', lots: 500, over: hours(2), slices: 24 })
 *
 * Each slice is a market order, IOC, or a limit order at the worst price `ticks` or `price`.
 * Unfilled lots are spread over the later slices. `id` is permanent: the same command again, after
 * a restart too, is the same order.
 */
export const twap = commandFactory('twap(where, of)', (where: Where, of: TwapOf): Twap =>
  algo('twap', where, of),
);

/**
 * Same as `twap` with slices by volume: `profile` has the volume of each interval, such as the
 * average of the last days. Without it a slice is as much larger or smaller as the last interval's
 * volume was than the average.
 */
export const vwap = commandFactory('vwap(where, of)', (where: Where, of: VwapOf): Vwap => {
  const { profile, ...rest } = ownMembers(Object(of) as object) as { readonly profile?: unknown };
  const volumes = Array.isArray(profile)
    ? Object.freeze(profile.map((volume: unknown) => Object.freeze({ volume })))
    : profile;
  return algo('vwap', where, { ...rest, ...(profile === undefined ? {} : { profile: volumes }) });
});

/**
 * A limit order that shows `visibleLots` at a time: the next part follows once the one before is
 * filled.
 */
export const iceberg = commandFactory(
  'iceberg(where, of)',
  (where: Where, of: IcebergOf): Iceberg => algo('iceberg', where, of),
);

/**
 * Buys `lots` at each of `levels` prices but the highest, and sells them at the next one above,
 * repeatedly:
 *
 *     grid('BTCUSDT', { id: 'grid-0001', low: price('58000'), high: price('64000'), levels: 13, lots: 100 })
 *
 * It buys only below the market and starts without a holding. `cancel('grid-0001')` ends it.
 */
export const grid = commandFactory('grid(where, of)', (where: Where, of: GridOf): Grid =>
  algo('grid', where, of),
);

/**
 * Buys for the same value repeatedly, at intervals or each time that the price has dropped below
 * the average purchase price, at most `max` times:
 *
 *     dca('BTCUSDT', { id: 'save-0001', value: amount('100'), every: days(7), max: 52 })
 */
export const dca = commandFactory('dca(where, of)', (where: Where, of: DcaOf): Dca =>
  algo('dca', where, of),
);
