import { expect, test } from 'vitest';
import { MarketHub } from '../../../src/bot/account/market-hub.ts';
import { Journal } from '../../../src/bot/journal/journal.ts';
import { connectPaper } from '../../../src/bot/connection/paper.ts';
import type { AccountListener } from '../../../src/gateways/venue-account.ts';
import { decimal } from '../../../src/model/decimal.ts';
import {
  eventColumns,
  LAST,
  LEVEL,
  RESET,
  SELL,
  type EventColumns,
} from '../../../src/model/events.ts';
import type { Report } from '../../../src/model/report.ts';
import { lots } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { temporaryFolder, writeRecording } from '../../kit/recordings.ts';
import { limitsOf } from '../../risk/view.ts';

const AT = Date.UTC(2026, 0, 5) * 1_000;
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** A message of levels; it begins with RESET where it is a snapshot. */
function message(
  levels: readonly (readonly [flags: number, ticks: number, lots: number])[],
  isSnapshot = false,
): EventColumns {
  const columns = eventColumns(levels.length + 1);
  const rows = levels.map(([flags, ticks, size]) => [LEVEL, flags, ticks, size] as const);
  const all = isSnapshot ? [[RESET, 0, 0, 0] as const, ...rows] : rows;
  for (const [row, [kind, flags, price, size]] of all.entries()) {
    columns.kind[row] = kind;
    columns.flags[row] = row === all.length - 1 ? flags | LAST : flags;
    columns.price[row] = price;
    columns.size[row] = size;
    columns.receivedAt[row] = AT;
  }
  columns.length = all.length;
  return columns;
}

test('the exchange of a paper account fills orders by the one book that the hub takes rows into', async () => {
  const folder = temporaryFolder();
  const path = writeRecording(`${folder}/BTCUSDT.arrow`, [[AT, AT, RESET, LAST, 0, 0, 0, 0, 0, 0]]);
  const scheduler = new VirtualScheduler(micros(AT));
  const random = new Random(1);
  const journal = Journal.open(`${folder}/paper.sqlite`, {
    account: 'paper',
    scheduler,
    random,
    holder: 'bot',
    failed: () => undefined,
  });
  const { paper, states, row, market, venue } = await connectPaper(
    {
      name: 'paper',
      service: { version: 3, url: 'http://127.0.0.1:1' } as never,
      market: { kind: 'recordings', paths: [path], speed: 1 },
      paper: { balances: new Map([['USDT', decimal('1000000')]]), orderUs: 0, reportUs: 0 },
      risk: limitsOf({}),
    },
    journal,
    { scheduler, random, log: SILENT },
  );
  const reports: Report[] = [];
  const listener = {
    report: (report: Report) => reports.push(report),
    connectionState: () => undefined,
  } as unknown as AccountListener;
  await venue.open(listener);
  const hub = new MarketHub(venue.instruments, {
    scheduler,
    market,
    states,
    row,
    needs: () => ({ trades: true, book: 'full', candles: false }),
    unsubscribed: () => undefined,
    feedDelay: () => undefined,
    connectionState: () => undefined,
  });
  hub.release();
  expect(hub.states.get('BTCUSDT')).toBe(states?.[0]);
  hub.rows(
    0,
    message(
      [
        [0, 99, 4],
        [SELL, 101, 5],
        [SELL, 102, 6],
      ],
      true,
    ),
  );
  hub.rows(
    0,
    message([
      [SELL, 101, 0],
      [SELL, 102, 7],
      [SELL, 103, 8],
    ]),
  );
  const asks = hub.states.get('BTCUSDT')?.depth.asks;
  expect([asks?.ticksAt(0), asks?.lotsAt(0), asks?.ticksAt(1)]).toEqual([102, 7, 103]);
  const instrument = venue.instruments[0];
  const offered = paper
    ?.levels('BTCUSDT', 'buy', 9)
    .map(([price, size]) => [
      price.div(instrument.tickSize).toNumber(),
      size.div(instrument.quantityIncrement).toNumber(),
    ]);
  expect(offered).toEqual([
    [102, 7],
    [103, 8],
  ]);
  venue.send({
    kind: 'place',
    clientOrderId: 'client-1',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'market',
    timeInForce: 'IOC',
    lots: lots(9),
    postOnly: false,
  });
  scheduler.advanceTo(micros(AT + 1));
  const fills = reports.flatMap((report) => (report.kind === 'trade' ? [report.fill] : []));
  expect(fills.map(({ ticks, lots: size }) => [ticks, size])).toEqual([
    [102, 7],
    [103, 2],
  ]);
  journal.close();
});
