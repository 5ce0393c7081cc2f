import { of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { aon, oco, placeList } from '../../src/strategy/lists.ts';
import { cancel, place, replace } from '../../src/strategy/orders.ts';
import { rebalance } from '../../src/strategy/portfolio.ts';
import { quote, target } from '../../src/strategy/wishes.ts';
import { rig } from './rig.ts';

/** A maker as code calls it that no compiler has read. */
const loose = (maker: unknown) => maker as (...given: readonly unknown[]) => Command;

const LIMIT = { type: 'limit', side: 'buy', ticks: 5, lots: 1 };
const STOP = { type: 'stopMarket', side: 'sell', stopTicks: 4, lots: 1 };
const BRACKET = {
  entry: { side: 'buy', type: 'limit', ticks: 5 },
  takeProfit: { ticks: 9 },
  stopLoss: { stopTicks: 3 },
  lots: 1,
};
const SLOT = { weight: '1', band: '0.05' };

const CASES: readonly [string, Command, string, string][] = [
  [
    'place: post_only',
    loose(place)('BTCUSDT', { ...LIMIT, post_only: true }),
    'post_only',
    'place has no member "post_only"; did you mean postOnly?',
  ],
  [
    'place: postonly',
    loose(place)('BTCUSDT', { ...LIMIT, postonly: true }),
    'postonly',
    'did you mean postOnly?',
  ],
  [
    'place: time_in_force',
    loose(place)('BTCUSDT', { ...LIMIT, time_in_force: 'IOC' }),
    'time_in_force',
    'did you mean timeInForce?',
  ],
  [
    'place: reduceOnly on spot',
    loose(place)('BTCUSDT', { ...LIMIT, reduceOnly: true }),
    'reduceOnly',
    'place has no member "reduceOnly"; there are symbol, side, type,',
  ],
  [
    'place: another symbol',
    loose(place)('BTCUSDT', { ...LIMIT, symbol: 'ETHUSDT' }),
    'symbol',
    'place is given symbol twice: "BTCUSDT" and "ETHUSDT"; give one of them.',
  ],
  [
    'place: kind for type',
    loose(place)('BTCUSDT', { ...LIMIT, kind: 'limit' }),
    'kind',
    'place is given kind twice',
  ],
  [
    'a plain object',
    { kind: 'place', symbol: 'BTCUSDT', ...LIMIT, size: 5 } as unknown as Command,
    'size',
    'did you mean side?',
  ],
  [
    'replace: client_order_id',
    loose(replace)('order-one', { lots: 5, new_client_order_id: 'order-two' }),
    'new_client_order_id',
    'did you mean newClientOrderId?',
  ],
  [
    'replace: another id',
    loose(replace)('order-one', { lots: 5, clientOrderId: 'order-two' }),
    'clientOrderId',
    'replace is given clientOrderId twice',
  ],
  [
    'cancel of an object',
    { ...cancel('order-one'), symbol: 'BTCUSDT' } as Command,
    'symbol',
    'cancel has no member "symbol"; there are clientOrderId.',
  ],
  [
    'cancelAll',
    { kind: 'cancelAll', symbols: ['BTCUSDT'] } as unknown as Command,
    'symbols',
    'did you mean symbol?',
  ],
  [
    'target: share and lots',
    loose(target)('BTCUSDT', { share: 0.5, lots: 5 }),
    'hold',
    'one of them',
  ],
  [
    'target: quantity',
    loose(target)('BTCUSDT', { lots: 5, quantity: 5 }),
    'hold.quantity',
    'hold has no member "quantity"; there are share, lots.',
  ],
  [
    'quote: buy',
    loose(quote)('BTCUSDT', { buy: { ticks: 5, lots: 1 } }),
    'buy',
    'quote has no member "buy"; did you mean bid?',
  ],
  [
    'quote: a member of a side',
    loose(quote)('BTCUSDT', { bid: { ticks: 5, lots: 0, postOnly: false } }),
    'bid.postOnly',
    'bid has no member "postOnly"; there are ticks, lots.',
  ],
  [
    'placeList',
    loose(placeList)('oneCancelOther', [{ symbol: 'BTCUSDT', ...STOP, stop_ticks: 4 }, STOP]),
    'orders[0].stop_ticks',
    'orders[0] has no member "stop_ticks"; did you mean stopTicks?',
  ],
  [
    'oco',
    loose(oco)('BTCUSDT', [STOP, { ...STOP, tif: 'IOC' }]),
    'orders[1].tif',
    'orders[1] has no member "tif"; ',
  ],
  [
    'oco: another symbol',
    loose(oco)('BTCUSDT', [STOP, { ...STOP, symbol: 'ETHUSDT' }]),
    'orders[1].symbol',
    'orders[1] is given symbol twice',
  ],
  [
    'aon: another time in force',
    loose(aon)([
      { symbol: 'BTCUSDT', ...LIMIT, timeInForce: 'GTC' },
      { symbol: 'ETHUSDT', ...LIMIT },
    ]),
    'orders[0].timeInForce',
    'orders[0] is given timeInForce twice: "FOK" and "GTC"',
  ],
  [
    'bracket: stoploss',
    loose(bracket)('BTCUSDT', { ...BRACKET, stopLoss: undefined, stoploss: { stopTicks: 3 } }),
    'stoploss',
    'bracket has no member "stoploss"; did you mean stopLoss?',
  ],
  [
    'bracket: a member of the entry',
    loose(bracket)('BTCUSDT', { ...BRACKET, entry: { ...BRACKET.entry, post_only: true } }),
    'orders[0].post_only',
    'did you mean postOnly?',
  ],
  [
    'bracket: an own quantity of an exit',
    loose(bracket)('BTCUSDT', { ...BRACKET, stopLoss: { stopTicks: 3, lots: 5 } }),
    'orders[2].lots',
    'orders[2] is given lots twice: 1 and 5',
  ],
  [
    'bracket: within beside another time in force',
    loose(bracket)('BTCUSDT', {
      ...BRACKET,
      entry: { ...BRACKET.entry, timeInForce: 'IOC' },
      within: 5_000,
    }),
    'orders[0].timeInForce',
    'orders[0] is given timeInForce twice: "GTD" and "IOC"',
  ],
  [
    'rebalance: a limit',
    loose(rebalance)({ 'USDC@ethereum': SLOT }, { maxCost: '0.01' }),
    'maxCost',
    'rebalance has no member "maxCost"; ',
  ],
  [
    'rebalance: a slot',
    loose(rebalance)({ 'USDC@ethereum': { ...SLOT, weigth: '1' } }),
    'USDC@ethereum.weigth',
    'USDC@ethereum has no member "weigth"; did you mean weight?',
  ],
];

describe('a command with a member that no such command has is refused by the name of it', () => {
  test.each(CASES)('%s', (_, command, field, message) => {
    const { engine, wire, heard } = rig(() => of(command));
    engine.start();
    const [{ refusal }] = heard('refused');
    expect(refusal.field).toBe(field);
    expect(refusal.message).toContain(message);
    expect(engine.state).toBe('completed');
    expect(wire.requests).toEqual([]);
  });

  test('an order with one is shown as rejected', () => {
    const statuses: string[] = [];
    const { engine } = rig(({ account }) => {
      account.orders().subscribe(({ status, refusal }) => {
        statuses.push(`${status} ${refusal?.code ?? ''}`);
      });
      return of(loose(place)('BTCUSDT', { ...LIMIT, post_only: true }));
    });
    engine.start();
    expect(statuses).toEqual(['rejected request-invalid']);
  });

  test('one that is undefined is absent', () => {
    const { engine, wire } = rig(() =>
      of(loose(place)('BTCUSDT', { ...LIMIT, post_only: undefined, symbol: 'BTCUSDT' })),
    );
    engine.start();
    expect(wire.requests).toHaveLength(1);
  });

  test('whatever stands where a bracket has objects is refused and not thrown', () => {
    for (const part of ['entry', 'takeProfit', 'stopLoss']) {
      for (const value of [undefined, null, 5, 'x']) {
        const { engine, heard, wire } = rig(() =>
          of(loose(bracket)('BTCUSDT', { ...BRACKET, [part]: value })),
        );
        engine.start();
        expect(engine.failure).toBeUndefined();
        expect(heard('refused')).toHaveLength(1);
        expect(wire.requests).toEqual([]);
      }
    }
  });
});
