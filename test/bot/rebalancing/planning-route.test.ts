import { describe, expect, test } from 'vitest';
import { PlanningRoute } from '../../../src/bot/rebalancing/planning-route.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { TransferRoute, Offer } from '../../../src/swaps/execution/transfer-route.ts';

const from = { asset: 'USDC', location: 'here' };
const to = { asset: 'BTC', location: 'there' };
const SEND = decimal('600');

const offer = (change: Partial<Offer> = {}): Offer => ({
  route: 'one',
  kind: 'swap',
  from,
  to,
  send: SEND,
  least: decimal('0.0098'),
  expected: decimal('0.0099'),
  expiresAt: micros(1),
  durationUs: 1,
  terms: {},
  ...change,
});

/** A route that gives or throws these in turn, and counts how often it was asked. */
function scripted(answers: readonly (Offer | Rejection | Error)[]) {
  const asked = { count: 0 };
  const route = {
    name: 'one',
    pairs: () => [[from, to]],
    offer: async () => {
      const answer = answers[Math.min(asked.count, answers.length - 1)] ?? new Error('nothing');
      asked.count += 1;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as TransferRoute;
  const priceOf = (asset: string) => decimal(asset === 'BTC' ? '60000' : '1');
  const planning = new PlanningRoute(route, new VirtualScheduler(micros(0)), priceOf);
  const ask = async () => planning.offer(from, to, SEND);
  return { planning, asked, ask };
}

const broken = new Error('The line is cut.');

describe('a route that is asked for a plan', () => {
  test('is asked again where it fails once, and stays', async () => {
    const { planning, ask } = scripted([broken, offer()]);
    expect(await ask()).toEqual(offer());
    expect(planning.leftOut).toBeUndefined();
  });

  test('is asked four times in a row in vain, and never again in that plan', async () => {
    const { planning, asked, ask } = scripted([offer(), broken]);
    await ask();
    for (let count = 0; count < 5; count += 1) await ask();
    expect(asked.count).toBe(5);
    expect(planning.leftOut).toEqual({ name: 'one', why: 'The line is cut.' });
    expect(await ask()).toEqual({
      code: 'venue-unreachable',
      message: 'one is left out: The line is cut.',
    });
  });

  test('keeps its rejections, which are answers', async () => {
    const no = { code: 'pair-unavailable', message: 'No.' } as const;
    const { planning, ask } = scripted([no]);
    for (let count = 0; count < 9; count += 1) expect(await ask()).toEqual(no);
    expect(planning.leftOut).toBeUndefined();
  });

  test.each([
    ['more than was asked for', { send: decimal('601') }, /not asked for/],
    ['another pair', { to: from }, /not asked for/],
    ['less than it promises at the least', { expected: decimal('0.009') }, /not asked for/],
    ['a fortune', { expected: decimal('0.0201') }, /more than 2 times what that is worth/],
  ])('is left out where it offers %s', async (_, change, why) => {
    const { planning, ask } = scripted([offer(change)]);
    expect(isRejection(await ask())).toBe(true);
    expect(planning.leftOut?.why).toMatch(why);
  });
});
