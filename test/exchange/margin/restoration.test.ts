import { describe, expect, test } from 'vitest';
import type { MarginAccountState } from '../../../src/model/margin-account.ts';
import type { Instrument } from '../../../src/model/instrument.ts';
import { FUND, HOUSE, POOL, RECORDED_MARKET } from '../../../src/exchange/ledger/ledger.ts';
import type { MarginAccountView } from '../../../src/exchange/margin/views.ts';
import { CROSS, MARGIN } from '../../../src/exchange/ledger/balances.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { instrument, MarginFloor, perpetual, PERPETUAL, SPOT } from './kit.ts';

const PERP = PERPETUAL.symbol;

/** An account as its venue reports it, from what the exchange shows. */
const stateOf = (
  view: MarginAccountView,
  instruments: readonly Instrument[],
): MarginAccountState => ({
  ...view,
  isOpen: true,
  balance: view.marginBalance,
  positions: view.positions.map((one) => ({
    ...one,
    lots: instruments.find(({ symbol }) => symbol === one.symbol)?.lots(one.quantity, 'near') ?? 0,
    entryPrice: one.priceEntry,
    realizedPnl: one.realizedPnl,
    fees: one.feeCumulative,
    createdAt: micros(one.createdAt),
    updatedAt: micros(one.updatedAt),
  })),
});

/** The views of an account without what each exchange numbers and dates for itself. */
const shown = (views: readonly MarginAccountView[]) =>
  views.map(({ createdAt: _, updatedAt: __, positions, ...view }) => ({
    ...view,
    positions: positions.map(({ id: ___, ...position }) => position),
  }));

/** A long on isolated spot margin, and a short on cross futures with a result and fees behind it. */
function previous() {
  const instruments = [instrument(), perpetual()];
  const floor = new MarginFloor(instruments);
  const account = floor.account({ USDT: '10000' }, '5000');
  floor.quote(99, 101);
  floor.quote(99, 101, 1_000, PERP);
  floor.set(account, '400');
  floor.set(account, '300', { symbol: PERP, mode: 'cross' });
  floor.place(account, 'long', { side: 'buy', lots: 7 });
  floor.place(account, 'short', { symbol: PERP, side: 'sell', lots: 9, margin: 'cross' });
  floor.quote(96, 98, 1_000, PERP);
  floor.place(account, 'part', { symbol: PERP, side: 'buy', lots: 2, margin: 'cross' });
  return { floor, account, instruments };
}

function next(
  { floor, account, instruments }: ReturnType<typeof previous>,
  terms = instruments,
  change: (state: MarginAccountState) => MarginAccountState = (state) => state,
) {
  const views = floor.exchange.margin.accounts(account);
  const fresh = new MarginFloor(terms);
  const newAccount = fresh.account({ USDT: '9300' });
  const restored = views.map((view) =>
    fresh.exchange.margin.restore(newAccount, change(stateOf(view, instruments)), micros(10)),
  );
  return { fresh, newAccount, restored, views };
}

describe('margin accounts of a previous run', () => {
  test('are restored to the last digit, and are as before once market data comes', () => {
    const was = previous();
    const { fresh, newAccount, restored, views } = next(was);
    expect(restored.flatMap(({ left }) => left)).toEqual([]);
    expect(restored.flatMap(({ positionIds }) => [...positionIds])).toEqual([
      [1, views[0].positions[0].id],
      [2, views[1].positions[0].id],
    ]);
    fresh.quote(99, 101);
    fresh.quote(96, 98, 1_000, PERP);
    expect(shown(fresh.exchange.margin.accounts(newAccount))).toEqual(
      shown(was.floor.exchange.margin.accounts(was.account)),
    );
    // Nothing has happened, so nothing is told.
    expect(fresh.reports).toEqual([]);
  });

  test('leave the sums of the ledgers at what came in, with the pool and the tape on both sides of each position', () => {
    const { fresh, newAccount } = next(previous());
    const { derivatives } = fresh.exchange;
    expect(fresh.row(newAccount, 'USDT', MARGIN)).toBe('399.293');
    expect(fresh.row(newAccount, 'USDT', CROSS, derivatives)).toBe(fresh.sum('USDT', derivatives));
    expect(fresh.sum('USDT')).toBe('9699.293');
    expect(fresh.sum('BTC')).toBe('0');
    expect(fresh.row(POOL, 'BTC')).toBe('7');
    expect(fresh.row(RECORDED_MARKET, 'BTC')).toBe('-7');
    expect(fresh.row(POOL)).toBe('-707');
    expect(fresh.row(POOL, 'USDT', undefined, derivatives)).toBe('693');
    // Once all is closed the pool holds nothing.
    fresh.quote(99, 101);
    fresh.quote(96, 98, 1_000, PERP);
    expect(fresh.close(newAccount)).toBeUndefined();
    expect(fresh.close(newAccount, { symbol: PERP, mode: 'cross' })).toBeUndefined();
    for (const ledger of [fresh.exchange.ledger, derivatives]) {
      expect(fresh.row(POOL, 'USDT', undefined, ledger)).toBe('0');
      expect(fresh.row(POOL, 'BTC', undefined, ledger)).toBe('0');
      expect(fresh.row(FUND, 'USDT', undefined, ledger)).toBe('0');
    }
    expect(Number(fresh.row(HOUSE))).toBeGreaterThan(0);
  });

  test('are liquidated by the first price where the market went beyond meanwhile', () => {
    const was = previous();
    const { fresh, newAccount } = next(was, was.instruments, (state) => ({
      ...state,
      balance: decimal('60'),
    }));
    fresh.quote(90, 92);
    expect(fresh.reported().map((line) => line.split(' ')[0])).toContain('liquidated');
    expect(fresh.view(newAccount).positions).toEqual([]);
  });

  test('are judged once the prices of all their positions are known, and opened no further before', () => {
    const eth = instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH' });
    const instruments = [instrument(), eth];
    const floor = new MarginFloor(instruments);
    const account = floor.account({ USDT: '1000' });
    floor.quote(99, 101);
    floor.quote(99, 101, 1_000, 'ETHUSDT');
    floor.set(account, '400', { mode: 'cross' });
    floor.place(account, 'btc-long', { side: 'buy', lots: 20, margin: 'cross' });
    floor.place(account, 'eth-short', {
      symbol: 'ETHUSDT',
      side: 'sell',
      lots: 15,
      margin: 'cross',
    });
    const was = { floor, account, instruments };
    const { fresh, newAccount } = next(was);
    // Alone the loss of the one would be too much; the gain of the other bears it.
    fresh.quote(80, 81);
    expect(fresh.reported()).toEqual([]);
    expect(
      fresh.place(newAccount, 'more', { side: 'buy', lots: 1, margin: 'cross' }),
    ).toMatchObject({
      code: 'position-close-only',
    });
    expect(fresh.set(newAccount, '100', { mode: 'cross' })).toMatchObject({
      code: 'funds-insufficient',
    });
    expect(
      fresh.place(newAccount, 'less', {
        side: 'sell',
        lots: 1,
        margin: { mode: 'cross', reduceOnly: true },
      }),
    ).toBeUndefined();
    fresh.reported();
    fresh.quote(80, 81, 1_000, 'ETHUSDT');
    expect(fresh.reported()).toEqual([]);
    expect(fresh.view(newAccount, { mode: 'cross' }).positions).toHaveLength(2);
  });

  test('whose margin call was reported stay called', () => {
    const was = previous();
    const { fresh, newAccount } = next(was, was.instruments, (state) => ({
      ...state,
      isCalled: true,
    }));
    expect(fresh.view(newAccount).isCalled).toBe(true);
    fresh.quote(99, 101);
    expect(fresh.view(newAccount).isCalled).toBe(false);
  });

  test('that were closed are reopened, not created, by the next request', () => {
    const was = previous();
    const { fresh, newAccount } = next(was, was.instruments, (state) => ({
      ...state,
      isOpen: false,
      positions: [],
    }));
    expect(fresh.exchange.margin.accounts(newAccount)).toEqual([]);
    expect(fresh.set(newAccount, '100')).toBeUndefined();
    expect(fresh.reported()).toEqual(['reopened 100']);
  });
});

describe('what cannot be taken up', () => {
  test('is an account whose symbol is gone: its funds go to the spot balance', () => {
    const { fresh, newAccount, restored } = next(previous(), [perpetual()]);
    const [isolated, cross] = restored;
    expect(
      isolated.left.map(({ position, rejection }) => [position?.lots, rejection.code]),
    ).toEqual([
      [7, 'symbol-unknown'],
      [undefined, 'symbol-unknown'],
    ]);
    expect(cross.left).toEqual([]);
    expect(fresh.row(newAccount)).toBe('9699.293');
    expect(fresh.exchange.margin.accounts(newAccount)).toHaveLength(1);
  });

  test('is an account on a margin that the symbol is not traded on any more', () => {
    const { restored } = next(previous(), [instrument({ margin: [] }), perpetual({ margin: [] })]);
    expect(restored.map(({ left }) => left.at(-1)?.rejection.code)).toEqual([
      'margin-forbidden',
      'margin-forbidden',
    ]);
  });

  test('is a position off the grid, of an expired contract or of a gone symbol; the account stays', () => {
    const expired = perpetual({ contractType: 'cash_settled', expiry: '1970-01-01T00:00:00Z' });
    const other = {
      ...SPOT,
      type: 'futures',
      contractType: 'perpetual',
      symbol: 'ETHUSDT_PERP',
    } as const;
    const cases = [
      [[instrument(), perpetual({ tickSize: '2' })], 'quantity-invalid'],
      [[instrument(), expired], 'symbol-suspended'],
      [[instrument(), perpetual({ ...other })], 'symbol-unknown'],
    ] as const;
    for (const [terms, code] of cases) {
      const { restored, fresh, newAccount } = next(previous(), [...terms]);
      expect(
        restored[1].left.map(({ position, rejection }) => [position?.lots, rejection.code]),
      ).toEqual([[-7, code]]);
      const cross = fresh.exchange.margin.accounts(newAccount).find(({ mode }) => mode === 'cross');
      expect(cross).toMatchObject({ isContract: true, positions: [] });
    }
  });
});

test('a contract that expires before any price is known settles at what was paid', () => {
  const terms = { contractType: 'cash_settled', expiry: '1970-01-01T01:00:00Z' } as const;
  const instruments = [instrument(), perpetual(terms)];
  const floor = new MarginFloor(instruments);
  const account = floor.account({ USDT: '1000' }, '500');
  floor.quote(99, 101, 1_000, PERP);
  floor.set(account, '300', { symbol: PERP, mode: 'cross' });
  floor.place(account, 'long', { symbol: PERP, side: 'buy', lots: 3, margin: 'cross' });
  const { fresh, newAccount } = next({ floor, account, instruments });
  fresh.advance(3_600_000_000);
  expect(fresh.view(newAccount, { symbol: PERP, mode: 'cross' })).toMatchObject({ positions: [] });
  expect(
    fresh.exchange.margin
      .ended(newAccount)
      .map(({ end, realizedPnl }) => [end, realizedPnl.toFixed()]),
  ).toEqual([['settled', '0']]);
  expect(fresh.sum('USDT', fresh.exchange.derivatives)).toBe(
    fresh.row(newAccount, 'USDT', CROSS, fresh.exchange.derivatives),
  );
});
