import { expect, test } from 'vitest';
import { LINGER_US, Subscriptions } from '../../../src/bot/account/subscriptions.ts';
import { UNUSED, type MarketUse } from '../../../src/engine/market/use.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrumentOf } from '../../kit/instruments.ts';

test('what is said of a derivative is subscribed while a strategy uses it, and a moment longer', () => {
  let uses: readonly MarketUse[] = [];
  const instrument = instrumentOf({ type: 'futures', contractType: 'perpetual' });
  const subscriptions = new Subscriptions({
    instruments: [instrument],
    used: () => uses,
    needed: () => UNUSED,
    ended: () => undefined,
  });
  const plain = { instrument, trades: true, book: 'none' };
  subscriptions.begin(micros(0), micros(0));
  expect(subscriptions.wanted).toEqual([plain]);
  uses = [UNUSED, { ...UNUSED, derivatives: true }];
  expect(subscriptions.review(micros(1))).toBe(true);
  expect(subscriptions.wanted).toEqual([{ ...plain, derivatives: true }]);
  expect(subscriptions.review(micros(2))).toBe(false);
  uses = [];
  expect(subscriptions.review(micros(3))).toBe(false);
  expect(subscriptions.review(micros(3 + LINGER_US))).toBe(true);
  expect(subscriptions.wanted).toEqual([plain]);
});
