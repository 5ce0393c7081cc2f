import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { Bot } from '../../../src/bot/bot.ts';
import { connect } from '../../../src/bot/connection/connect.ts';
import type { AccountSettings, PaperSettings } from '../../../src/bot/settings/settings.ts';
import { amount, defineStrategy, isolated, place, setMargin, z, type Command, type MarginEvent } from '../../../src/index.ts'; // prettier-ignore
import { decimal } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { openHarness, type Body, type MarginHarness } from '../../server/margin/harness.ts';
import { onMargin } from '../../exchange/margin/kit.ts';
import { settled, until } from '../../gateways/trading/market/kit.ts';
import { emptyMeter } from '../meter.ts';
import { folder, NO_LIMITS } from '../rig.ts';

const PERP = 'ETHUSDT_PERP';
const BEFORE_FUNDING = '2026-01-05T15:59:50Z';

interface OnPaper {
  readonly bot: Bot;
  readonly floor: MarginHarness;
  readonly commands: Subject<Command>;
  readonly events: MarginEvent[];
  /** Mark prices as they came over the socket. */
  readonly marks: readonly { readonly at: number; readonly price: string }[];
  readonly logs: readonly string[];
}

/** A paper bot on a venue whose perpetual has a price and an index, over the sockets and calls of the venue. */
async function onPaper(
  key: string | undefined,
  paper: Partial<PaperSettings> = {},
): Promise<OnPaper> {
  const floor = await openHarness();
  const { venue } = floor;
  const { scheduler } = venue;
  scheduler.advanceTo(micros(Date.parse(BEFORE_FUNDING) * 1_000));
  floor.quote('2999', '3000', PERP);
  floor.index('2999.4', PERP);
  const service = { url: venue.base, version: 3 } as const;
  const account: AccountSettings = {
    name: 'main',
    service:
      key === undefined ? service : { ...service, credentials: { key, secret: `${key}-secret` } },
    market: { kind: 'service' },
    paper: { balances: new Map([['USDT', decimal('5000')]]), orderUs: 0, reportUs: 0, ...paper },
    risk: NO_LIMITS,
  };
  const commands = new Subject<Command>();
  const events: MarginEvent[] = [];
  const marks: { readonly at: number; readonly price: string }[] = [];
  const logs: string[] = [];
  const strategy = defineStrategy({
    name: 'puppet',
    summary: 'Does what a test says.',
    parameters: z.object({}),
    run: (given) => {
      given.account.marginEvents(isolated(PERP)).subscribe((event) => events.push(event));
      given.market.mark(PERP).subscribe(({ price }) => {
        marks.push({ at: given.clock.now(), price: price.toFixed() });
      });
      return commands;
    },
  });
  const log = (level: string) => (message: string) => void logs.push(`${level} ${message}`);
  const means = {
    scheduler,
    random: new Random(4),
    log: { debug: log('debug'), info: log('info'), warn: log('warn') },
  };
  const opening = Bot.open(
    {
      name: 'paper',
      mode: 'paper',
      data: folder(),
      accounts: [account],
      strategies: [
        {
          name: 'one',
          strategy,
          parameters: {},
          account: 'main',
          symbols: [PERP],
          warmUpUs: 0,
          onFailure: 'cancel',
          risk: NO_LIMITS,
        },
      ],
      reconciliation: { everyUs: 60_000_000, foreignOrders: 'report', lostAfterUs: 5_000_000 },
      shutdown: { orders: 'cancel', withinUs: 5_000_000 },
    },
    {
      ...means,
      meter: emptyMeter(),
      connect: (one, { mode }, journal) => connect(one, mode, journal, means),
    },
  );
  const bot = await settled(venue, opening);
  onTestFinished(() => settled(venue, bot.close()));
  return { bot, floor, commands, events, marks, logs };
}

const position = ({ bot }: OnPaper) =>
  bot.positions().flatMap((line) => (line.accountType === 'isolated' ? [line] : []))[0];

/** Waits until something holds, while the clock of venue and bot goes on. */
const reach = ({ floor, bot, events, logs }: OnPaper, holds: () => boolean): Promise<void> =>
  until(floor.venue, holds, () => [events, logs, bot.positions()]);

test('a paper bot trades a contract of the venue by its key, on its fees and its leverage, at its mark price and with its funding', async () => {
  const on = await onPaper('demo');
  const { floor, commands, events, marks, logs } = on;
  const { venue } = floor;
  // Of no leverage of 10, which is assumed where nobody tells the terms.
  commands.next(setMargin(isolated(PERP), { balance: amount('1000'), leverage: 60 }));
  await reach(on, () => events.some(({ kind }) => kind === 'leverageChanged'));
  commands.next(place(isolated(PERP), { type: 'market', side: 'buy', lots: 2_000 }));
  await reach(on, () => position(on) !== undefined);
  expect(position(on)).toMatchObject({
    side: 'long',
    quantity: '2',
    entry: '3000',
    leverage: '60',
    // What the venue charges takers of it.
    fees: decimal('6000').times('0.0007').toFixed(),
  });
  await reach(on, () => events.some(({ kind }) => kind === 'funding'));
  const history = `/public/futures/history/funding/${PERP}`;
  const [reported] = await settled(venue, floor.done<readonly Body[]>('GET', `${history}?limit=1`));
  const paid = events.find((event) => event.kind === 'funding');
  if (paid?.kind !== 'funding') throw new Error('no funding was paid');
  expect(new Date(paid.at / 1_000).toISOString()).toBe('2026-01-05T16:00:00.000Z');
  expect(reported).toMatchObject({
    timestamp: '2026-01-05T16:00:00Z',
    funding_rate: paid.rate?.toFixed(),
  });
  expect(paid.price?.toFixed()).toBe(marks.findLast(({ at }) => at <= paid.at)?.price);
  expect(paid.amount.toFixed()).toBe(
    paid.price
      ?.times(paid.rate ?? 0)
      .times(-2)
      .toFixed(),
  );
  expect(paid.amount.isNegative()).toBe(true);
  expect(position(on)?.mark).toBe(marks.at(-1)?.price);
  // The venue itself heard of nothing.
  expect(venue.trading.exchange.margin.accounts(floor.account)).toEqual([]);
  expect(logs).toContain('info Fees and margin terms are those of the key at the service (main)');
});

test('a paper bot without a key trades on the terms of its configuration, and says so', async () => {
  const on = await onPaper(undefined, {
    margin: { [PERP]: onMargin({ maxInitialLeverage: '40', liquidationLeverageMul: '3' }) },
  });
  const { commands, logs } = on;
  commands.next(setMargin(isolated(PERP), { balance: amount('1000'), leverage: 60 }));
  await reach(on, () =>
    logs.some((line) => line.includes('leverage is 60 and must be from 1 to 40,')),
  );
  commands.next(setMargin(isolated(PERP), { balance: amount('1000'), leverage: 40 }));
  await reach(on, () => on.events.some(({ kind }) => kind === 'leverageChanged'));
  expect(logs.filter((line) => line.includes('only with a key'))).toEqual([
    expect.stringContaining(
      `contracts on assumed terms, but for ${PERP}, whose margin terms paper.margin gives.`,
    ),
  ]);
});

test('terms of the configuration count before those of the key', async () => {
  const on = await onPaper('demo', { margin: { [PERP]: onMargin({ maxInitialLeverage: '5' }) } });
  const { commands, logs } = on;
  commands.next(setMargin(isolated(PERP), { balance: amount('1000'), leverage: 6 }));
  await reach(on, () =>
    logs.some((line) => line.includes('leverage is 6 and must be from 1 to 5,')),
  );
  expect(logs).toContain(
    `info Fees and margin terms are those of the key at the service, but for ${PERP}, whose margin terms paper.margin gives (main)`,
  );
});

test('a paper bot with a key that the service does not know does not start', async () => {
  await expect(onPaper('nobody')).rejects.toMatchObject({
    code: 'service-refused',
    message: expect.stringMatching(/key of the account main: .* leave key and secret out/),
  });
});
