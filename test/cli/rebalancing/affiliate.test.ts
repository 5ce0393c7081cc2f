import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';
import { CLOSED, configured, run } from './planning-stage.ts';

let simulation: Simulation;
let venue = '';
beforeAll(async () => {
  simulation = await openExample({ ...hurried(example()), rateLimits: false });
  venue = urlOf(simulation);
});

afterAll(async () => {
  await simulation.close();
});

/** From Tron to Ethereum, and no account between them. */
const portfolio = (routes: string): string => `prices: { USDC: 1 }
targets:
  USDC@ethereum: { weight: ${routes}, band: 0.02 }
  USDC@tron: { weight: ${(1 - Number(routes)).toFixed(1)}, band: 0.02 }
`;

interface PlanLine {
  readonly id: string;
  readonly transfers: readonly { readonly route: string }[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

const planOf = async (path: string): Promise<PlanLine> =>
  JSON.parse((await run(path, { plan: true, json: true })).out) as PlanLine;

test('a portfolio is brought to its targets by the Affiliate surface, with no key pair at a service', async () => {
  const path = configured(venue, { account: CLOSED, exchangeOrders: CLOSED, affiliateKey: 'AFFILIATE_KEY' }, portfolio('0.6')); // prettier-ignore
  const plan = await planOf(path);
  expect(plan.leftOut.map(({ name }) => name).toSorted()).toEqual(['account', 'exchange-orders', 'trading']); // prettier-ignore
  expect(plan.transfers.map(({ route }) => route)).toEqual(['affiliate-swaps']);
  const made = await run(path, { execute: true, confirm: plan.id });
  expect(made.err).toMatch(/ is fulfilled\./);
  expect(made.out + made.err).not.toContain('demo-affiliate');
  expect((await planOf(path)).transfers).toEqual([]);
});

test('a key that the service does not know leaves the route out of the plan, with its message', async () => {
  const path = configured(venue, { exchangeOrders: CLOSED, affiliateKey: 'VENUE_SECRET' }, portfolio('0.3')); // prettier-ignore
  const { transfers, leftOut } = await planOf(path);
  expect(transfers.some(({ route }) => route === 'affiliate-swaps')).toBe(false);
  const why = leftOut.find(({ name }) => name === 'affiliate-swaps')?.why;
  expect(why).toContain('API key is unknown');
  expect(why).not.toContain('demo-secret');
});

test('a key that is not there is reported with its place', async () => {
  const path = configured(venue, { affiliateKey: 'NOWHERE' });
  await expect(run(path, { plan: true })).rejects.toMatchObject({
    code: 'secret-missing',
    message: expect.stringMatching(/rebalancing\.yaml:\d+:\d+: .*NOWHERE/),
  });
});
