import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { network, orders, Rig, service, targets } from './rig.ts';

const chance = fc.constantFrom(0, 0, 0.2, 0.5);
const span = fc.oneof(
  fc.integer({ min: 0, max: 300_000_000 }),
  fc
    .tuple(fc.integer({ min: 0, max: 60_000_000 }), fc.integer({ min: 0, max: 600_000_000 }))
    .map(([fromUs, more]) => ({ kind: 'uniform', fromUs, toUs: fromUs + more }) as const),
  fc
    .integer({ min: 0, max: 120_000_000 })
    .map((meanUs) => ({ kind: 'exponential', meanUs }) as const),
);
const share = (most: number) =>
  fc.integer({ min: 0, max: most }).map((thousandths) => decimal(String(thousandths / 1_000)));

const managed = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 10 })))
  .map((parts) => {
    const holdings = ['USDT@trading', 'BTC@trading', 'USDT@ethereum', 'BTC@bitcoin'];
    // Of a thousand, so that all are 1 together.
    const sum = parts.reduce((all, part) => all + part, 0);
    const weights = parts.map((part) => Math.floor((1_000 * part) / sum));
    weights[0] += 1_000 - weights.reduce((all, part) => all + part, 0);
    return targets(
      Object.fromEntries(
        holdings.map((holding, at) => [holding, String((weights[at] ?? 0) / 1_000)]),
      ),
      { maximumCost: decimal('0.2'), band: '0.03' },
    );
  });

const world = fc.record({
  seed: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
  planning: span,
  fails: chance,
  takes: span,
  chances: fc.record({ refused: chance, expired: chance, failed: chance, refunded: chance }),
  accept: span,
  confirm: span,
  deliver: span,
  spread: share(20),
  slippage: share(20),
  impact: share(2),
  kind: fc.constantFrom('swap', 'exchangeOrder'),
  requests: fc.array(
    fc.record({
      managed,
      seconds: fc.integer({ min: 0, max: 900 }),
      price: fc.integer({ min: 20_000, max: 90_000 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const ordersOf = ({
  chances: { failed: _, ...chances },
  confirm: __,
  impact: ___,
  ...model
}: Omit<World, 'seed' | 'planning' | 'fails' | 'takes' | 'requests' | 'kind'>) =>
  orders({ ...model, chances });

/** Plays a world; gives all that was told, and checks after each moment what there is of everything. */
async function played({
  seed,
  planning,
  fails,
  takes,
  requests,
  kind,
  ...model
}: World): Promise<string> {
  const rig = await Rig.open(
    {
      planning,
      everyUs: 120 * US_PER_SECOND,
      networks: new Map([['ethereum', network({ fails, takes })]]),
      services: new Map([['swaps', kind === 'swap' ? service(model) : ordersOf(model)]]),
    },
    seed,
  );
  const before = ['USDT', 'BTC'].map((asset) => rig.total(asset).toFixed());
  const conserved = (): void => {
    expect(['USDT', 'BTC'].map((asset) => rig.total(asset).toFixed())).toEqual(before);
    for (const { amount } of rig.portfolio.holdings()) expect(amount.isNegative()).toBe(false);
    for (const [, amount] of rig.portfolio.outside.onWay) expect(amount.isNegative()).toBe(false);
  };
  for (const { managed: managedOrder, seconds, price } of requests) {
    rig.quote(price, price + 10);
    rig.managedOrder(managedOrder);
    await rig.pass(seconds, conserved);
  }
  await rig.pass(7_200, conserved);
  const held = rig.portfolio.holdings().map(({ amount }) => amount.toFixed());
  return JSON.stringify([rig.reported, rig.reports, held]);
}

test('whatever goes wrong, and whenever: nothing of any asset appears or is gone, and the same seed gives the same bytes', async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const first = await played(one);
      if (first.includes('fulfilled')) moved += 1;
      expect(await played(one)).toBe(first);
    }),
    { numRuns: 25 },
  );
  expect(moved).toBeGreaterThan(5);
});
