import { resolve } from 'node:path';
import { z } from 'zod';
import { MARKET_LIMITS, type Limits } from '../../feeds/synthetic/limits.ts';
import type { MarketPlan } from '../../server/market/open.ts';
import { seedOf } from '../../server/market/seed.ts';
import type { MarketShape } from '../../server/market/shape.ts';
import { decimalText, withoutAbsent } from '../../config/fields.ts';

const bounded = ({ least, most, whole }: Limits) =>
  (whole === true ? z.int() : z.number()).min(least).max(most).optional();

/** Parameters of a synthetic market; defaults follow from its price. */
const { delayUs: _delay, jitterUs: _jitter, ...LIMITS } = MARKET_LIMITS;
const SHAPE = {
  ...(Object.fromEntries(
    Object.entries(LIMITS).map(([name, limits]) => [name, bounded(limits)]),
  ) as Record<keyof typeof LIMITS, ReturnType<typeof bounded>>),
  quotes: z.boolean().optional(),
};

const generated = z.strictObject({ startPrice: decimalText, ...SHAPE });

const following = z.strictObject({
  follows: z.string().min(1).describe('The symbol whose price it follows.'),
  over: z.string().min(1).optional().describe('Divides that price: ETHUSDT over BTCUSDT.'),
  ...SHAPE,
});

const recordings = z.strictObject({
  files: z.array(z.string().min(1)).min(1).describe('One for each symbol, relative to this file.'),
  speed: z
    .union([z.number().positive().max(1_000_000), z.literal('max')], {
      error: 'a number above 0, or max',
    })
    .default(1)
    .describe('1 is as fast as it was recorded, max as fast as the machine can.'),
  atEnd: z.enum(['loop', 'stop']).default('loop'),
});

const generator = z.strictObject({
  seed: z.int().default(1).describe('The same seed makes the same markets.'),
  symbols: z.record(
    z.string().min(1),
    z.union([generated, following], { error: 'a startPrice, or a symbol that it follows' }),
  ),
});

type Followed = Readonly<Record<string, z.output<typeof generated> | z.output<typeof following>>>;

/** True if a symbol waits for a price that waits for its own, so that neither ever begins. */
function goesRound(symbol: string, symbols: Followed): boolean {
  const seen = new Set<string>();
  const waiting = [symbol];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const given = Object.hasOwn(symbols, one) ? symbols[one] : undefined;
    if (given === undefined || !('follows' in given)) continue;
    for (const next of [given.follows, ...(given.over === undefined ? [] : [given.over])]) {
      if (next === symbol) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** Sources of the markets; a symbol in neither part is moved only by those who trade it. */
export const marketOf = (folder: string) =>
  z
    .strictObject({ recordings: recordings.optional(), generator: generator.optional() })
    .superRefine(({ generator: made }, context) => {
      for (const [symbol, given] of Object.entries(made?.symbols ?? {})) {
        if (!('follows' in given) || !goesRound(symbol, made?.symbols ?? {})) continue;
        context.addIssue({
          code: 'custom',
          path: ['generator', 'symbols', symbol, 'follows'],
          message: 'a symbol that does not follow this one in turn',
          input: given.follows,
        });
      }
    })
    .transform((market): MarketPlan => {
      const { recordings: recorded, generator: made } = market;
      const files = recorded?.files.map((file) => resolve(folder, file)) ?? [];
      return [
        ...(recorded === undefined ? [] : [{ kind: 'recorded' as const, ...recorded, files }]),
        ...Object.entries(made?.symbols ?? {}).map(([symbol, given]) => {
          const seed = seedOf(made?.seed ?? 0, symbol);
          if ('follows' in given) {
            const { follows, over, ...shape } = given;
            const rest = over === undefined ? {} : { over };
            return {
              kind: 'following' as const,
              symbol,
              seed,
              follows,
              ...rest,
              shape: lean(shape),
            };
          }
          const { startPrice, ...shape } = given;
          return { kind: 'generated' as const, symbol, seed, startPrice, shape: lean(shape) };
        }),
      ];
    });

const lean = (shape: Parameters<typeof withoutAbsent<MarketShape>>[0]): MarketShape =>
  withoutAbsent<MarketShape>(shape);
