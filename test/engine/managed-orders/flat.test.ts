import { expect, test } from 'vitest';
import { bracket } from '../../../src/strategy/bracket.ts';
import { place } from '../../../src/strategy/orders.ts';
import { flat } from '../../../src/strategy/managed-orders.ts';
import { hold, TEN, trade, wishing, type Wishing } from './kit.ts';

const GUARD = 'guard-01';

/** Ten lots held, all reserved by a stop. */
function guarded(): Wishing {
  const one = wishing({ USDT: '0', BTC: '0.01' });
  one.play([TEN]);
  one.give(
    place('BTCUSDT', {
      type: 'stopMarket',
      side: 'sell',
      stopTicks: 950,
      lots: 10,
      clientOrderId: GUARD,
    }),
  );
  one.wire.accept();
  one.wire.balance('BTC', '0', '0.01');
  one.sent();
  return one;
}

/** What was sent since the last look, by kind. */
const requests = ({ wire }: Wishing): unknown[] =>
  wire.requests.map((request) =>
    request.kind === 'cancel'
      ? ['cancel', request.clientOrderId]
      : request.kind === 'place'
        ? [request.type, request.side, request.lots]
        : [request.kind],
  );

test('flat cancels what guards the position, and sells when that has ended and is free', () => {
  const one = guarded();
  one.give(flat('BTCUSDT'));
  expect(requests(one).slice(1)).toEqual([['cancel', GUARD]]);
  one.wire.end(GUARD, 'canceled');
  expect(requests(one).slice(2)).toEqual([]);
  one.wire.balance('BTC', '0.01');
  expect(requests(one).slice(2)).toEqual([['market', 'sell', 10]]);
});

test('flat sells what is left where a guard sold first', () => {
  const one = guarded();
  one.give(flat('BTCUSDT'));
  one.wire.fill(GUARD, 4, 950);
  one.wire.reject(one.wire.requests[1], 'order-unknown');
  one.wire.end(GUARD, 'expired');
  one.wire.balance('BTC', '0.006');
  expect(requests(one).slice(2)).toEqual([['market', 'sell', 6]]);
});

test('flat sells nothing where the guards sold all', () => {
  const one = guarded();
  one.give(flat('BTCUSDT'));
  one.wire.fill(GUARD, 10, 950);
  one.wire.balance('BTC', '0');
  one.play([trade('00:00:10')]);
  expect(requests(one).slice(2)).toEqual([]);
});

test('flat ends a list as a whole, and a second flat asks for no cancel again', () => {
  const one = wishing();
  one.play([TEN]);
  one.give(
    bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'limit', ticks: 1_000, clientOrderId: 'entry-01' },
      takeProfit: { ticks: 1_100, clientOrderId: 'profit-1' },
      stopLoss: { stopTicks: 950, clientOrderId: 'loss-001' },
      lots: 10,
    }),
  );
  one.wire.accept();
  one.wire.fill('entry-01', 10, 1_000);
  one.wire.activate('profit-1');
  one.wire.activate('loss-001');
  one.wire.balance('BTC', '0', '0.01');
  one.give(flat('BTCUSDT'));
  one.give(flat('BTCUSDT'));
  expect(requests(one).slice(1)).toEqual([['cancel', 'profit-1']]);
  one.wire.end('profit-1', 'canceled');
  one.wire.balance('BTC', '0.01');
  expect(requests(one).slice(2)).toEqual([]);
  one.wire.end('loss-001', 'canceled');
  expect(requests(one).slice(2)).toEqual([['market', 'sell', 10]]);
  expect(one.received('unprotected')).toEqual([]);
});

test('flat is done when nothing is held: what is bought later stands', () => {
  const one = wishing({ USDT: '100', BTC: '0.01' });
  one.play([TEN]);
  one.give(flat('BTCUSDT'));
  one.wire.accept();
  one.wire.fill(one.wire.last.kind === 'place' ? one.wire.last.clientOrderId : '', 10, 1_000);
  const buy = {
    type: 'limit',
    side: 'buy',
    lots: 4,
    ticks: 900,
    clientOrderId: 'again-01',
  } as const;
  one.give(place('BTCUSDT', buy));
  one.wire.accept();
  one.wire.fill('again-01', 4, 900);
  expect(requests(one)).toEqual([
    ['market', 'sell', 10],
    ['limit', 'buy', 4],
  ]);
});

test('a target of no lots leaves what guards the position alone', () => {
  const one = guarded();
  one.give(hold(0));
  expect(requests(one).slice(1)).toEqual([]);
});
