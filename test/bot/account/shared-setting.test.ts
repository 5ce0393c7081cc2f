import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import type { VenueAccount } from '../../../src/gateways/venue-account.ts';
import { micros } from '../../../src/platform/time.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import { place } from '../../../src/strategy/orders.ts';
import { isolated } from '../../../src/strategy/where.ts';
import { runs, seed } from '../../kit/size.ts';
import { SPOT } from '../../exchange/margin/kit.ts';
import { botRig, driven, NO_LIMITS, type BotRig } from '../rig.ts';

const BTC = isolated('BTCUSDT');
const LIMITS = { floor: decimal('499.9'), target: decimal('500'), maxPerDay: decimal('3') };

const quote = (rig: BotRig, bid: number, ask: number): void =>
  rig.market.emit({ at: '00:00:01', bids: [[String(bid), 90]], asks: [[String(ask), 90]] });

/** Lets each report come in a turn of its own, 12 ms after the one before, as a socket or a busy process may. */
function oneByOne(venue: VenueAccount, clock: VirtualScheduler): VenueAccount {
  const open = venue.open.bind(venue);
  let last = clock.now();
  const later = (task: () => void): void => {
    last = micros(Math.max(last, clock.now()) + 12_000);
    clock.at(last, task);
  };
  vi.spyOn(venue, 'open').mockImplementation((listener) =>
    open({
      report: (report) => later(() => listener.report(report)),
      margin: (report) => later(() => listener.margin(report)),
      connectionState: (connectionState, why) => listener.connectionState(connectionState, why),
    }),
  );
  return venue;
}

/** Two strategies with parts of 500 each; what the first one's is replenished by. */
async function run(replenish: typeof LIMITS | false = false): Promise<BotRig> {
  const shared = { mode: 'isolated' as const, symbol: 'BTCUSDT', leverage: decimal('5') };
  const rig = await botRig({
    strategies: [{}, {}],
    balances: { USDT: '2000' },
    venue: oneByOne,
    instrument: new Instrument({ ...SPOT, takeRate: '0.001', makeRate: '0.001' }),
    account: { risk: NO_LIMITS, sharedMargin: [{ ...shared, strategies: ['s0', 's1'] }] },
  });
  quote(rig, 99, 101);
  await rig.pass(200);
  rig.commands[0]?.next(setMargin(BTC, { balance: decimal('500'), replenish }));
  rig.commands[1]?.next(setMargin(BTC, { balance: decimal('500') }));
  await rig.pass(600);
  return rig;
}

const order = (rig: BotRig, strategy: number, side: 'buy' | 'sell', lots: number): void =>
  rig.commands[strategy]?.next(place(BTC, { type: 'market', side, lots }));

/** What is on spot, and in each part. */
function funds({ bot }: BotRig) {
  const lines = bot.balances();
  const of = (strategy: string): string | undefined => {
    const part = lines.find((one) => 'strategy' in one && one.strategy === strategy);
    return part && 'balance' in part ? part.balance : undefined;
  };
  const spot = lines.find(
    (one) => one.accountType === 'spot' && one.currency === 'USDT',
  )?.available;
  return { spot, parts: [of('s0'), of('s1')] };
}

const reported = ({ logs }: BotRig, what: string): readonly string[] =>
  logs.filter((line) => line.includes(what));

/** Sells 5 at 99 and buys 3 at 101: fees of 0.495 and 0.303. */
const TRADES: readonly (readonly [number, 'buy' | 'sell', number])[] = [
  [0, 'sell', 5],
  [1, 'buy', 3],
];

test.each([
  ['its own fill', TRADES],
  ["another's fill", [...TRADES].reverse()],
])(
  'a part is replenished by what it lacks, whatever others do, where %s comes first',
  async (_, trades) => {
    const rig = await run(LIMITS);
    for (const one of trades) order(rig, ...one);
    await rig.pass(600);
    expect(funds(rig)).toEqual({ spot: '999.505', parts: ['500', '499.697'] });
    expect(reported(rig, 'replenished')).toEqual([
      'info The margin account isolated BTCUSDT was replenished by 0.495 USDT to 500; 0.495 of 3 today.',
    ]);
  },
);

test.each([
  ['more', 'before', '510', '990'],
  ['more', 'after', '510', '990'],
  ['less', 'before', '490', '1010'],
  ['less', 'after', '490', '1010'],
])(
  "a part that is set to %s in one turn %s another's order moves what was asked for",
  async (_, when, balance, spot) => {
    const rig = await run();
    const set = (): void => rig.commands[1]?.next(setMargin(BTC, { balance: decimal(balance) }));
    if (when === 'before') set();
    order(rig, 0, 'sell', 5);
    if (when === 'after') set();
    await rig.pass(600);
    expect(funds(rig)).toEqual({ spot, parts: ['499.505', balance] });
  },
);

test.each(['510', '400'])(
  'a part is set to %s from what it has with its fill, whose account is not reported yet',
  async (balance) => {
    const rig = await run();
    let isSet = false;
    rig.contexts[0]?.account.orders().subscribe(({ receivedLots }) => {
      if (receivedLots !== 5 || isSet) return;
      isSet = true;
      rig.commands[0]?.next(setMargin(BTC, { balance: decimal(balance) }));
    });
    order(rig, 0, 'sell', 5);
    await rig.pass(600);
    const spot = decimal('1499.505').minus(balance).toFixed();
    expect(funds(rig)).toEqual({ spot, parts: [balance, '500'] });
    expect(reported(rig, 'were asked for')).toEqual([]);
  },
);

test('what a fill that nobody knew of takes on the way is counted with what was replenished', async () => {
  const rig = await run(LIMITS);
  rig.commands[1]?.next(place(BTC, { type: 'limit', side: 'sell', ticks: 102, lots: 5 }));
  await rig.pass(200);
  const { margin } = rig.venue;
  if (margin === undefined) throw new Error('the venue has no margin');
  const set = margin.set.bind(margin);
  vi.spyOn(margin, 'set').mockImplementationOnce((request) => {
    quote(rig, 103, 104);
    set(request);
  });
  order(rig, 0, 'sell', 5);
  await rig.pass(600);
  // 0.495 were asked for, and 0.51 is the fee of the other's fill at 102.
  expect(funds(rig)).toEqual({ spot: '998.995', parts: ['500.51', '499.49'] });
  expect(reported(rig, 'replenished')).toEqual([
    'info The margin account isolated BTCUSDT was replenished by 1.005 USDT to 500.51; 1.005 of 3 today.',
  ]);
  expect(reported(rig, 'warn ')).toEqual([
    'warn The setting of the part of s0 in the isolated margin account of BTCUSDT moved 1.005 USDT, and 0.495 USDT were asked for: something changed the account while it was on its way (account main).',
  ]);
});

const strategy = fc.nat(1);
const move = fc.oneof(
  fc.record({ strategy, lots: fc.integer({ min: 1, max: 3 }), side: fc.constantFrom('buy' as const, 'sell' as const) }),
  fc.record({ strategy, balance: fc.integer({ min: 440, max: 560 }) }),
); // prettier-ignore

test('whatever both do at once, a setting of a part moves what was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 6 }), async (moves) => {
      const rig = await run();
      for (const one of moves) {
        if ('side' in one) order(rig, one.strategy, one.side, one.lots);
        else
          rig.commands[one.strategy]?.next(
            setMargin(BTC, { balance: decimal(String(one.balance)) }),
          );
      }
      await rig.pass(1_500);
      const warned = reported(rig, 'were asked for');
      await driven(rig.bot.close(), rig.clock);
      expect(warned).toEqual([]);
    }),
    { numRuns: runs(50), seed: seed(21) },
  );
}, 60_000);

test('the log and the last of each part say what the part was set to', async () => {
  const rig = await run();
  const whole = 'in the isolated margin account of BTCUSDT was set to 500 USDT; the account has';
  expect(reported(rig, 'was set to 500')).toEqual([
    `info The part of s0 ${whole} 500 USDT (account main, strategy s0).`,
    `info The part of s1 ${whole} 1000 USDT (account main, strategy s1).`,
  ]);
  const lines = rig.bot.balances().filter((one) => one.accountType !== 'spot');
  expect(lines.map((one) => ('last' in one ? one.last?.text : undefined))).toEqual([
    `The part of s0 ${whole} 500 USDT`,
    `The part of s1 ${whole} 1000 USDT`,
    'The isolated margin account of BTCUSDT was set to 1000 USDT',
  ]);
});
