import {
  concat,
  distinctUntilChanged,
  filter,
  first,
  ignoreElements,
  map,
  mergeMap,
  of,
} from 'rxjs';
import { scan } from 'rxjs/operators';
import { align, cross, defineStrategy, setMargin, target, z } from 'millrace';

/**
 * Two symbols that move together come back together: it sells the one that ran ahead and buys the other,
 * for as much money, on one cross margin account, and closes both when the distance is gone. The distance
 * is that of the logarithm of their prices' ratio from its mean, in standard deviations. Loses when what
 * moved together parts for good, and by four fees of every round.
 */
export default defineStrategy({
  name: 'pairs',
  summary: 'Sells the dearer and buys the cheaper of two symbols on cross margin.',
  parameters: z.object({
    first: z.string().default('BTCUSDT'),
    second: z.string().default('ETHUSDT'),
    period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M1'),
    length: z.int().min(2).max(1_000).default(60).describe('candles that the mean is taken of'),
    enter: z.number().gt(0).default(2).describe('standard deviations at which it goes in'),
    exit: z.number().min(0).default(0.5).describe('standard deviations below which it goes out'),
    share: z.number().gt(0).default(0.5).describe('value of each leg, as a share of the account'),
    funds: z.string().default('5000').describe('money of the margin account'),
  }),
  run: ({ market, account, parameters: p }) => {
    const [one, two] = [cross(p.first), cross(p.second)];
    const distance$ = align({
      first: market.candles(p.first, p.period),
      second: market.candles(p.second, p.period),
    }).pipe(
      map(({ first: a, second: b }) => Math.log(a.closeTicks / b.closeTicks)),
      scan((ratios: readonly number[], ratio) => [...ratios.slice(1 - p.length), ratio], []),
      filter((ratios) => ratios.length === p.length),
      map((ratios) => distanceOf(ratios)),
    );
    const sides$ = distance$.pipe(
      map((distance) => {
        if (Math.abs(distance) < p.exit) return 0;
        return Math.abs(distance) > p.enter ? -Math.sign(distance) : undefined;
      }),
      filter((side) => side !== undefined),
      distinctUntilChanged(),
      mergeMap((side) => [target(one, side * p.share + 0), target(two, -side * p.share + 0)]),
    );
    const ready$ = account.margin(one).pipe(first(({ state }) => state === 'normal'));
    return concat(of(setMargin(one, { balance: p.funds })), ready$.pipe(ignoreElements()), sides$);
  },
});

/** How far the last of some numbers is from their mean, in their standard deviations. */
function distanceOf(numbers: readonly number[]): number {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const variance = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / numbers.length;
  return variance === 0 ? 0 : ((numbers.at(-1) ?? mean) - mean) / Math.sqrt(variance);
}
