import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { venueConfig } from '../../../src/cli/venue-config.ts';
import { parseConfig } from '../../../src/config/document.ts';
import { faultPlan } from '../../../src/server/faults/plan.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { blocks, lines } from '../pages.ts';
import { PastingShell } from '../shell.ts';
import { openExample } from './example.ts';

const CONFIGURED = '127.0.0.1:8330';

let venue: Simulation;
let here = '';

beforeAll(async () => {
  venue = await openExample();
  here = `127.0.0.1:${venue.venue.port}`;
});

afterAll(async () => {
  await venue.close();
});

/** What the curl commands of a page answer when they are pasted. */
async function answersOf(page: readonly string[]): Promise<readonly unknown[]> {
  const shell = new PastingShell(process.cwd());
  const answers: unknown[] = [];
  for (const command of page.filter((line) => line.startsWith('curl '))) {
    const { code, out } = await shell.paste(command.replace(CONFIGURED, here));
    expect({ command, code }).toEqual({ command, code: 0 });
    answers.push(JSON.parse(out));
  }
  return answers;
}

describe('README.md', () => {
  const reported = lines('README.md');

  test('names the address of the configuration that comes along', () => {
    const config = parseConfig(
      readFileSync('config/venue.yaml', 'utf8'),
      'config/venue.yaml',
      venueConfig({ folder: 'config', environment: {} }),
    );
    expect(`${config.host}:${config.port}`).toBe(CONFIGURED);
    expect(reported).toContain('npm run -s millrace -- venue');
  });

  test('has curl commands that work when pasted', async () => {
    expect(await answersOf(reported)).toEqual([
      expect.objectContaining({ ask: expect.any(String), bid: expect.any(String) }),
      expect.arrayContaining([expect.objectContaining({ currency: 'USDT', available: '100000' })]),
      expect.objectContaining({ client_order_id: 'my-first-order', status: 'new' }),
      expect.objectContaining({ client_order_id: 'my-first-order', status: 'canceled' }),
    ]);
  });

  /** What a socket hears in answer to lines, until as many replies have come. */
  async function received(url: string, lines: readonly string[]): Promise<unknown[]> {
    const socket = new WebSocket(url);
    const frames: { readonly id?: number }[] = [];
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => {
        for (const line of lines) socket.send(line);
      });
      socket.on('message', (data: Buffer) => {
        frames.push(JSON.parse(data.toString('utf8')) as { readonly id?: number });
        if (frames.filter(({ id }) => id !== undefined).length === lines.length) resolve();
      });
    });
    socket.terminate();
    return frames;
  }

  const sockets = reported.flatMap((command) => {
    const [, url, line] = /^npx -y wscat -c (\S+)(?: -w 5 -x '(.+)')?$/.exec(command) ?? [];
    return url === undefined ? [] : [{ url, line }];
  });

  test('has wscat commands that work when pasted, and lines to type then', async () => {
    const [market, trading] = sockets;
    const follows = await received(market.url.replace(CONFIGURED, here), [market.line ?? '']);
    expect(follows).toContainEqual({
      result: { ch: 'trades', subscriptions: ['BTCUSDT', 'ETHUSDT'] },
      id: 1,
    });
    const [typed = ''] = blocks('README.md', 'json');
    expect(trading.line).toBe(undefined);
    const frames = await received(trading.url.replace(CONFIGURED, here), typed.trim().split('\n'));
    expect(frames).toContainEqual({ jsonrpc: '2.0', result: true, id: 1 });
    expect(frames).toContainEqual(
      expect.objectContaining({
        id: 3,
        result: expect.objectContaining({ symbol: 'ETHUSDT', status: 'filled' }),
      }),
    );
    expect(sockets.length).toBe(2);
  });
});

test('docs/venue.md opens and closes margin accounts by commands that work', async () => {
  // A market order needs a market, which begins a moment after the venue.
  await vi.waitFor(async () => {
    const path = '/api/3/public/orderbook/ETHUSDT_PERP?depth=1';
    expect(await (await fetch(`http://${here}${path}`)).text()).toMatch(/"bid":\[\[/);
  }, PATIENCE);
  const answers = await answersOf(lines('docs/venue.md'));
  expect(answers).toEqual([
    expect.objectContaining({ symbol: 'ETHUSDT_PERP', leverage: '10.00', positions: null }),
    expect.objectContaining({ status: 'filled', margin_mode: 'isolated' }),
    expect.objectContaining({ positions: [expect.objectContaining({ quantity: '-0.500' })] }),
    expect.objectContaining({ symbol: 'ETHUSDT_PERP', quantity: '0.000' }),
    expect.objectContaining({ currency: 'USDT', type: 'cross', leverage: '5.00' }),
    expect.objectContaining({ symbol: 'BTCUSDT', type: 'isolated' }),
    expect.anything(),
    expect.arrayContaining([expect.objectContaining({ type: 'EVM' })]),
    expect.arrayContaining([expect.objectContaining({ asset: 'USDC' })]),
  ]);
});

test('docs/venue.md has a plan of faults that is one', () => {
  const plan = blocks('docs/venue.md', 'yaml').find((one) => one.startsWith('faults:')) ?? '';
  const { faults } = parseConfig(plan, 'docs/venue.md', z.strictObject({ faults: faultPlan }));
  expect([faults.http.length, faults.streams.length]).toEqual([3, 2]);
});

/** A configuration with every key. */
const EVERY_KEY = `
port: 0
host: 127.0.0.1
hosts: [venue.example]
origins: [https://desk.example]
symbols:
  BTCUSDT:
    baseCurrency: BTC
    quoteCurrency: USDT
    tickSize: 0.01
    quantityIncrement: 0.00001
    takeRate: 0.0025
    makeRate: 0.0012
currencies:
  USDT: { name: Tether USD, networks: [{ network: TRX, payoutFee: 1, payinConfirmations: 20 }] }
members:
  desk:
    keys:
      - { key: desk, secret: { env: DESK_SECRET } }
      - { key: screen, secret: only-looks, rights: [read] }
    balances: { spot: { USDT: 100000, BTC: 1 } }
    fees: { BTCUSDT: { takeRate: 0.001, makeRate: 0.0005 } }
    subAccounts:
      desk-two: { balances: { spot: { USDT: 500 } } }
market:
  recordings: { files: [sample/BTCUSDT.arrow], speed: 10, atEnd: loop }
rules: { selfMatch: expireTaker, nameHold: 1m }
limits: { requests: false }
margin: { dailyRates: { USDT: 0.0005 } }
marketData: { tradesKept: 10000, candlesKept: 2000 }
history: { ordersKept: 10000, tradesKept: 50000 }
chains: { networks: { BTC: { send: 1s, block: 10s } }, others: byHand }
admin: { token: { env: ADMIN_TOKEN } }
outside:
  networks: { bitcoin: { id: 3, family: bitcoin, trading: BTC } }
  tokens:
    - { id: 31, network: bitcoin, asset: BTC, contract: BTC, decimals: 8, ticker: btc }
  prices: { BTC: { symbol: BTCUSDT } }
swaps: { partners: { desk: { affiliateKey: { env: DESK_SECRET } } }, inventory: { BTC: 5 } }
exchangeOrders: { middle: btc, inventory: { BTC: 5 } }
faults:
  {
    seed: 7,
    http: [{ path: /api/3/spot/order, probability: 0.01, fault: { kind: answer, status: 503 } }],
  }
`;

test('a configuration may have every key at once', () => {
  const schema = venueConfig({
    folder: 'config',
    environment: { DESK_SECRET: 'a secret', ADMIN_TOKEN: 'a-token' },
  });
  const config = parseConfig(EVERY_KEY, 'venue.yaml', schema);
  expect(Object.keys(config).sort()).toEqual(Object.keys(schema.shape).sort());
  expect(config.members[0].keys[0].secret).toBe('a secret');
});
