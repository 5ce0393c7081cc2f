import type { Decimal } from '../model/decimal.ts';
import type { Side } from '../model/order.ts';
import { ownMembers } from '../model/members.ts';
import { taking } from './arguments.ts';
import type { Dca, Grid, Iceberg, Twap, Vwap } from './commands.ts';
import { saying } from './command.ts';
import type { LotsInput, PriceOf, QuantityOf, TicksInput } from './numbers.ts';
import { orderMarketOf, type Where } from './where.ts';

/** Not a price, or one of two faces of it. */
type AnyPriceOf = PriceOf | { readonly ticks?: never; readonly price?: never };

interface NamedOf {
  readonly id: string;
}

type ExecutedOf = NamedOf & { readonly side: Side; readonly reduceOnly?: boolean } & QuantityOf;

/** What `twap` takes: a quantity, over how many milliseconds, and in how many slices. */
export type TwapOf = ExecutedOf & AnyPriceOf & Pick<Twap, 'over' | 'slices' | 'jitter' | 'participation' | 'atEnd'>; // prettier-ignore

/** What `vwap` takes: a volume for each slice beside that, where it is known. */
export type VwapOf = TwapOf & { readonly profile?: readonly number[] };

/** What `iceberg` takes. */
export type IcebergOf = ExecutedOf &
  PriceOf & { readonly postOnly?: boolean } & (
    | { readonly visibleLots: LotsInput; readonly visibleQuantity?: never }
    | { readonly visibleQuantity: Decimal; readonly visibleLots?: never }
  );

/** What `grid` takes. */
export type GridOf = NamedOf &
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

/** What `dca` takes. */
export type DcaOf = NamedOf &
  Pick<Dca, 'value' | 'max' | 'takeProfit'> &
  (
    | { readonly every: number; readonly drop?: never }
    | { readonly drop: Decimal; readonly every?: never }
  );

const algo = <Command extends object>(kind: string, where: Where, of: object): Command =>
  Object.freeze(saying({ kind, ...orderMarketOf(where) }, of) as Command);

/**
 * Buys or sells a quantity in slices of the same size, one in each interval:
 *
 *     twap('BTCUSDT', { id: 'exit-0001', side: 'sell', lots: 500, over: hours(2), slices: 24 })
 *
 * Each slice is a market order, IOC, or a limit order where `ticks` or `price` is the worst price. What a slice
 * does not get is spread over those that follow. `id` is its name for good: the same command again, after a
 * restart too, is the same order.
 */
export const twap = taking('twap(where, of)', (where: Where, of: TwapOf): Twap =>
  algo('twap', where, of),
);

/**
 * The same with slices by volume: `profile` has the volume of each interval, such as the mean of the last days;
 * without it a slice is larger or smaller than the mean as the volume of the interval before it was.
 */
export const vwap = taking('vwap(where, of)', (where: Where, of: VwapOf): Vwap => {
  const { profile, ...rest } = ownMembers(Object(of) as object) as { readonly profile?: unknown };
  const volumes = Array.isArray(profile)
    ? Object.freeze(profile.map((volume: unknown) => Object.freeze({ volume })))
    : profile;
  return algo('vwap', where, { ...rest, ...(profile === undefined ? {} : { profile: volumes }) });
});

/** A limit order that shows `visibleLots` at a time: the next part comes once the one before has filled. */
export const iceberg = taking('iceberg(where, of)', (where: Where, of: IcebergOf): Iceberg =>
  algo('iceberg', where, of),
);

/**
 * Buys `lots` at each of `levels` prices but the highest, and sells them at the next one above, again and again:
 *
 *     grid('BTCUSDT', { id: 'grid-0001', low: price('58000'), high: price('64000'), levels: 13, lots: 100 })
 *
 * It buys below the market alone and begins without a holding. It ends by `cancel('grid-0001')`.
 */
export const grid = taking('grid(where, of)', (where: Where, of: GridOf): Grid =>
  algo('grid', where, of),
);

/**
 * Buys for the same value again and again, every so often or each time that the price has dropped below the
 * mean price of what it bought, `max` times at most:
 *
 *     dca('BTCUSDT', { id: 'save-0001', value: amount('100'), every: days(7), max: 52 })
 */
export const dca = taking('dca(where, of)', (where: Where, of: DcaOf): Dca =>
  algo('dca', where, of),
);
