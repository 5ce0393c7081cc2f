import { DatabaseSync } from 'node:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Amount } from '../../src/model/amount.ts';
import { decimal, ZERO } from '../../src/model/decimal.ts';
import type {
  MarginAccountState,
  MarginReport,
  VenuePosition,
} from '../../src/model/margin-account.ts';
import { Journal } from '../../src/bot/journal/journal.ts';
import { Random } from '../../src/platform/random.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import {
  desk,
  fill,
  folder,
  intent,
  place,
  START,
  reported,
  trade,
  venueOrder,
} from '../bot/journal/kit.ts';
import { instrument, perpetual } from '../exchange/margin/kit.ts';
import { millraceHere } from './command.ts';

const A = 'ema-abcd-0000001';
const B = 'ema-abcd-0000002';
const SINCE = ['--since', '2023-11-14T00:00:00Z'];

/** A journal with a bot at it that has traded, had a request of unknown outcome and replaced an order. */
function traded() {
  const parts = desk();
  const { journal } = parts;
  journal.intend([intent(place(A))]);
  journal.sent([A]);
  journal.received({ kind: 'outcome-unknown', at: START, request: 'place', clientOrderId: A, symbol: 'BTCUSDT' }, START); // prettier-ignore
  const kind = 'order-answered';
  journal.discrepancy({
    at: START,
    kind,
    clientOrderId: A,
    symbol: 'BTCUSDT',
    message: 'It arrived.',
  });
  journal.received(reported('status', venueOrder(A)), START);
  journal.received(trade(fill(A, 77, 4), 4), micros(START + 1_000));
  const replace = {
    kind: 'replace',
    clientOrderId: A,
    newClientOrderId: B,
    symbol: 'BTCUSDT',
  } as const;
  journal.intend([intent({ ...replace, lots: 20 as Lots, ticks: 900 as Ticks })]);
  const order = { originalClientOrderId: A, lots: 20 as Lots, filledLots: 4 as Lots };
  journal.received(reported('replaced', venueOrder(B, order)), START);
  journal.received({ kind: 'balance', at: START, currency: 'USDT', available: Amount.count(5), reserved: Amount.count(1) }, START); // prettier-ignore
  journal.setState('bot', 'halted', 'an operator said so', START);
  return parts;
}

test('a journal is shown while its bot has it: states, holdings, orders, findings', async () => {
  const { path } = traded();
  const { code, out, err } = await millraceHere(['journal', path, ...SINCE]);
  expect([code, err]).toEqual([0, '']);
  const lines = out.split('\n').map((line) => line.trim().split(/ {2,}/));
  expect(lines).toContainEqual([
    'bot',
    'halted',
    '2023-11-14T22:13:20.000Z',
    'an operator said so',
  ]);
  expect(lines).toContainEqual(['ema', 'BTC', '0.00004']);
  expect(lines).toContainEqual(['ema', 'USDT', '-0.0005']);
  const at = '2023-11-14T22:13:20.000Z';
  expect(lines).toContainEqual([
    A,
    'ema',
    'BTCUSDT',
    'buy',
    '0.0001',
    '10',
    '0.00004',
    'canceled',
    at,
  ]);
  expect(lines).toContainEqual([B, 'ema', 'BTCUSDT', 'buy', '0.0002', '10', '0.00004', 'new', at]);
  expect(lines).toContainEqual([at, 'order-answered', 'It arrived.']);
});

test('of many ended orders and discrepancies the latest 50 are shown, and how many are not', async () => {
  const { journal, path } = desk();
  const ids = Array.from({ length: 60 }, (_, i) => `ema-abcd-${String(i + 1).padStart(7, '0')}`);
  for (const [i, id] of ids.entries()) {
    journal.intend([intent(place(id))]);
    journal.sent([id]);
    journal.received(reported('status', venueOrder(id)), START);
    // The first one stays open, so it is shown however old it is.
    if (i > 0)
      journal.received(reported('canceled', venueOrder(id, { status: 'canceled' })), START);
    journal.discrepancy({ at: START, kind: 'order-answered', clientOrderId: id, symbol: 'BTCUSDT', message: `Found ${id}.` }); // prettier-ignore
  }
  // What was heard is written with this.
  journal.setState('bot', 'halted', 'an operator said so', START);
  const { code, out, err } = await millraceHere(['journal', path, ...SINCE]);
  expect([code, err]).toEqual([0, '']);
  const rows = out.split('\n').flatMap((line) => /^ema-abcd-\d+/.exec(line)?.[0] ?? []);
  expect(rows).toEqual([ids[0], ...ids.slice(10)]);
  const found = out.split('\n').flatMap((line) => /Found (.*)\.$/.exec(line.trim())?.[1] ?? []);
  expect(found).toEqual(ids.slice(10));
  expect(out).toContain('(9 earlier ones are left out; --json prints them)');
  expect(out).toContain('(10 earlier ones are left out; --json prints them)');
  const json = await millraceHere(['journal', path, ...SINCE, '--json']);
  expect(json.out.match(/"kind":"order"/g)).toHaveLength(60);
});

test('the events of an order are listed from intent to replacement', async () => {
  const { path } = traded();
  const { code, out } = await millraceHere(['journal', path, '--order', A]);
  expect(code).toBe(0);
  const story = out.split('\n').slice(3).map((line) => line.trim().split(/ {2,}/).slice(1)); // prettier-ignore
  expect(story.filter(({ length }) => length > 0)).toEqual([
    ['intended', 'place: buy 0.0001 BTCUSDT at 10 (limit, GTC)'],
    ['sent', 'handed to the connection'],
    ['received', 'no answer to the place: nobody knows whether it was done'],
    ['found', 'order-answered: It arrived.'],
    ['received', 'status: new, 0 of 0.0001 executed'],
    [
      'received',
      'trade 77: 0.00004 at 10, fee 0.0001 USDT; partiallyFilled, 0.00004 of 0.0001 executed',
    ],
    ['intended', `replace ${A} by ${B}: 0.0002 at 9`],
    ['received', 'replaced: new, 0.00004 of 0.0002 executed'],
  ]);
});

test('programs get JSON lines, amounts as text', async () => {
  const { path } = traded();
  const all = await millraceHere(['journal', path, '--json', ...SINCE]);
  const lines = all.out.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore
  expect(lines.map(({ kind }) => kind)).toEqual(
    ['journal', 'state', 'holding', 'holding', 'order', 'order', 'discrepancy'], // prettier-ignore
  );
  expect(lines[0]).toMatchObject({ account: 'main', lastReceivedAt: START });
  expect(lines[2]).toEqual({
    kind: 'holding',
    strategy: 'ema',
    currency: 'BTC',
    change: '0.00004',
  });
  expect(lines[4]).toMatchObject({
    clientOrderId: A,
    quantity: '0.0001',
    price: '10',
    fills: [77],
  });
  expect(lines[6]).toMatchObject({ discrepancy: 'order-answered', clientOrderId: A });
  const one = await millraceHere(['journal', path, '--json', '--order', A]);
  expect(
    one.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind),
  ).toEqual(
    ['order', ...Array.from({ length: 8 }, () => 'event')], // prettier-ignore
  );
});

test('a list is shown under each of its orders', async () => {
  const { journal, path } = desk();
  const orders = [place(A), place(B, { side: 'sell' })];
  journal.intend([intent({ kind: 'placeList', orderListId: A, contingencyType: 'oneCancelOther', orders })]); // prettier-ignore
  const { out } = await millraceHere(['journal', path, '--order', B]);
  expect(out).toContain(
    `place a list (oneCancelOther): ${A} buy 0.0001 BTCUSDT at 10 (limit, GTC); ${B} sell`,
  );
});

test.each([
  [
    'a file that is not there',
    ['none.sqlite'],
    1,
    '[file-missing] There is no journal none.sqlite',
  ],
  ['a time that is none', ['x.sqlite', '--since', 'soon'], 2, '[usage] --since is "soon"'],
])('%s is reported', async (_, args, code, message) => {
  const ended = await millraceHere(['journal', ...args]);
  expect(ended.code).toBe(code);
  expect(ended.err).toContain(message);
});

test('an order that the journal does not have is reported', async () => {
  const { path } = traded();
  const { code, err } = await millraceHere(['journal', path, '--order', 'nobody']);
  expect([code, err]).toEqual([2, expect.stringContaining('has no order "nobody"')]);
});

test('a check reads the whole file: a sound one, and one with a row of long ago that is damaged', async () => {
  const { path, journal } = traded();
  journal.flush();
  const sound = await millraceHere(['journal', path, '--check']);
  expect([sound.code, sound.err]).toEqual([0, '']);
  expect(sound.out).toMatch(/main\.sqlite is sound: all pages and \d+ rows of it were read\.\n$/);
  const database = new DatabaseSync(path);
  database.exec("UPDATE events SET body = 'null' WHERE sequence = 1");
  database.close();
  const damaged = await millraceHere(['journal', path, '--check']);
  expect([damaged.code, damaged.out]).toEqual([1, '']);
  expect(damaged.err).toContain('[journal-invalid]');
  expect(damaged.err).toContain('the row "1" of the table events does not match its checksum');
});

test('what a start was refused for is confirmed once', async () => {
  const path = join(folder(), 'main.sqlite');
  const options = {
    account: 'main',
    scheduler: new VirtualScheduler(START),
    random: new Random(7),
  };
  Journal.open(path, options).close();
  const none = await millraceHere(['journal', path, '--accept']);
  expect([none.code, none.out]).toEqual([
    0,
    `Nothing of the journal ${path} waits to be confirmed.\n`,
  ]);
  rmSync(path);
  expect(() => Journal.open(path, options)).toThrow('journal');
  const { code, out, err } = await millraceHere(['journal', path, '--accept']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /is gone or empty.*\nConfirmed: the next start of its bot goes on with it\.\n$/,
  );
  Journal.open(path, options).close();
});

test('margin accounts are shown as last reported, those too that no strategy opened', async () => {
  const { journal, path } = desk();
  journal.learn([instrument(), perpetual()]);
  const request = { kind: 'setMargin', mode: 'cross', symbol: 'BTCUSDT_PERP' } as const;
  journal.intendMargin('ema', { ...request, balance: decimal('500') });
  const none = { reservedOrders: ZERO, reservedPositions: ZERO, isOpen: true };
  const position: VenuePosition = {
    id: 7,
    symbol: 'BTCUSDT_PERP',
    lots: -3,
    entryPrice: decimal('100'),
    entryValue: decimal('300'),
    realizedPnl: ZERO,
    fees: decimal('0.3'),
    carry: ZERO,
    liquidationPrice: decimal('120'),
    createdAt: START,
    updatedAt: START,
  };
  const report = (account: MarginAccountState): MarginReport => ({
    kind: 'marginAccount',
    at: START,
    reason: 'openTrade',
    account,
  });
  const futures: MarginAccountState = {
    ...none,
    mode: 'cross',
    isContract: true,
    currency: 'USDT',
    balance: decimal('499.7'),
    leverage: decimal('5'),
    positions: [position],
  };
  const foreign: MarginAccountState = {
    ...none,
    mode: 'isolated',
    isContract: false,
    symbol: 'BTCUSDT',
    currency: 'USDT',
    balance: decimal('10'),
    positions: [],
  };
  for (const account of [futures, foreign]) journal.receivedMargin(report(account), START);
  journal.setState('bot', 'halted', 'an operator said so', START);
  const { code, out, err } = await millraceHere(['journal', path, ...SINCE]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^cross futures +USDT +ema +open +499\.7 USDT +5 +short 3 BTCUSDT_PERP at 100, liquidation 120 +2023-11-14T22:13:20\.000Z$/m,
  );
  expect(out).toMatch(/^isolated +BTCUSDT +\(foreign\) +open +10 USDT +- /m);
  const json = await millraceHere(['journal', path, ...SINCE, '--json']);
  const lines = json.out.trim().split('\n').map((line) => JSON.parse(line) as { kind: string }); // prettier-ignore
  expect(lines.filter(({ kind }) => kind === 'marginAccount')).toMatchObject([
    {
      strategy: 'ema',
      mode: 'cross',
      market: 'futures',
      balance: '499.7',
      leverage: '5',
      positions: [{ symbol: 'BTCUSDT_PERP', quantity: '-3', liquidationPrice: '120' }],
    },
    { mode: 'isolated', market: 'spot', symbol: 'BTCUSDT', balance: '10', positions: [] },
  ]);
});
