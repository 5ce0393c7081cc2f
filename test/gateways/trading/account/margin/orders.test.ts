import { describe, expect, it } from 'vitest';
import type { NewOrder } from '../../../../../src/model/order.ts';
import { lots, ticks } from '../../../../../src/model/units.ts';
import { placeOf, until } from '../kit.ts';
import { brief, openScene, PERP, type Scene } from './kit.ts';

const ROW = 'client:trading-v3.stream-trading';

interface Place {
  readonly market: string;
  readonly symbol: string;
  readonly mode: 'isolated' | 'cross';
  /** Of a limit order that is filled at once. */
  readonly ask: number;
  readonly bid: number;
  readonly lots: number;
}

const PLACES: readonly Place[] = [
  {
    market: 'margin',
    symbol: 'BTCUSDT',
    mode: 'isolated',
    bid: 4_999_900,
    ask: 5_000_000,
    lots: 10_000,
  },
  {
    market: 'margin',
    symbol: 'BTCUSDT',
    mode: 'cross',
    bid: 4_999_900,
    ask: 5_000_000,
    lots: 10_000,
  },
  {
    market: 'futures',
    symbol: PERP,
    mode: 'isolated',
    bid: 2_999_000,
    ask: 3_000_000,
    lots: 1_000,
  },
  {
    market: 'futures',
    symbol: PERP,
    mode: 'cross',
    bid: 2_999_000,
    ask: 3_000_000,
    lots: 1_000,
  },
];

async function funded({ symbol, mode }: Place): Promise<Scene> {
  const scene = await openScene();
  expect(brief(await scene.set({ symbol, mode, balance: '10000' }))).toMatchObject({
    reason: 'created',
  });
  return scene;
}

describe.each(PLACES)('orders of $symbol on $mode margin', (place) => {
  const { symbol, mode, market, bid, ask, lots: size } = place;
  const order = { symbol, margin: { mode } } as const;
  const row = `${ROW}.${market}`;

  it(
    'rest, are replaced and are canceled in their own market',
    {
      tags: [
        `${ROW}.notif-${market}-order`,
        `${row}-replace-order`,
        `${row}-cancel-order`,
        `${row}-subscribe`,
      ],
    },
    async () => {
      const { account, ear, floor } = await funded(place);
      account.send(placeOf('rest-order', { ...order, ticks: bid - 1_000, lots: size }));
      await until(floor.venue, () => ear.story.includes('new rest-order'));
      expect(ear.of('new')[0]?.order).toMatchObject({ symbol, margin: { mode } });
      const active = await floor.done<readonly object[]>('GET', `/${market}/order`);
      expect(active).toHaveLength(1);
      account.send({
        kind: 'replace',
        clientOrderId: 'rest-order',
        newClientOrderId: 'next-order',
        symbol,
        margin: mode,
        lots: lots(size),
        ticks: ticks(bid - 2_000),
      });
      await until(floor.venue, () => ear.story.includes('replaced next-order'));
      account.send({ kind: 'cancel', clientOrderId: 'next-order', symbol, margin: mode });
      await until(floor.venue, () => ear.story.includes('canceled next-order'));
      expect(await floor.done('GET', `/${market}/order`)).toEqual([]);
    },
  );

  it(
    'open a position, and close it by orders that only reduce',
    { tags: [`${row}-new-order`, `${row}-set-account`] },
    async () => {
      const { account, next, ear, floor } = await funded(place);
      account.send(placeOf('short-order', { ...order, side: 'sell', ticks: bid, lots: size }));
      expect(brief((await next(1))[0])).toMatchObject({ reason: 'openTrade', lots: -size });
      const reduce = { symbol, margin: { mode, reduceOnly: true } } as const;
      account.send(placeOf('more-order', { ...reduce, side: 'sell', ticks: bid, lots: 1 }));
      await until(floor.venue, () => ear.of('rejected').length === 1);
      expect(ear.of('rejected')[0]?.rejection.code).toBe('position-unknown');
      account.send(placeOf('back-order', { ...reduce, ticks: ask, lots: 2 * size }));
      const [ended] = await next(1);
      expect(brief(ended)).toMatchObject({ lots: 0, end: 'closed' });
      expect(ear.of('trade').at(-1)?.order.margin).toEqual({ mode, reduceOnly: true });
    },
  );

  it('close the whole position at a stop price, without a quantity', async () => {
    const { account, next, ear, floor } = await funded(place);
    account.send(placeOf('long-order', { ...order, ticks: ask, lots: size }));
    await next(1);
    account.send({
      ...placeOf('stop-order', {
        symbol,
        side: 'sell',
        lots: 0,
        margin: { mode, closePosition: true },
      }),
      type: 'stopMarket',
      timeInForce: 'FOK',
      ticks: undefined,
      stopTicks: ticks(bid - 1_000),
    });
    await until(floor.venue, () => ear.story.includes('suspended stop-order'));
    expect(ear.of('suspended')[0]?.order).toMatchObject({
      lots: 0,
      margin: { mode, closePosition: true },
    });
    const below = { BTCUSDT: '49980', [PERP]: '2997' }[symbol] ?? '';
    floor.quote(below, { BTCUSDT: '49999', [PERP]: '2999' }[symbol] ?? '', symbol);
    floor.print(below, symbol, '0.001');
    const [ended] = await next(1);
    expect(brief(ended)).toMatchObject({ lots: 0, end: 'closed' });
  });

  it('depend on each other in lists', { tags: [`${row}-new-order-list`] }, async () => {
    const { account, next, ear, floor } = await funded(place);
    const reduce = {
      symbol,
      margin: { mode, reduceOnly: true },
      side: 'sell',
      lots: size,
    } as const;
    const { kind: _, ...entry } = placeOf('entry-order', { ...order, ticks: ask, lots: size });
    const { kind: __, ...profit } = placeOf('gain-order', { ...reduce, ticks: ask + 10_000 });
    const stop: NewOrder = {
      ...profit,
      clientOrderId: 'loss-order',
      ticks: undefined,
      stopTicks: ticks(bid - 10_000),
      type: 'stopMarket',
      timeInForce: 'FOK',
    };
    account.send({
      kind: 'placeList',
      orderListId: 'entry-order',
      contingencyType: 'oneTriggerOneCancelOther',
      orders: [entry, profit, stop],
    });
    expect(brief((await next(1))[0])).toMatchObject({ reason: 'openTrade', lots: size });
    await until(floor.venue, () => ear.story.includes('suspended loss-order'));
    expect(ear.of('suspended')[0]?.order).toMatchObject({
      contingencyType: 'oneTriggerOneCancelOther',
    });
    expect(await floor.done('GET', `/${market}/order`)).toHaveLength(2);
  });
});
