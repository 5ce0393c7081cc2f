import type { MarginRequest } from '../../../src/model/order-request.ts';
import { describe, expect, test } from 'vitest';
import { StrategyMarginAccounts } from '../../../src/engine/account/margin-accounts.ts';
import { MarginStreams } from '../../../src/engine/account/margin-streams.ts';
import { InstrumentMarket } from '../../../src/engine/market/instrument-market.ts';
import { ANY_EVENTS } from '../../../src/engine/market/feed-contents.ts';
import { Markets } from '../../../src/engine/market/markets.ts';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  VenuePosition,
} from '../../../src/model/margin-account.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { PERPETUAL, SPOT } from '../../exchange/margin/kit.ts';

const BTC = new Instrument(SPOT);
const PERP = new Instrument(PERPETUAL);
const BARE = new Instrument({ ...SPOT, symbol: 'ETHUSDT', baseCurrency: 'ETH', margin: [] });
const ALL = [BTC, PERP, BARE];
const PLACE = { instrument: BTC, mode: 'isolated' } as const;
const AT = micros(1);

const accountsAt = (marks: Readonly<Record<string, Decimal>> = { BTCUSDT: decimal('100') }) =>
  new StrategyMarginAccounts({
    instrument: (symbol) => ALL.find((one) => one.symbol === symbol) ?? BTC,
    markPrice: (symbol) => marks[symbol],
  });

const held = (count: number, change: Partial<VenuePosition> = {}): VenuePosition => ({
  id: 1,
  symbol: 'BTCUSDT',
  lots: count,
  entryPrice: decimal('90'),
  entryValue: decimal(String(90 * Math.abs(count))),
  realizedPnl: decimal('0'),
  fees: decimal('0'),
  carry: decimal('0'),
  createdAt: AT,
  updatedAt: AT,
  ...change,
});

const state = (change: Partial<MarginAccountState> = {}): MarginAccountState => ({
  isOpen: true,
  mode: 'isolated',
  isContract: false,
  symbol: 'BTCUSDT',
  currency: 'USDT',
  leverage: decimal('5'),
  balance: decimal('500'),
  reservedOrders: decimal('0'),
  reservedPositions: decimal('0'),
  isCalled: false,
  positions: [],
  ...change,
});

const report = (change: Partial<MarginAccountReport> = {}): MarginAccountReport => ({
  kind: 'marginAccount',
  at: AT,
  reason: 'updated',
  account: state(),
  ...change,
});

const kinds = (accounts: StrategyMarginAccounts, change: Partial<MarginAccountReport>): string[] =>
  accounts.take(report(change)).map(({ kind }) => kind);

describe('what happened to a margin account', () => {
  test.each([
    ['its opening', { reason: 'created' }, ['marginChanged', 'leverageChanged']],
    ['a trade', { reason: 'openTrade' }, []],
    ['a deleveraging', { reason: 'closeTrade', end: 'deleveraged' }, ['deleveraged']],
    ['a settlement', { reason: 'closed', end: 'settled', position: held(0) }, ['settled']],
    ['a part of a liquidation', { reason: 'closeTrade', end: 'liquidated' }, ['liquidated']],
    ['its end', { reason: 'closed' }, ['marginChanged']],
    ['a margin call', { account: state({ isCalled: true, positions: [held(1)] }) }, ['marginCall']],
  ] as const)('is notified of %s', (_, change, expected) => {
    expect(kinds(accountsAt(), change)).toEqual(expected);
  });

  test('gets the end of a margin call while a position is open, and no other', () => {
    const called = { account: state({ isCalled: true, positions: [held(1)] }) };
    const accounts = accountsAt();
    accounts.take(report(called));
    expect(kinds(accounts, { account: state({ positions: [held(1)] }) })).toEqual(['recovered']);
    accounts.take(report(called));
    expect(kinds(accounts, { reason: 'closed', position: held(0), account: state() })).toEqual([]);
  });

  test('gets a changed leverage where the balance is the same', () => {
    const accounts = accountsAt();
    accounts.restore([state()]);
    const account = state({ leverage: undefined });
    expect(kinds(accounts, { reason: 'marginChanged', account })).toEqual(['leverageChanged']);
    expect(kinds(accounts, { reason: 'marginChanged', account })).toEqual([]);
  });

  test('concerns a cross account by its currency, and futures have one of their own', () => {
    const accounts = accountsAt({ BTCUSDT_PERP: decimal('100') });
    const cross = { mode: 'cross', symbol: undefined } as const;
    accounts.restore([
      state({ ...cross, balance: decimal('7') }),
      state({ ...cross, isContract: true, balance: decimal('8') }),
    ]);
    expect(accounts.account({ instrument: BTC, mode: 'cross' }).balance.toFixed()).toBe('7');
    expect(accounts.account({ instrument: PERP, mode: 'cross' }).balance.toFixed()).toBe('8');
    expect(accounts.equity({ instrument: PERP, mode: 'isolated' })).toBeUndefined();
  });
});

describe('a position', () => {
  test('counts the fills that come before the report of its account', () => {
    const accounts = accountsAt();
    accounts.restore([state({ positions: [held(-3)] })]);
    const fill = {
      id: 1,
      clientOrderId: 'order-one',
      symbol: 'BTCUSDT',
      ticks: ticks(1),
      taker: true,
      lots: lots(2),
      fee: BTC.tickAmount,
      feeCurrency: 'USDT',
      at: AT,
    };
    accounts.fill(PLACE, { ...fill, side: 'buy' });
    accounts.fill(PLACE, { ...fill, side: 'sell' });
    accounts.fill(PLACE, { ...fill, side: 'buy' });
    expect(accounts.lots(PLACE)).toBe(-1);
    accounts.take(report({ account: state({ positions: [held(-1)] }) }));
    expect(accounts.lots(PLACE)).toBe(-1);
  });

  test('has neither value nor distance while its mark price is unknown', () => {
    const accounts = accountsAt({});
    accounts.restore([state({ positions: [held(2, { liquidationPrice: decimal('50') })] })]);
    const { notional, unrealizedPnl, distance, side, entryTicks } = accounts.position(PLACE);
    expect([notional, unrealizedPnl, distance]).toEqual([undefined, undefined, undefined]);
    expect([side, entryTicks]).toEqual(['long', 90]);
    const { equity, effectiveLeverage } = accounts.account(PLACE);
    expect([equity, effectiveLeverage, accounts.equity(PLACE)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  test('says how far its liquidation is, where there is one', () => {
    const accounts = accountsAt();
    accounts.restore([state({ positions: [held(2, { liquidationPrice: decimal('50') })] })]);
    expect(accounts.position(PLACE).distance).toBe(0.5);
    accounts.restore([state({ positions: [held(2)] })]);
    expect(accounts.position(PLACE).distance).toBeUndefined();
  });

  test('that is not there has no entry, no result and no side', () => {
    const position = accountsAt().position(PLACE);
    expect([position.side, position.entryPrice, position.notional]).toEqual([
      ...['none', undefined, undefined],
    ]);
    expect(position.entryTicks).toBeNaN();
  });
});

describe('the funds of an account', () => {
  test('are never less than nothing, and bear what the account of the symbol allows', () => {
    const accounts = accountsAt();
    accounts.restore([state({ balance: decimal('100'), positions: [held(-10)] })]);
    // N 900, L 5, an open loss of 100 at the mark of 100: 280 + 0.001 × (900 + 280).
    const { available, reservedPositions } = accounts.account(PLACE);
    expect([available.toFixed(), reservedPositions.toFixed()]).toEqual(['0', '281.18']);
    const unmarked = accountsAt({});
    unmarked.restore([state({ reservedPositions: decimal('7'), positions: [held(-10)] })]);
    expect(unmarked.account(PLACE).available.toFixed()).toBe('493');
    accounts.restore([state({ leverage: undefined })]);
    // 500 over 1/10 + 0.001 + 0.001 × 1.1 = 0.1021 for each unit of value.
    expect(accounts.openableValue(PLACE).toNumber()).toBeCloseTo(500 / 0.1021, 9);
    expect(accounts.openableValue({ instrument: BARE, mode: 'isolated' }).toFixed()).toBe('0');
  });

  test('may be there once they are asked for, until all of it is answered', () => {
    const accounts = accountsAt();
    const rejection = () => accounts.rejection(BTC, { mode: 'isolated' })?.code;
    const request = (balance: string): MarginRequest => ({
      kind: 'setMargin',
      symbol: 'BTCUSDT',
      mode: 'isolated',
      balance: decimal(balance),
    });
    const [first, second, third] = [request('1'), request('2'), request('3')];
    for (const one of [first, second, third]) accounts.requested(PLACE, one);
    expect(rejection()).toBeUndefined();
    const rejected = { code: 'funds-insufficient', message: 'No.' } as const;
    const answer = {
      kind: 'marginRejected',
      at: AT,
      symbol: 'BTCUSDT',
      rejection: rejected,
    } as const;
    // The one that never left is named, and is over before those that did.
    expect(accounts.answered({ ...answer, mode: 'isolated', request: second })).toBe(second);
    expect(accounts.answered({ ...answer, mode: 'isolated' })).toBe(first);
    expect(rejection()).toBeUndefined();
    expect(accounts.answered({ ...answer, mode: 'isolated' })).toBe(third);
    expect(rejection()).toBe('margin-account-unknown');
  });

  test('are refused to what a symbol does not trade', () => {
    const accounts = accountsAt();
    accounts.restore([state()]);
    const closing = { mode: 'isolated', closePosition: true } as const;
    expect(accounts.rejection(BARE, { mode: 'cross' })?.code).toBe('margin-forbidden');
    expect(accounts.rejection(PERP, undefined)?.code).toBe('margin-mode-invalid');
    expect(accounts.rejection(BTC, undefined)).toBeUndefined();
    expect(accounts.rejection(BTC, closing)?.field).toBe('closePosition');
  });
});

test('a stream of a margin that a symbol is not traded on is refused by name', () => {
  const scheduler = new VirtualScheduler(AT);
  const all = ALL.map(
    (one) =>
      new InstrumentMarket(one, new InstrumentState(one), ANY_EVENTS, {
        scheduler,
        show: () => undefined,
        modelled: () => undefined,
      }),
  );
  const markets = new Markets(all);
  const streams = new MarginStreams(markets, undefined);
  const at = (symbol: string, margin: string) => () =>
    streams.margin({ symbol, margin: margin as 'cross' });
  expect(at('ETHUSDT', 'cross')).toThrow(
    'ETHUSDT is not traded on cross margin here. It has no margin terms; give them as margin of the configuration of a backtest, or as paper.margin of a',
  );
  expect(at('ETHUSDT', 'cross')).toThrow(expect.objectContaining({ code: 'margin-forbidden' }));
  expect(at('BTCUSDT', 'spot')).toThrow("write isolated('BTCUSDT') or cross('BTCUSDT')");
  expect(() => streams.margin('BTCUSDT' as never)).toThrow(
    "\"BTCUSDT\" names no margin account; write isolated('BTCUSDT') or cross('BTCUSDT').",
  );
  expect(() => streams.events('BTCUSDT' as never)).toThrow('names no margin account');
  expect(() => markets.get(isolated('BTCUSDT') as never)).toThrow(
    "isolated('BTCUSDT') is a place on margin, and market data and spot streams are of a plain symbol: write 'BTCUSDT'.",
  );
  expect(() => markets.get(undefined as never)).toThrow("write it as text, such as 'BTCUSDT'");
  expect(at('XRPUSDT', 'cross')).toThrow('There is no instrument "XRPUSDT"');
});
