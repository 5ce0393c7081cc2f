import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPENED } from '../../../../server/kit.ts';
import { placeOf, until } from '../kit.ts';
import { on, openScene, PERP } from './kit.ts';

/** Prices and sizes of orders that are filled at once, in ticks around the market and in lots. */
const step = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  shift: fc.integer({ min: 0, max: 40 }),
  lots: fc.integer({ min: 1, max: 9 }),
});

it.each([
  ['BTCUSDT', 'isolated'],
  [PERP, 'cross'],
] as const)(
  'positions in %s on %s margin are known as exactly as the exchange knows them, through trades in any order',
  async (symbol, mode) => {
    const [steps] = fc.sample(fc.array(step, { minLength: 30, maxLength: 30 }), {
      seed: 7,
      numRuns: 1,
    });
    const { set, account, ear, floor, settled } = await openScene();
    await set({ symbol, mode, balance: '10000' });
    const { exchange } = floor.venue.trading;
    const { tickSize } = exchange.instruments[exchange.instrument(symbol)];
    const middle = symbol === 'BTCUSDT' ? 5_000_000 : 3_000_000;
    const exact = () => exchange.margin.account(floor.account, symbol, mode);
    for (const [index, { side, shift, lots }] of (steps ?? []).entries()) {
      const price = middle + shift - 20;
      const shown = tickSize.times(price).toFixed();
      const other = tickSize.times(side === 'buy' ? price - 60 : price + 60).toFixed();
      floor.quote(
        ...(side === 'buy' ? ([other, shown] as const) : ([shown, other] as const)),
        symbol,
      );
      const reported = ear.margins.length;
      account.send(
        placeOf(`life-order-${index}`, { symbol, ...on(mode), side, ticks: price, lots }),
      );
      await until(floor.venue, () => ear.margins.length > reported);
      const last = ear.margins.at(-1);
      const [held] = last?.kind === 'marginAccount' ? last.account.positions : [];
      const [position] = exact()?.positions ?? [];
      const plain = [position?.entryValue, position?.realizedPnl, position?.feeCumulative];
      expect(
        [held?.entryValue, held?.realizedPnl, held?.fees].map((one) => one?.toFixed()),
      ).toEqual(plain.map((one) => one?.toFixed()));
    }
    // Whoever knew nothing of it finds the same in the histories.
    const { margin } = await settled(account.snapshot(OPENED));
    const [held] = margin?.accounts[0]?.positions ?? [];
    const [position] = exact()?.positions ?? [];
    expect(held?.entryValue.toFixed()).toBe(position?.entryValue.toFixed());
  },
);
