import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MillraceError } from '../../../src/model/errors.ts';
import { isSanitized } from '../../../src/model/plain-words.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { CLOSED, configured, PORTFOLIO, run } from './planning-stage.ts';
import { saying, Services, silent } from './services.ts';

interface PlanJson {
  readonly transfers: readonly { readonly route: string }[];
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

const planned = async (path: string): Promise<PlanJson> =>
  JSON.parse((await run(path, { plan: true, json: true })).out) as PlanJson;

async function failure(path: string): Promise<MillraceError> {
  try {
    await run(path, { plan: true });
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('it was planned');
}

let simulation: Simulation;
let venue = '';
const services = new Services();
/** Plans with a service that never answers, which are made while the other tests run. */
let late: readonly Promise<PlanJson>[] = [];
beforeAll(async () => {
  simulation = await openExample({ ...hurried(example()), rateLimits: false });
  venue = urlOf(simulation);
  const never = await services.open(silent);
  late = [{ exchangeOrders: never }, { swaps: never }].map((places) =>
    planned(configured(venue, places)),
  );
  // Whoever waits for them hears of it.
  for (const plan of late) plan.catch(() => undefined);
});

afterAll(async () => {
  await Promise.allSettled(late);
  await Promise.all([simulation.close(), services.close()]);
});

describe('a plan goes without a route', () => {
  test('of a service that nothing listens for', async () => {
    const path = configured(venue, { exchangeOrders: CLOSED });
    const { transfers, leftOut } = await planned(path);
    expect(leftOut.map(({ name }) => name)).toEqual(['exchange-orders']);
    expect(leftOut[0]?.why).toContain('ECONNREFUSED');
    expect(transfers.length).toBeGreaterThan(0);
    const { out } = await run(path, { plan: true });
    expect(out.match(/^exchange-orders is left out: .*ECONNREFUSED.*$/gm)).toHaveLength(1);
  });

  test.each([
    ['is broken', saying(500, 'oh'), 'HTTP 500'],
    ['answers what is no answer', saying(200, '[{"quote": null}]'), 'cannot be read'],
    ['lets nobody in', saying(401, '{"error": {"code": 401, "message": "no"}}'), '401'],
  ])('of a service that %s', async (_, answer, why) => {
    const other = await services.open(answer);
    for (const [name, places] of [
      ['exchange-orders', { exchangeOrders: other }],
      ['swaps', { swaps: other }],
    ] as const) {
      const { transfers, leftOut } = await planned(configured(venue, places));
      expect(leftOut.map((one) => one.name)).toEqual([name]);
      expect(leftOut[0]?.why).toContain(why);
      expect(transfers.map(({ route }) => route)).not.toContain(name);
      expect(transfers.length).toBeGreaterThan(0);
    }
  });

  test('of a service whose words are a trap for whoever reads them', async () => {
    const trap = `\u001b[2J\u001b]0;owned\u0007\r\nerror: paid twice\n\u202egnp.exe${'!'.repeat(1_000_000)}`;
    const [swaps, exchangeOrders] = await Promise.all([
      services.open(saying(500, JSON.stringify({ code: 7, type: trap, message: trap }))),
      services.open(saying(200, JSON.stringify({ id: '1', error: { code: -1, message: trap } }))),
    ]);
    const path = configured(venue, { swaps, exchangeOrders });
    const { leftOut } = await planned(path);
    expect(leftOut.map(({ name }) => name)).toEqual(['exchange-orders', 'swaps']);
    for (const { why } of leftOut) {
      expect(why).toContain('\\u001b[2J\\u001b]0;owned\\u0007 error: paid twice \\u202egnp.exe!!!');
      expect(isSanitized(why)).toBe(true);
      expect(why.length).toBeLessThan(500);
    }
    const { out } = await run(path, { plan: true });
    expect(isSanitized(out.replaceAll('\n', ''))).toBe(true);
    expect(out.match(/^\S+ is left out: .*$/gm)).toHaveLength(2);
  });

  test('and carries out what others carry', async () => {
    const path = configured(venue, { exchangeOrders: CLOSED });
    const { out, err } = await run(path, { execute: true, yes: true });
    expect(out).toContain('exchange-orders is left out');
    expect(err).toMatch(/ is fulfilled\./);
  });

  test('whose location is no target, where its chain is not to be reached', async () => {
    const path = configured(venue, { solana: CLOSED });
    const { leftOut } = await planned(path);
    expect(leftOut.map(({ name }) => name)).toEqual(['solana']);
  });

  test('of a service that never answers', async () => {
    const plans = await Promise.all(late);
    for (const { transfers } of plans) expect(transfers.length).toBeGreaterThan(0);
    // Its client and the plan wait for the same time, and on a busy machine others may be late too.
    const within = (name: string): unknown =>
      expect.arrayContaining([{ name, why: expect.stringContaining('within 10 s') as unknown }]);
    expect(plans.map(({ leftOut }) => leftOut)).toEqual([
      within('exchange-orders'),
      within('swaps'),
    ]);
  });
});

describe('what cannot be read ends a plan', () => {
  test.each([
    [
      'the node of a target',
      { tron: CLOSED },
      'unreachable',
      'chains.tron.node',
      'The node of tron',
    ],
    [
      'the account of a target',
      { account: CLOSED },
      'unreachable',
      'account',
      'What the account trading',
    ],
  ])('%s, with its place and what to do', async (_, places, code, field, words) => {
    const portfolio = `${PORTFOLIO.replace('0.6', '0.4')}  USDC@trading: { weight: 0.2, band: 0.02 }\n`;
    const error = await failure(configured(venue, places, portfolio));
    expect(error.code).toBe(code);
    expect(error.field).toBe(field);
    expect(error.message).toContain(words);
    expect(error.message).toMatch(/Nothing was moved\. Look whether it is up/);
  });

  test('a node without chains, and one whose words are a trap', async () => {
    const empty = await services.open(saying(200, '[]'));
    const none = await failure(configured(venue, { tron: empty }));
    expect(none.message).toBe(`The node at ${empty} has no chain "tron"; it has no chain at all.`);
    const words = JSON.stringify({
      code: 'token-unknown',
      message: '\u001b[31mred\nred',
      field: '\u202e',
    });
    const trap = await failure(
      configured(venue, { tron: await services.open(saying(400, words)) }),
    );
    expect(trap.message).toContain('\\u001b[31mred red');
    expect(isSanitized(trap.message)).toBe(true);
  });
});
