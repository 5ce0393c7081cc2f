import { describe, expect, test } from 'vitest';
import type { MarginPositionLine } from '../../../src/bot/api/bot-api.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { oco } from '../../../src/strategy/lists.ts';
import { place } from '../../../src/strategy/orders.ts';
import { cross, isolated, type MarginSymbol } from '../../../src/strategy/where.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, driven, type TestStrategy } from '../rig.ts';
import { MarginVenue } from './margin-venue.ts';

const BOTH = ['BTCUSDT', 'BTCUSDT_PERP'];
const BTC = isolated('BTCUSDT');
const PERP = cross('BTCUSDT_PERP');

const nothing = (): void => undefined;

async function opened(strategies: readonly TestStrategy[] = [{ symbols: BOTH }]) {
  let venue: MarginVenue | undefined;
  const rig = await botRig({
    instrument: new Instrument(SPOT),
    strategies,
    venue: (paper, clock) => {
      // The market is played to it all the same.
      void paper.open({ report: nothing, margin: nothing, connectionState: nothing });
      return (venue = new MarginVenue(clock));
    },
  });
  if (venue === undefined) throw new Error('the venue was not opened');
  for (const symbol of BOTH) venue.marks.set(symbol, decimal('110'));
  rig.market.emit({ at: '00:00:01', bids: [['99', 9]], asks: [['101', 9]] });
  await rig.pass(10);
  return { ...rig, venue };
}

type Rig = Awaited<ReturnType<typeof opened>>;

/** Lets a strategy have a margin account, with a position. */
async function held(
  { commands, pass, venue }: Rig,
  where: MarginSymbol,
  lots: number,
  strategy = 0,
): Promise<void> {
  commands[strategy]?.next(setMargin(where, { balance: decimal('500'), leverage: 5 }));
  await pass(20);
  venue.have(where.symbol, where.margin, {}, lots);
  await pass(20);
}

const onMargin = ({ bot }: Rig): readonly MarginPositionLine[] =>
  bot.positions().filter((line) => line.accountType !== 'spot');

const placed = ({ sent }: MarginVenue): readonly Extract<OrderRequest, { kind: 'place' }>[] =>
  sent.filter((request) => request.kind === 'place');

describe('flattening on margin', () => {
  test.each<readonly [string, MarginSymbol, number]>([
    ['a long on isolated margin', BTC, 3],
    ['a short on isolated margin', BTC, -3],
    ['a long on cross margin', cross('BTCUSDT'), 2],
    ['a short on cross margin', cross('BTCUSDT'), -2],
    ['a long of futures', PERP, 4],
    ['a short of futures', PERP, -4],
    ['a short of futures on isolated margin', isolated('BTCUSDT_PERP'), -1],
  ])('closes %s by one order that only reduces', async (_, where, lots) => {
    const rig = await opened();
    await held(rig, where, lots);
    await driven(rig.bot.operate('flatten'), rig.clock);
    expect(placed(rig.venue)).toMatchObject([
      {
        symbol: where.symbol,
        type: 'market',
        timeInForce: 'IOC',
        lots: Math.abs(lots),
        side: lots > 0 ? 'sell' : 'buy',
        margin: { mode: where.margin, reduceOnly: true },
      },
    ]);
    expect(onMargin(rig)).toEqual([]);
    expect(rig.bot.status().state).toBe('halted');
  });

  test('closes positions of both sides at once, after all orders were canceled, exits too', async () => {
    const rig = await opened();
    await held(rig, BTC, 3);
    await held(rig, PERP, -2);
    const exit = { type: 'stopMarket', stopTicks: 90, lots: 3, reduceOnly: true } as const;
    rig.commands[0]?.next(place(BTC, { ...exit, side: 'sell' }));
    await rig.pass(20);
    expect(rig.bot.orders()).toMatchObject([
      { symbol: 'BTCUSDT', margin: 'isolated', reduceOnly: true, stopPrice: '90' },
    ]);
    await driven(rig.bot.operate('flatten'), rig.clock);
    const kinds = rig.venue.sent.slice(1).map(({ kind }) => kind);
    expect(kinds).toEqual(['cancel', 'place', 'place']);
    expect(onMargin(rig)).toEqual([]);
  });

  test('sends the rest again where the market took a part of it', async () => {
    const rig = await opened();
    await held(rig, BTC, -5);
    rig.venue.answers.push({ fills: 2 });
    await driven(rig.bot.operate('flatten'), rig.clock);
    expect(placed(rig.venue).map(({ lots, side }) => `${side} ${lots}`)).toEqual([
      'buy 5',
      'buy 3',
    ]);
    expect(rig.venue.lots('BTCUSDT', 'isolated')).toBe(0);
  });

  test('opens nothing where a closing whose outcome is not known is sent again', async () => {
    const rig = await opened();
    await held(rig, BTC, 4);
    rig.venue.answers.push('late');
    await driven(rig.bot.operate('flatten'), rig.clock);
    // The first comes to the venue after the second has closed the position.
    await rig.pass(5_000);
    expect(placed(rig.venue)).toHaveLength(2);
    expect(placed(rig.venue).every(({ margin }) => margin?.reduceOnly === true)).toBe(true);
    expect(rig.venue.lots('BTCUSDT', 'isolated')).toBe(0);
    expect(onMargin(rig)).toEqual([]);
  });

  test('says what is left, and that nothing protects it', async () => {
    const rig = await opened();
    await held(rig, BTC, -2);
    const rejection = { code: 'symbol-suspended', message: 'BTCUSDT is suspended.' } as const;
    rig.venue.answers.push(...Array.from({ length: 20 }, () => ({ rejection })));
    await expect(driven(rig.bot.operate('flatten'), rig.clock)).rejects.toThrow(
      'what is held was not all sold and closed: BTCUSDT is short 2 on isolated margin (BTCUSDT is suspended.). The exits that protected positions are canceled too',
    );
    // It is tried again, and not without end.
    expect(placed(rig.venue).length).toBeGreaterThan(2);
    expect(placed(rig.venue).length).toBeLessThan(10);
    expect(rig.bot.status().state).toBe('halted');
  });

  test('of one strategy leaves the positions of others', async () => {
    const rig = await opened([{ symbols: BOTH }, { symbols: BOTH }]);
    await held(rig, BTC, 3);
    await held(rig, PERP, -2, 1);
    await driven(rig.bot.operate('flatten', 's1'), rig.clock);
    expect(onMargin(rig)).toMatchObject([{ strategy: 's0', symbol: 'BTCUSDT', quantity: '3' }]);
  });

  test('leaves what no strategy opened, and says so', async () => {
    const rig = await opened();
    rig.venue.have('BTCUSDT', 'cross', { balance: decimal('100') }, -2);
    await rig.pass(20);
    await driven(rig.bot.operate('flatten'), rig.clock);
    expect(placed(rig.venue)).toEqual([]);
    expect(onMargin(rig)).toMatchObject([{ strategy: '', foreign: true, quantity: '-2' }]);
    expect(rig.logs).toContain(
      'warn Flattening left -2 BTCUSDT on cross margin of account main: no strategy of the bot opened it. Close it at the venue.',
    );
  });

  test('closes a position once, however many requests come at the same time', async () => {
    const rig = await opened();
    await held(rig, BTC, 3);
    const { bot } = rig;
    await driven(Promise.all([bot.operate('flatten', 's0'), bot.operate('flatten')]), rig.clock);
    expect(placed(rig.venue)).toHaveLength(1);
  });
});

describe('reducing on margin', () => {
  const limit = (side: 'buy' | 'sell', lots: number, reduceOnly?: true) => ({
    ...({ side, type: 'limit', lots } as const),
    ticks: side === 'buy' ? 90 : 120,
    ...(reduceOnly === undefined ? {} : { reduceOnly }),
  });

  test.each<readonly [string, number, Parameters<typeof limit>[], readonly string[]]>([
    [
      'opens',
      0,
      [
        ['sell', 1],
        ['buy', 1],
      ],
      [],
    ],
    [
      'makes a short larger',
      -2,
      [
        ['sell', 1],
        ['buy', 2],
      ],
      ['buy 2'],
    ],
    [
      'makes a long larger',
      2,
      [
        ['buy', 1],
        ['sell', 2],
      ],
      ['sell 2'],
    ],
    [
      'turns it around with all others',
      -2,
      [
        ['buy', 1],
        ['buy', 2],
      ],
      ['buy 1'],
    ],
    [
      'turns it around with an exit',
      3,
      [
        ['sell', 2],
        ['sell', 3, true],
      ],
      ['sell 3'],
    ],
    ['only reduces beside nothing else', -3, [['buy', 3, true]], ['buy 3']],
  ])('cancels an order that %s', async (_, lots, orders, left) => {
    const rig = await opened();
    await held(rig, BTC, lots);
    for (const order of orders) rig.commands[0]?.next(place(BTC, limit(...order)));
    await rig.pass(20);
    expect(rig.bot.orders()).toHaveLength(orders.length);
    await driven(rig.bot.operate('reduce'), rig.clock);
    await rig.pass(20);
    expect(rig.bot.orders().map(({ side, quantity }) => `${side} ${quantity}`)).toEqual(left);
  });

  test('cancels an order whose position was closed otherwise, as it would open one now', async () => {
    const rig = await opened();
    await held(rig, BTC, 2);
    rig.commands[0]?.next(place(BTC, limit('sell', 2)));
    await rig.pass(20);
    await driven(rig.bot.operate('reduce'), rig.clock);
    await rig.pass(1_500);
    expect(rig.bot.orders()).toHaveLength(1);
    await held(rig, BTC, 0);
    await rig.pass(1_500);
    expect(rig.bot.orders()).toEqual([]);
  });

  test('keeps both exits of a list, of which one can fill alone', async () => {
    const rig = await opened();
    await held(rig, BTC, 2);
    rig.commands[0]?.next(
      oco(BTC, [
        { side: 'sell', type: 'limit', ticks: 120, lots: 2 },
        { side: 'sell', type: 'stopMarket', stopTicks: 80, lots: 2 },
      ]),
    );
    await rig.pass(20);
    await driven(rig.bot.operate('reduce'), rig.clock);
    await rig.pass(1_500);
    expect(rig.bot.orders()).toHaveLength(2);
  });
});

describe('what is shown of margin', () => {
  test('is each position with its price of liquidation, and its account', async () => {
    const rig = await opened();
    await held(rig, BTC, -3);
    expect(onMargin(rig)).toEqual([
      {
        account: 'main',
        strategy: 's0',
        symbol: 'BTCUSDT',
        accountType: 'isolated',
        side: 'short',
        quantity: '-3',
        currency: 'USDT',
        entry: '100',
        mark: '110',
        value: '330',
        unrealizedPnl: '-30',
        realizedPnl: '2',
        fees: '0.5',
        carry: '-0.25',
        leverage: '5',
        marginCallPrice: '115',
        liquidationPrice: '120',
        distance: 10 / 110,
      },
    ]);
    const line = rig.bot.status().accounts[0]?.margin[0];
    // The entry value over the leverage and the open loss, each with the fee to close.
    expect(line).toEqual({
      account: 'main',
      strategy: 's0',
      accountType: 'isolated',
      market: 'spot',
      symbol: 'BTCUSDT',
      currency: 'USDT',
      state: 'normal',
      balance: '500',
      reserved: '90.39',
      available: '409.61',
      equity: '470',
      leverage: '5',
      effectiveLeverage: '0.7021',
      positions: 1,
      last: {
        kind: 'leverageChanged',
        at: expect.any(Number) as number,
        text: 'The leverage of the isolated margin account of BTCUSDT was set to 5',
      },
    });
    expect(rig.bot.balances()).toContainEqual(line);
  });

  test.each<readonly [MarginMode, boolean | undefined, string]>([
    ['isolated', true, '110'],
    ['isolated', undefined, '115'],
  ])(
    'is a margin call, by a report or by the mark price (%s, %s)',
    async (mode, isCalled, mark) => {
      const rig = await opened();
      await held(rig, BTC, -3);
      rig.venue.marks.set('BTCUSDT', decimal(mark));
      rig.venue.have('BTCUSDT', mode, { isCalled });
      await rig.pass(20);
      expect(rig.bot.status().accounts[0]?.margin).toMatchObject([{ state: 'marginCall' }]);
    },
  );

  test('is nothing that follows from a mark price while that is unknown', async () => {
    const rig = await opened();
    rig.venue.marks.set('BTCUSDT', undefined);
    await held(rig, BTC, 2);
    const [line] = onMargin(rig);
    expect(line).toMatchObject({ quantity: '2', entry: '100' });
    for (const member of ['mark', 'value', 'unrealizedPnl', 'distance'] as const) {
      expect(line?.[member]).toBeUndefined();
    }
    expect(rig.bot.status().accounts[0]?.margin[0]?.equity).toBeUndefined();
  });

  test('is no spot line of a contract, which is never held on spot', async () => {
    const rig = await opened();
    const spot = rig.bot.positions().filter((line) => line.accountType === 'spot');
    expect(spot.map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
  });
});
