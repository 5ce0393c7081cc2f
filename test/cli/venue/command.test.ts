import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { millraceHere, startedHere } from '../command.ts';
import { addressesOf, startVenue } from './venue-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-venue-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SMALL = `
symbols:
  BTCUSDT:
    baseCurrency: BTC
    quoteCurrency: USDT
    tickSize: 0.01
    quantityIncrement: 0.00001
    takeRate: 0.0025
    makeRate: 0.0012
members:
  demo: { keys: [{ key: demo, secret: demo-secret }], balances: { spot: { USDT: 100 } } }
`;

/** Writes a configuration and gives its path. */
function configuration(name: string, text: string): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, text);
  return path;
}

const readAnswer = async (url: string, init: RequestInit = {}): Promise<unknown> =>
  (await fetch(url, init)).json();

describe('a venue', () => {
  test('prints one JSON line with its addresses, and serves at each of them', async () => {
    // A process, which hears of a real signal.
    const venue = startVenue(['--port', '0', '--json']);
    await venue.opened;
    expect(venue.out().trim().split('\n').length).toBe(1);
    const addresses = addressesOf(venue);
    expect(addresses.host).toBe('127.0.0.1');
    const symbols = await readAnswer(`${addresses.v3.rest}/public/symbol`);
    expect(Object.keys(symbols as object)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'ETHBTC',
      'BTCUSDC',
      'SOLUSDC',
      'ETHUSDT_PERP',
    ]);
    expect(await readAnswer(`${addresses.v2.rest}/public/symbol/BTCUSDT`)).toMatchObject({
      id: 'BTCUSDT',
    });
    const sockets = [
      ...Object.values(addresses.v3.sockets),
      ...Object.values(addresses.v2.sockets),
    ];
    expect(sockets.length).toBe(6);
    const open = await Promise.all(sockets.map(opened));
    expect(await (await fetch(addresses.docs)).text()).toContain('<title>');

    const closed = open.map(
      (socket) =>
        new Promise<number>((resolve) => {
          socket.on('close', resolve);
        }),
    );
    venue.child.kill('SIGTERM');
    expect(await Promise.all(closed)).toEqual(sockets.map(() => 1001));
    expect(await venue.ended).toEqual({ code: 0, signal: null });
    expect(venue.err()).toBe('');
    await expect(fetch(addresses.docs)).rejects.toThrow('fetch failed');
  });

  test('prints its address and what to try, and closes at Ctrl-C', async () => {
    const venue = startedHere(['venue', configuration('small', SMALL), '--port', '0']);
    await venue.says('\n');
    expect(venue.out()).toMatch(/ is open\. Ctrl-C closes it\.\n/);
    expect(venue.out()).toMatch(/\n {2}curl http:\/\/127\.0\.0\.1:\d+\/api\/3\/public\/ticker\n/);
    expect(venue.out()).toContain('curl -u demo http');
    expect(venue.out()).not.toContain('demo-secret');
    expect(venue.out()).not.toContain('listens on');
    venue.signal('SIGINT');
    expect((await venue.ended).code).toBe(0);
    expect(venue.out()).toMatch(/\nThe venue is closed\.\n$/);
  });

  test('warns when other machines can reach it', async () => {
    const venue = startedHere([
      'venue',
      configuration('wide', SMALL),
      '--port',
      '0',
      '--host',
      '0.0.0.0',
    ]);
    await venue.says('\n');
    venue.signal('SIGINT');
    expect((await venue.ended).code).toBe(0);
    expect(venue.out()).toContain(
      '  listens on      0.0.0.0, so other machines may reach it too\n',
    );
  });

  test('reports that a recording has ended, and goes on', async () => {
    const market = 'market:\n  recordings: { files: [BTCUSDT.arrow], speed: max, atEnd: stop }\n';
    const recording = join(folder, 'BTCUSDT.arrow');
    const made = await millraceHere(['feed', 'generate', '--duration', '1m', '--out', recording]);
    expect(made.code).toBe(0);
    const venue = startedHere([
      'venue',
      configuration('recorded', SMALL + market),
      '--port',
      '0',
      '--json',
    ]);
    await venue.says('\n');
    const { v3 } = addressesOf(venue);
    await venue.says(' is at its end.\n');
    expect(venue.err()).toBe('The recorded market of BTCUSDT is at its end.\n');
    const trades = await readAnswer(`${v3.rest}/public/trades/BTCUSDT?limit=1000`);
    expect((trades as readonly object[]).length).toBeGreaterThan(20);
    venue.signal('SIGTERM');
    expect((await venue.ended).code).toBe(0);
  });

  test('moves its markets on its own', async () => {
    const venue = startedHere(['venue', '--port', '0', '--json']);
    await venue.says('\n');
    const { v3 } = addressesOf(venue);
    const socket = await opened(v3.sockets.public);
    const seen = new Set<string>();
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { update = {} } = JSON.parse(data.toString('utf8')) as { readonly update?: object };
        for (const symbol of Object.keys(update)) seen.add(symbol);
        if (seen.size === 4) resolve();
      });
      const symbols = ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'ETHUSDT_PERP'];
      socket.send(
        JSON.stringify({ method: 'subscribe', ch: 'orderbook/full', params: { symbols } }),
      );
    });
    socket.terminate();
    venue.signal('SIGTERM');
    expect((await venue.ended).code).toBe(0);
  });
});

function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

describe('what cannot be opened', () => {
  test('a port that is taken is reported with what to do', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const path = configuration('taken', SMALL);
    const { code, out, err } = await millraceHere([
      'venue',
      path,
      '--port',
      String(port),
      '--json',
    ]);
    server.close();
    expect(code).toBe(1);
    expect(err).toBe(
      `error [port-unavailable] Cannot listen on 127.0.0.1:${port}: port ${port} is taken, perhaps by another venue. Choose another with --port, or any free one with --port 0.\n`,
    );
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'port-unavailable', field: 'port' } });
  });

  test('an address that this machine does not have is reported', async () => {
    const path = configuration('address', SMALL);
    const { code, err } = await millraceHere(['venue', path, '--host', '192.0.2.1', '--port', '0']);
    expect(code).toBe(1);
    expect(err).toMatch(/Cannot listen on 192\.0\.2\.1:0: this machine has no such address/);
  });

  test.each([
    [['--port', 'x'], '--port takes a whole number, not "x".'],
    [['--port', '70000'], '--port takes a number from 0 to 65535, not "70000".'],
    [['--host', ''], '--host takes an address such as 127.0.0.1, and was given an empty one.'],
  ])('%j is a wrong call', async (flags, sentence) => {
    const { code, err } = await millraceHere(['venue', configuration('flags', SMALL), ...flags]);
    expect({ code, err }).toEqual({ code: 2, err: `error [usage] ${sentence}\n` });
  });
});

describe('a configuration', () => {
  const failure = async (text: string): Promise<string> => {
    const path = configuration('bad', text);
    const { code, err } = await millraceHere(['venue', path, '--port', '0']);
    expect(code).toBe(2);
    return err.replace(folder, '').trimEnd();
  };

  test.each([
    [
      `${SMALL}sybols: {}\n`,
      'error [config-invalid] /bad.yaml:12:1: "sybols" is not a key here. Did you mean "symbols"?',
    ],
    [
      SMALL.replace('tickSize: 0.01', 'tickSize: a tick'),
      'error [config-invalid] /bad.yaml:6:15: symbols.BTCUSDT.tickSize is "a tick"; expected a decimal number such as 0.001.',
    ],
    [
      SMALL.replace('secret: demo-secret', 'secret: { env: NOT_SET_ANYWHERE }'),
      'expected a variable of the environment that is set.',
    ],
    [
      SMALL.replace('secret: demo-secret', 'secret: { file: not-there }'),
      'expected a file that can be read, holds text of at most 64 KiB and is not empty.',
    ],
    [
      SMALL.replace('secret: demo-secret', 'secret: 5'),
      'expected text, or env: NAME, or file: PATH.',
    ],
    [
      `${SMALL}market: { recordings: { files: [a.arrow], speed: fast } }\n`,
      'market.recordings.speed is "fast"; expected a number above 0, or max.',
    ],
    [
      `${SMALL}market: { generator: { symbols: { BTCUSDT: { seed: 5 } } } }\n`,
      'expected a startPrice, or a symbol that it follows.',
    ],
    ['symbols: {}\n', 'expected at least one symbol such as BTCUSDT.'],
    [
      `${SMALL}faults: { http: [{ fault: { kind: shout } }] }\n`,
      'faults.http.0.fault.kind is {"kind":"shout"}; expected one of "answer", "delay", "cut".',
    ],
    [
      `${SMALL}chains: { others: slowly }\n`,
      'chains.others is "slowly"; expected byHand, or send: 2s and block: 5s.',
    ],
  ])(
    'that is wrong is reported with its place and what is expected (%#)',
    async (text, sentence) => {
      expect(await failure(text)).toContain(sentence);
      expect(await failure(text)).toMatch(/bad\.yaml:\d+:\d+: /);
    },
  );

  test.each([
    [
      `${SMALL}market: { generator: { symbols: { XRPUSDT: { startPrice: 5 } } } }\n`,
      '/bad.yaml: The market names XRPUSDT, which is no symbol here; there are BTCUSDT.',
    ],
    [
      SMALL.replace('{ USDT: 100 }', '{ DOGE: 100 }'),
      '/bad.yaml: Of the member "demo": No instrument uses the currency DOGE',
    ],
    [
      SMALL.replace('{ USDT: 100 }', '{ USDT: -1 }'),
      '/bad.yaml:11:81: members.demo.balances.spot.USDT is "-1"; expected an amount of zero or more.',
    ],
    [
      `${SMALL}  again: { keys: [{ key: demo, secret: other }] }\n`,
      '/bad.yaml: There are two of the API key "demo".',
    ],
    [
      `${SMALL}  again: { email: demo@example.com }\n`,
      '/bad.yaml: There are two of the member "again".',
    ],
    [
      SMALL.replace('tickSize: 0.01', 'tickSize: 0'),
      '/bad.yaml:6:15: Instrument BTCUSDT: tickSize is "0" and must be a positive decimal.',
    ],
  ])('that contradicts itself is reported with its file (%#)', async (text, sentence) => {
    expect(await failure(text)).toContain(`error [config-invalid] ${sentence}`);
  });

  test('that is not there is reported', async () => {
    const { code, err } = await millraceHere(['venue', join(folder, 'none.yaml')]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error \[config-missing\] The configuration .*none\.yaml cannot be read/);
  });

  test('shows no secret in its errors', async () => {
    const reported = await failure(SMALL.replace('USDT: 100', 'USDT: wrong'));
    expect(reported).not.toContain('demo-secret');
  });
});

test('the command says what it takes', async () => {
  const { code, out } = await millraceHere(['venue', '--help']);
  expect(code).toBe(0);
  for (const word of ['--port', '--host', '--json', 'config/venue.yaml'])
    expect(out).toContain(word);
  expect(readFileSync('config/venue.yaml', 'utf8')).toContain('schema=schema/venue.json');
});
