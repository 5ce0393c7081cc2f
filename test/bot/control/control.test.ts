import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  configuredToken,
  configuredUrl,
  ControlClient,
  readToken,
} from '../../../src/bot/control/client.ts';
import { CONTROL_CALLS } from '../../../src/bot/control/calls.ts';
import { BotMetrics } from '../../../src/bot/control/metrics/metrics.ts';
import { ControlServer } from '../../../src/bot/control/server.ts';
import type { ControlSettings } from '../../../src/bot/control/settings.ts';
import { openLog, type RootLog } from '../../../src/bot/logs/log.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { BEGAN, SmallBot } from './small-bot.ts';

let data = '';
let logged = '';
let log: RootLog;
let bot: SmallBot;
let server: ControlServer;

const settings = (more: Partial<ControlSettings> = {}): ControlSettings => ({
  host: '127.0.0.1',
  port: 0,
  hosts: ['bot-of-mine'],
  data,
  ...more,
});

const open = (more: Partial<ControlSettings> = {}): Promise<ControlServer> =>
  ControlServer.open({
    name: 'small',
    pid: 4711,
    settings: settings(more),
    metrics: new BotMetrics({ bot: 'small', mode: 'paper', version: '1.2.3' }),
    log,
  });

beforeEach(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'millrace-control-')), 'data');
  logged = '';
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString('utf8');
      done();
    },
  });
  const scheduler = new VirtualScheduler(BEGAN);
  log = openLog({ bot: 'small', scheduler, secrets: [], level: 'debug', out });
  bot = new SmallBot();
  server = await open();
  server.attach(bot);
});

afterEach(async () => {
  await server.close();
  rmSync(join(data, '..'), { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Calls with the token unless other headers are given. */
async function call(
  method: 'GET' | 'POST' | 'HEAD' | 'DELETE',
  path: string,
  more: { readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Answered> {
  const { statusCode, headers, body } = await request(`${server.url}${path}`, {
    method,
    headers: more.headers ?? { authorization: `Bearer ${server.token}` },
    body: more.body ?? null,
  });
  const text = await body.text();
  const json = text.startsWith('{') || text.startsWith('[');
  return { status: statusCode, headers, body: json ? JSON.parse(text) : text };
}

const client = (token = server.token): ControlClient =>
  new ControlClient({ url: server.url, token });

describe('what is looked at', () => {
  test('comes as the bot reports it, amounts to their last digit', async () => {
    expect(await call('GET', '/status')).toMatchObject({
      status: 200,
      body: JSON.parse(JSON.stringify({ ...bot.status(), ready: true })),
    });
    expect((await call('GET', '/orders')).body).toEqual(bot.orders());
    expect((await call('GET', '/positions')).body).toEqual(bot.positions());
    expect((await call('GET', '/balances')).body).toEqual([
      {
        account: 'main',
        accountType: 'spot',
        currency: 'USDT',
        available: '99000.000000000000000001',
        reserved: '1000',
      },
    ]);
  });

  test('needs no token where it says only that the bot is alive', async () => {
    const headers = {};
    expect((await call('GET', '/healthz', { headers })).body).toEqual({
      alive: true,
      name: 'small',
      pid: 4711,
    });
    expect(await call('GET', '/readyz', { headers })).toMatchObject({
      status: 200,
      body: { ready: true },
    });
    bot.ready = false;
    expect(await call('GET', '/readyz', { headers })).toMatchObject({
      status: 503,
      body: { ready: false },
    });
    expect((await call('HEAD', '/healthz', { headers })).status).toBe(200);
    const metrics = await call('GET', '/metrics', { headers });
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.body).toContain('millrace_ready 0\n');
  });
});

describe('what is notified', () => {
  test.each(['pause', 'resume', 'reduce', 'halt', 'kill', 'flatten'] as const)(
    '%s reaches the bot, for all or for one strategy',
    async (operation) => {
      const all = await call('POST', `/${operation}`);
      expect(all).toMatchObject({ status: 200, body: { name: 'small' } });
      const one = await call('POST', `/${operation}`, {
        headers: { authorization: `bearer ${server.token}`, 'content-type': 'application/json' },
        body: '{"strategy":"two"}',
      });
      expect(one.status).toBe(200);
      expect(bot.reported).toEqual([
        [operation, undefined],
        [operation, 'two'],
      ]);
      expect(logged).toContain(`An operator called ${operation}.`);
    },
  );

  test('reload gives what was taken and what needs a restart', async () => {
    expect((await call('POST', '/reload')).body).toEqual(bot.changed);
  });

  const json = (body: string) => ({
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body,
  });

  test('a wrong call is refused with what is right, and does nothing', async () => {
    const usage = (message: string) => ({ error: { code: 'usage', message } });
    expect(await call('POST', '/pause', json('{"strategy":"three"}'))).toMatchObject({
      status: 400,
      body: usage('This bot has no strategy "three"; it has one, two.'),
    });
    for (const body of ['{"strategy":7}', '{"strategies":"one"}', '[]', '"one"']) {
      expect(await call('POST', '/pause', json(body))).toMatchObject({
        status: 400,
        body: usage(
          'The body is nothing, or {"strategy": NAME} to mean one strategy alone; "mode" beside it says which bot may act.',
        ),
      });
    }
    expect(await call('POST', '/pause', json('{'))).toMatchObject({
      status: 400,
      body: usage('The body must be JSON.'),
    });
    expect(await call('POST', '/pause', json(`"${'x'.repeat(20_000)}"`))).toMatchObject({
      status: 413,
      body: usage('The body is too long for anything that is asked here.'),
    });
    expect(await call('POST', '/reload', json('{"strategy":"one"}'))).toMatchObject({
      status: 400,
      body: usage('The configuration is reloaded as a whole.'),
    });
    expect(await call('GET', '/pause')).toMatchObject({
      status: 404,
      body: usage('There is no GET of this path here.'),
    });
    expect(await call('DELETE', '/orders')).toMatchObject({ status: 404 });
    expect(bot.reported).toEqual([]);
  });

  test('what the bot cannot do is answered with its error, and an internal error goes to the log only', async () => {
    bot.fault = new MillraceError('outcome-unknown', 'Some orders did not end in time.');
    expect(await call('POST', '/halt')).toMatchObject({
      status: 504,
      body: { error: { code: 'outcome-unknown', message: 'Some orders did not end in time.' } },
    });
    bot.fault = new TypeError('inner workings');
    expect(await call('POST', '/halt')).toMatchObject({
      status: 500,
      body: {
        error: {
          code: 'internal',
          message: 'A fault in Millrace itself; the log of the bot has it.',
        },
      },
    });
    expect(logged).toContain('inner workings');
  });

  test('a bot that is still starting answers that it is not ready, and that it is alive', async () => {
    await server.close();
    server = await open();
    expect(await call('GET', '/status')).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'bot-unreachable',
          message: 'The bot is still starting: it connects and recovers. Ask again in a moment.',
        },
      },
    });
    expect((await call('GET', '/healthz')).status).toBe(200);
    expect((await call('GET', '/readyz')).status).toBe(503);
    expect((await call('GET', '/metrics')).body).toContain(
      'millrace_info{bot="small",mode="paper",version="1.2.3"} 1',
    );
  });
});

describe('who may call', () => {
  test.each(CONTROL_CALLS.map(({ method, path }) => [method, path] as const))(
    '%s %s asks for the token',
    async (method, path) => {
      const missing = await call(method, path, { headers: {} });
      expect(missing).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: {
          error: {
            code: 'control-refused',
            message: 'The token of the control API is required, as Authorization: Bearer TOKEN.',
          },
        },
      });
      for (const authorization of [
        'Bearer wrong',
        `Basic ${server.token}`,
        `Bearer ${server.token}x`,
        server.token,
      ]) {
        expect(await call(method, path, { headers: { authorization } })).toMatchObject({
          status: 401,
          body: {
            error: {
              code: 'control-refused',
              message: 'This is not the token of the control API.',
            },
          },
        });
      }
      expect(bot.reported).toEqual([]);
      expect(logged).toContain('The control API was called without its token.');
      expect(logged).not.toContain(server.token);
    },
  );

  test.each([
    [
      { host: 'evil.example' },
      'This is not evil.example; call it by its address, or name the host in control.hosts.',
    ],
    [
      { host: 'evil.example:80' },
      'This is not evil.example; call it by its address, or name the host in control.hosts.',
    ],
    [{ origin: 'http://evil.example' }, 'Pages of other origins may not call this.'],
    [{ origin: 'null' }, 'Pages of other origins may not call this.'],
    [{ 'sec-fetch-site': 'cross-site' }, 'Pages of other origins may not call this.'],
    [{ 'sec-fetch-site': 'same-site' }, 'Pages of other origins may not call this.'],
  ])('a page that shows %j is refused whatever it asks and knows', async (shown, message) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      ...(shown as Record<string, string>),
    };
    for (const [method, path] of [
      ['POST', '/kill'],
      ['GET', '/healthz'],
      ['GET', '/metrics'],
    ] as const) {
      expect(await call(method, path, { headers })).toMatchObject({
        status: 403,
        body: { error: { code: 'control-refused', message } },
      });
    }
    expect(bot.reported).toEqual([]);
  });

  test.each([
    [{ host: 'localhost:1' }],
    [{ host: '[::1]:8340' }],
    [{ host: 'bot-of-mine:8340' }],
    [{ host: 'BOT-of-mine' }],
    [{ host: '10.0.0.7' }],
    [{ host: 'localhost:1', origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' }],
  ])('one that shows %j may', async (shown) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      ...(shown as Record<string, string>),
    };
    expect((await call('GET', '/status', { headers })).status).toBe(200);
  });

  test('others are warned of where others can reach it', async () => {
    expect(logged).not.toContain('others may reach it');
    const wide = await open({ host: '0.0.0.0', token: 'a-token-of-mine' });
    await wide.close();
    expect(logged).toContain(
      'The control API listens on 0.0.0.0: others may reach it, and it speaks no TLS.',
    );
  });
});

describe('the token', () => {
  test('is made once, of 256 bits, for its owner alone', async () => {
    const path = join(data, 'control.token');
    expect(server.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(readFileSync(path, 'utf8')).toBe(`${server.token}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await open();
    expect(again.token).toBe(server.token);
    await again.close();
    chmodSync(path, 0o644);
    const closed = await open();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await closed.close();
  });

  test('that was given is the one, and none is made', async () => {
    rmSync(join(data, 'control.token'));
    const given = await open({ token: 'given-from-elsewhere' });
    expect(given.token).toBe('given-from-elsewhere');
    expect(existsSync(join(data, 'control.token'))).toBe(false);
    await given.close();
  });

  test('that cannot be kept keeps the bot from starting', async () => {
    writeFileSync(join(data, 'control.token'), '');
    await expect(open()).rejects.toThrow(
      /^The token of the control API cannot be kept in .* \(it is empty; remove it/,
    );
    writeFileSync(join(data, 'file'), '');
    await expect(open({ data: join(data, 'file') })).rejects.toThrow(
      /^The token of the control API cannot be kept/,
    );
  });
});

describe('a file of the control API that is a link', () => {
  test('is never written through: the token is refused, the address replaced', async () => {
    const victim = join(data, 'victim');
    writeFileSync(victim, 'as before', { mode: 0o644 });
    const address = join(data, 'control.address');
    rmSync(address, { force: true });
    symlinkSync(victim, address);
    const again = await open();
    expect(lstatSync(address).isSymbolicLink()).toBe(false);
    expect(statSync(address).mode & 0o777).toBe(0o600);
    expect(readFileSync(address, 'utf8')).toBe(`${again.url}\n`);
    await again.close();
    const token = join(data, 'control.token');
    rmSync(token);
    symlinkSync(victim, token);
    await expect(open()).rejects.toThrow(/\(it is a symbolic link\)/);
    expect(readFileSync(victim, 'utf8')).toBe('as before');
    expect(statSync(victim).mode & 0o777).toBe(0o644);
  });
});

describe('where it listens', () => {
  test('is written down while it does', async () => {
    const path = join(data, 'control.address');
    expect(readFileSync(path, 'utf8')).toBe(`${server.url}\n`);
    expect(configuredUrl(settings())).toBe(server.url);
    await server.close();
    expect(existsSync(path)).toBe(false);
    expect(() => configuredUrl(settings())).toThrow(/^No bot runs on /);
    server = await open();
  });

  test('is left to the bot that is found there by one that may not run beside it', async () => {
    const path = join(data, 'control.address');
    const other = await open();
    expect(other.url).not.toBe(server.url);
    expect(readFileSync(path, 'utf8')).toBe(`${server.url}\n`);
    await other.close();
    expect(configuredUrl(settings())).toBe(server.url);
    // That of a process that was killed is nobody's.
    writeFileSync(path, 'http://127.0.0.1:1\n');
    const next = await open();
    expect(readFileSync(path, 'utf8')).toBe(`${next.url}\n`);
    await next.close();
  });

  test('follows from the configuration otherwise', () => {
    const url = (host: string) => configuredUrl(settings({ host, port: 8340 }));
    expect(['127.0.0.1', '0.0.0.0', '::', '::1', 'bot'].map(url)).toEqual([
      'http://127.0.0.1:8340',
      'http://127.0.0.1:8340',
      'http://[::1]:8340',
      'http://[::1]:8340',
      'http://bot:8340',
    ]);
  });

  test('the error for a port in use names the bot that has it, or says that another program has it', async () => {
    const port = Number(new URL(server.url).port);
    await expect(open({ port })).rejects.toThrow(
      `The control API cannot listen on 127.0.0.1:${port}: the bot small, process 4711, has it. Stop it, or give this bot another control.port.`,
    );
    const other = createServer((socket) => {
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port: taken } = other.address() as { port: number };
    await expect(open({ port: taken })).rejects.toThrow(
      `The control API cannot listen on 127.0.0.1:${taken}: another program has it. Stop it, or give this bot another control.port.`,
    );
    other.close();
    await expect(open({ host: '192.0.2.1' })).rejects.toThrow(/this machine has no such address/);
  }, 20_000);
});

describe('a client', () => {
  test('reads the state of the bot and sends commands', async () => {
    const one = client();
    expect((await one.status()).ready).toBe(true);
    expect(await one.orders()).toHaveLength(3);
    expect(await one.positions()).toEqual(bot.positions());
    expect(await one.balances()).toEqual(bot.balances());
    const { strategies } = await one.operate('halt', 'one');
    expect(strategies.map(({ state }) => state)).toEqual(['halted', 'running']);
    await one.operate('pause', undefined);
    expect(await one.reload()).toEqual(bot.changed);
    expect(bot.reported).toEqual([
      ['halt', 'one'],
      ['pause', undefined],
      ['reload', undefined],
    ]);
    one.close();
  });

  test.each([
    [
      'the wrong token',
      'control-refused',
      /^This is not the token of the control API\. Name the file that holds it/,
      (): ControlClient => client('wrong'),
    ],
    [
      'nobody there',
      'bot-unreachable',
      /^No bot answers at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start it with millrace run/,
      (): ControlClient => new ControlClient({ url: 'http://127.0.0.1:1', token: 'x' }),
    ],
  ] as const)('is notified of %s', async (_, code, message, make) => {
    const one = make();
    await expect(one.status()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    one.close();
  });

  test('takes another program for no bot', async () => {
    const other = createServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    });
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const { port } = other.address() as { port: number };
    const one = new ControlClient({ url: `http://127.0.0.1:${port}`, token: 'x' });
    await expect(one.status()).rejects.toMatchObject({
      code: 'bot-unreachable',
      message: expect.stringMatching(/^What answers at .* is no bot \(HTTP 200\)/),
    });
    one.close();
    other.close();
  });

  test('needs an address that is one, and a token that can be read', () => {
    expect(() => new ControlClient({ url: '127.0.0.1:8340', token: 'x' })).toThrow(
      /^--url takes an address/,
    );
    expect(configuredToken(settings())).toBe(server.token);
    expect(configuredToken(settings({ token: 'given' }))).toBe('given');
    expect(() => readToken(join(data, 'none'))).toThrow(
      /^The token of the bot cannot be read from .*ENOENT/,
    );
    writeFileSync(join(data, 'blank'), '\n');
    expect(() => readToken(join(data, 'blank'))).toThrow(/it is empty/);
  });
});

test.each(['halt', 'reload'])(
  '%s for a bot of another mode is refused, and nothing is done',
  async (path) => {
    const { mode } = bot.status();
    const body = (
      given: string,
    ): { readonly headers: Record<string, string>; readonly body: string } => ({
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mode: given }),
    });
    const before = JSON.stringify(bot.status());
    expect(await call('POST', `/${path}`, body(mode === 'paper' ? 'live' : 'paper'))).toMatchObject(
      {
        status: 403,
        body: { error: { code: 'control-refused' } },
      },
    );
    expect(JSON.stringify(bot.status())).toBe(before);
    expect(await call('POST', `/${path}`, body(mode))).toMatchObject({ status: 200 });
  },
);
