import { describe, expect, test } from 'vitest';
import { StrategyMarginAccounts } from '../../src/engine/account/margin-accounts.ts';
import type { PlaceRequest } from '../../src/model/order-request.ts';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE } from '../../src/model/events.ts';
import { Instrument } from '../../src/model/instrument.ts';
import type { MarginReport } from '../../src/model/margin-account.ts';
import type { Report } from '../../src/model/report.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import { PERPETUAL, SPOT } from '../exchange/margin/kit.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const BOTH = [new Instrument(SPOT), new Instrument(PERPETUAL)];

/** A venue with 1,000 USDT, a spot symbol and a perpetual, at a quote of 99 and 101 each. */
class Rig {
  readonly scheduler = new VirtualScheduler(micros(START));
  readonly received: (Report | MarginReport)[] = [];
  readonly venue = new SimulatedVenue({
    venue: 'simulated',
    instruments: BOTH,
    scheduler: this.scheduler,
    latency: { orderUs: 10, reportUs: 10 },
    balances: new Map([['USDT', decimal('1000')]]),
  });
  readonly accounts = new StrategyMarginAccounts({
    instrument: (symbol) => BOTH[symbol === 'BTCUSDT' ? 0 : 1],
    markPrice: (symbol) => this.venue.margin?.markPrice(symbol),
  });
  readonly events: string[] = [];

  constructor() {
    this.venue.connect((report) => this.received.push(report));
    this.venue.margin?.connect((report) => {
      this.received.push(report);
      for (const event of this.accounts.take(report)) {
        const { kind, symbol = 'all', at: _, mode: __, ...rest } = event;
        this.events.push([kind, symbol, ...Object.values(rest).map(text)].join(' '));
      }
    });
    for (const index of [0, 1]) this.quote(index, 99, 101);
  }

  quote(index: number, bid: number, ask: number): void {
    const columns = eventColumns(1);
    columns.kind[0] = QUOTE;
    columns.flags[0] = LAST;
    columns.price[0] = bid;
    columns.size[0] = 1_000;
    columns.askPrice[0] = ask;
    columns.askSize[0] = 1_000;
    this.venue.market(index, columns, 0);
  }

  pass(us = 1_000): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  fund(symbol: string, mode: 'isolated' | 'cross', balance: string, leverage?: string): void {
    this.venue.margin?.set({
      kind: 'setMargin',
      symbol,
      mode,
      balance: decimal(balance),
      ...(leverage === undefined ? {} : { leverage: decimal(leverage) }),
    });
    this.pass();
  }

  market(
    symbol: string,
    side: 'buy' | 'sell',
    count: number,
    margin: PlaceRequest['margin'],
  ): void {
    this.venue.send({
      kind: 'place',
      clientOrderId: `order-${this.received.length}`.padEnd(9, 'x'),
      symbol,
      side,
      type: 'market',
      timeInForce: 'IOC',
      lots: lots(count),
      postOnly: false,
      margin,
    });
    this.pass();
  }

  spot(): string {
    return this.venue.available('USDT').toFixed();
  }

  place(symbol: string, mode: 'isolated' | 'cross') {
    return { instrument: BOTH[symbol === 'BTCUSDT' ? 0 : 1], mode };
  }
}

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'code' in value
    ? String(value.code)
    : String(value);

describe('a margin account of the simulated venue', () => {
  test.each([
    ['BTCUSDT', 'isolated'],
    ['BTCUSDT', 'cross'],
    ['BTCUSDT_PERP', 'isolated'],
    ['BTCUSDT_PERP', 'cross'],
  ] as const)('of %s %s is funded from the spot balance and gives back to it', (symbol, mode) => {
    const rig = new Rig();
    rig.fund(symbol, mode, '400', '5');
    const name = mode === 'isolated' ? symbol : 'all';
    expect(rig.events).toEqual([`marginChanged ${name} 400`, `leverageChanged ${name} 5`]);
    expect(rig.spot()).toBe('600');
    rig.fund(symbol, mode, '100');
    expect(rig.spot()).toBe('900');
    rig.fund(symbol, mode, '0');
    expect(rig.spot()).toBe('1000');
    expect(rig.events.slice(2)).toEqual([`marginChanged ${name} 100`, `marginChanged ${name} 0`]);
    expect(rig.accounts.account(rig.place(symbol, mode)).state).toBe('none');
  });

  test('that asks for more than there is is rejected, and nothing has moved', () => {
    const rig = new Rig();
    rig.fund('BTCUSDT_PERP', 'isolated', '1001', '5');
    expect(rig.events).toEqual(['rejected BTCUSDT_PERP funds-insufficient']);
    expect(rig.spot()).toBe('1000');
    rig.fund('BTCUSDT', 'isolated', '1001', '5');
    expect(rig.events[1]).toMatch(/^rejected BTCUSDT /);
    expect(rig.spot()).toBe('1000');
  });

  test('with a leverage that the symbol does not allow is rejected, and nothing has moved', () => {
    const rig = new Rig();
    rig.fund('BTCUSDT_PERP', 'isolated', '100', '11');
    expect(rig.events).toEqual(['rejected BTCUSDT_PERP leverage-invalid']);
    expect(rig.spot()).toBe('1000');
  });
});

describe('a position', () => {
  test('is shown with its result, and its fills say on which margin they were', () => {
    const rig = new Rig();
    rig.fund('BTCUSDT_PERP', 'isolated', '400', '10');
    rig.market('BTCUSDT_PERP', 'sell', 10, { mode: 'isolated' });
    const place = rig.place('BTCUSDT_PERP', 'isolated');
    const { side, lots: held, size, entryTicks, entryPrice, fees } = rig.accounts.position(place);
    expect({ side, held, size: size.toFixed(), entryTicks }).toEqual({
      side: 'short',
      held: -10,
      size: '-10',
      entryTicks: 99,
    });
    expect([entryPrice?.toFixed(), fees.toFixed()]).toEqual(['99', '0.99']);
    const fills = rig.received.flatMap((one) => (one.kind === 'trade' ? one.fill.margin : []));
    expect(fills).toEqual(['isolated']);
    rig.quote(1, 109, 111);
    // Its index is that of the spot symbol, whose middle is 100 still.
    expect(rig.accounts.position(place).unrealizedPnl?.toFixed()).toBe('-10');
    rig.quote(0, 109, 111);
    const after = rig.accounts.position(place);
    // 110 × 10 − 990, on funds of 400 − 0.99.
    expect([after.notional?.toFixed(), after.unrealizedPnl?.toFixed()]).toEqual(['1100', '-110']);
    const account = rig.accounts.account(place);
    expect(account.balance.toFixed()).toBe('399.01');
    expect(account.equity?.toFixed()).toBe('289.01');
    // 1100 ÷ 289.01
    expect(account.effectiveLeverage?.toFixed()).toBe('3.8061');
  });

  test('is called and then liquidated, in its events and not by an order of the strategy', () => {
    const rig = new Rig();
    rig.fund('BTCUSDT', 'isolated', '110', '10');
    rig.market('BTCUSDT', 'sell', 10, { mode: 'isolated' });
    rig.events.length = 0;
    const before = rig.received.filter(({ kind }) => kind === 'new' || kind === 'trade').length;
    for (let price = 101; rig.accounts.lots(rig.place('BTCUSDT', 'isolated')) !== 0; price += 1) {
      rig.quote(0, price - 1, price + 1);
      rig.pass();
    }
    expect(rig.events).toEqual(['marginCall BTCUSDT', 'liquidated BTCUSDT 0']);
    expect(rig.received.filter(({ kind }) => kind === 'new' || kind === 'trade')).toHaveLength(
      before,
    );
  });

  test('of a perpetual is paid or pays its funding, in its events', () => {
    const rig = new Rig();
    rig.fund('BTCUSDT_PERP', 'cross', '400');
    rig.market('BTCUSDT_PERP', 'sell', 10, { mode: 'cross' });
    rig.events.length = 0;
    rig.pass(8 * 3_600_000_000);
    rig.venue.exchange.advance(rig.scheduler.now());
    rig.pass();
    // 10 × 100 × 0.0001, and shorts receive.
    expect(rig.events).toEqual(['funding BTCUSDT_PERP 0.1 100 0.0001']);
    const { carry } = rig.accounts.position(rig.place('BTCUSDT_PERP', 'cross'));
    expect(carry.toFixed()).toBe('0.1');
  });
});
