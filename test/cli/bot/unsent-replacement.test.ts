import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../../src/bot/journal/confirmation.ts';
import { showJournal } from '../../../src/cli/actions/journal.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { place, replace } from '../../../src/strategy/orders.ts';
import { botRig, driven, folder } from '../../bot/rig.ts';

const JOURNAL = 'main.paper.sqlite';

/** What `millrace journal` prints of a journal. */
async function printed(data: string, flags: { readonly json?: true } = {}): Promise<string> {
  let text = '';
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  const terminal = { out, err: out, env: {} } as unknown as Terminal;
  await showJournal(join(data, JOURNAL), { since: '2020-01-01T00:00:00Z', ...flags }, terminal);
  return text;
}

/** Id, quantity executed and status of each order that `millrace journal` lists. */
async function listed(data: string): Promise<readonly (readonly string[])[]> {
  const lines = (await printed(data)).split('\n').filter((line) => line.startsWith('s0-'));
  return lines.map((line) => {
    const [id = '', , , , , , executed = '', status = ''] = line.split(/\s+/);
    return [id.slice(-1), executed, status];
  });
}

const executedInJson = async (data: string): Promise<readonly (readonly string[])[]> =>
  (await printed(data, { json: true }))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ kind }) => kind === 'order')
    .map(({ clientOrderId = '', executed = '', status = '' }) => [
      clientOrderId.slice(-1),
      executed,
      status,
    ])
    .toSorted();

test('a replacement of a partly filled order that was intended and never sent has executed nothing, and has replaced nothing', async () => {
  const data = folder();
  const killed = folder();
  const first = await botRig({
    data,
    balances: { USDT: '1000' },
    // Whatever a kill leaves between the intent and the sending is on the disk now.
    venue: (paper) => ({
      instruments: paper.instruments,
      open: (listener) => paper.open(listener),
      send: (request) => {
        if (request.kind === 'replace') cpSync(data, killed, { recursive: true });
        else paper.send(request);
      },
      snapshot: (since) => paper.snapshot(since),
      clockSkewUs: () => paper.clockSkewUs(),
      close: () => paper.close(),
    }),
  });
  first.market.emit({ at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] });
  first.commands[0]?.next(place('BTCUSDT', { type: 'limit', side: 'buy', lots: 10, ticks: 9_990 }));
  await first.pass(10);
  first.market.emit({ at: '00:00:01', trade: '99.90', size: 0.004, aggressor: 'sell' });
  await first.pass(100);
  const id = first.bot.orders()[0]?.clientOrderId ?? '';
  first.commands[0]?.next(replace(id, { lots: 10, ticks: 9_980 }));
  await first.pass(100);
  const open = first.bot.orders().map(({ executed, status }) => [executed, status]);
  expect(open).toEqual([
    ['0.004', 'partiallyFilled'],
    ['0', 'pending'],
  ]);
  await driven(first.bot.close(), first.clock);
  const left = [
    ['1', '0.004', 'partiallyFilled'],
    ['2', '0', 'pending'],
  ];
  expect(await listed(killed)).toEqual(left);
  expect(await executedInJson(killed)).toEqual(left);

  renameSync(data, `${data}-gone`);
  cpSync(killed, data, { recursive: true });
  // It is a copy, which the start is refused for until it is confirmed.
  await expect(botRig({ data, clock: first.clock })).rejects.toMatchObject({
    code: 'journal-unconfirmed',
  });
  confirm(join(data, JOURNAL), 1, first.clock.now());
  const second = await botRig({ data, clock: first.clock });
  await second.pass(100);
  expect(second.bot.orders()).toMatchObject([
    { clientOrderId: id, executed: '0.004', status: 'partiallyFilled', quantity: '0.01' },
  ]);
  const restored = [
    ['1', '0.004', 'partiallyFilled'],
    ['2', '0', 'rejected'],
  ];
  expect(await listed(data)).toEqual(restored);
  expect(await executedInJson(data)).toEqual(restored);

  // The order that stands at the exchange is the one that the bot knows: its fills are counted once.
  second.market.emit({ at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] });
  second.market.emit({ at: '00:00:01', trade: '99.80', size: 1, aggressor: 'sell' });
  await second.pass(100);
  expect(second.bot.orders()).toEqual([]);
  expect(second.bot.positions()).toMatchObject([{ quantity: '0.01' }]);
  expect((await listed(data)).toSorted()).toEqual([
    ['1', '0.01', 'filled'],
    ['2', '0', 'rejected'],
  ]);
  await driven(second.bot.close(), second.clock);
});
