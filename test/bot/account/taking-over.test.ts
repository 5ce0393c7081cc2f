import { expect, onTestFinished, test } from 'vitest';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { AccountListener, VenueAccount } from '../../../src/gateways/venue-account.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { setMargin } from '../../../src/strategy/margin.ts';
import type { MarginEvent } from '../../../src/strategy/positions.ts';
import { botRig, driven, NO_LIMITS } from '../rig.ts';
import { account, BTC, opened, report } from './hands.ts';

const maxDailyLoss = new Map([['USDT', decimal('20')]]);

test('who takes a margin account of nobody over says what balance it is to have', async () => {
  const { bot, clock, commands, contexts, pass, manualActions } = await opened();
  const events: MarginEvent[] = [];
  contexts[0]?.account.marginEvents().subscribe((event) => events.push(event));
  manualActions.listener?.margin(report('updated', account('400')));
  await pass(10);
  commands[0]?.next(setMargin(BTC, { leverage: 3 }));
  await pass(10);
  expect(manualActions.left).toEqual([]);
  expect(events).toMatchObject([
    { kind: 'rejected', rejection: { code: 'margin-balance-invalid', field: 'balance' } },
  ]);
  commands[0]?.next(setMargin(BTC, { balance: decimal('400'), leverage: 3 }));
  await pass(10);
  expect(manualActions.left).toMatchObject([{ kind: 'setMargin', balance: decimal('400') }]);
  await driven(bot.close(), clock);
});

test('funds that somebody moves of a margin account of nobody are neither profit nor loss', async () => {
  const { bot, clock, pass, manualActions } = await opened({
    account: { risk: { ...NO_LIMITS, maxDailyLoss } },
  });
  manualActions.listener?.margin(report('updated', account('400')));
  await pass(3_000);
  manualActions.listener?.margin(report('marginChanged', account('100'), { byOthers: true }));
  await pass(3_000);
  expect(bot.status().accounts[0]?.state).toBe('running');
  await driven(bot.close(), clock);
});

/** A bot that lost 50 while nothing was heard of its account, and is heard of again; its venue tells no truth till `tell`. */
async function reconnected() {
  let listener: AccountListener | undefined;
  let silence = Promise.resolve();
  let emit = (): void => undefined;
  const rig = await botRig({
    balances: { USDT: '1000', BTC: '1' },
    strategies: [{ risk: { ...NO_LIMITS, maxDailyLoss } }],
    venue: (paper: PaperAccount): VenueAccount =>
      new Proxy<VenueAccount>(paper, {
        get: (of, name) => {
          if (name === 'open') {
            return (given: AccountListener) => {
              listener = given;
              return paper.open(given);
            };
          }
          if (name === 'snapshot') {
            return async (...asked: Parameters<VenueAccount['snapshot']>) => {
              await silence;
              return await paper.snapshot(asked[0]);
            };
          }
          const value: unknown = Reflect.get(of, name, of);
          return typeof value === 'function' ? (value.bind(of) as unknown) : value;
        },
      }),
  });
  const price = (at: string): void =>
    rig.market.emit({ at: '00:00:01', bids: [[at, 5]], asks: [[at, 5]] }, { at: '00:00:01', trade: at }); // prettier-ignore
  price('100');
  await rig.pass(3_000);
  const kept = Promise.withResolvers<void>();
  silence = kept.promise;
  emit = kept.resolve;
  // A bot does not end while its venue is asked.
  onTestFinished(() => emit());
  listener?.connectionState('lost', 'the cable');
  await rig.pass(100);
  price('50');
  listener?.connectionState('live');
  return { ...rig, emit, state: () => rig.bot.status().strategies[0]?.state };
}

test('no loss is marked behind a reconnect until journal and venue are compared', async () => {
  const { bot, clock, pass, emit, state } = await reconnected();
  await pass(20_000);
  expect(state()).toBe('running');
  emit();
  await pass(3_000);
  expect(state()).toBe('halted');
  await driven(bot.close(), clock);
});

test('a venue without a snapshot delays the loss limit by 30 seconds at most', async () => {
  const { bot, clock, pass, emit, state } = await reconnected();
  await pass(29_000);
  expect(state()).toBe('running');
  await pass(5_000);
  expect(state()).toBe('halted');
  emit();
  await driven(bot.close(), clock);
});
