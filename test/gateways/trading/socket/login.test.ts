import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AccountSocketV2, TradingSocketV2 } from '../../../../src/gateways/trading/socket/v2.ts';
import { WalletSocket } from '../../../../src/gateways/trading/socket/wallet.ts';
import { Random } from '../../../../src/platform/random.ts';
import { micros, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { openVenue } from '../../../server/kit.ts';
import { CREDENTIALS, Ear, STARTED, tradingBench } from './listener.ts';
import { Service, type Asked } from './service.ts';

const STARTED_MS = STARTED / 1_000;
const mac = (message: string): string =>
  createHmac('sha256', 'demo-secret').update(message).digest('hex');

const BASIC = { ...CREDENTIALS, scheme: 'basic' } as const;

/** The login that a service hears from a socket of these credentials. */
async function loginOf(credentials: Parameters<typeof tradingBench>[2]): Promise<Asked> {
  const service = await Service.open();
  await tradingBench(service.url, {}, credentials).socket.open();
  return service.received('login');
}

describe('a login', () => {
  test(
    'hands over key and secret',
    { tags: ['client:trading-v3.auth.ws-login-basic'] },
    async () => {
      const { text } = await loginOf(BASIC);
      expect(text).toBe(
        '{"method":"login","params":{"type":"BASIC","api_key":"demo","secret_key":"demo-secret"},"id":1}',
      );
    },
  );

  test(
    'signs the time in milliseconds',
    { tags: ['client:trading-v3.auth.ws-login-hs256'] },
    async () => {
      expect((await loginOf(CREDENTIALS)).params).toEqual({
        type: 'HS256',
        api_key: 'demo',
        timestamp: STARTED_MS,
        signature: mac(String(STARTED_MS)),
      });
    },
  );

  test(
    'signs the window behind the time',
    { tags: ['client:trading-v3.auth.ws-login-hs256'] },
    async () => {
      expect((await loginOf({ ...CREDENTIALS, windowMs: 60_000 })).params).toEqual({
        type: 'HS256',
        api_key: 'demo',
        timestamp: STARTED_MS,
        window: 60_000,
        signature: mac(`${STARTED_MS}60000`),
      });
    },
  );

  test('is made again for each connection, with the time of then', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = tradingBench(service.url);
    await socket.open();
    service.peer.raw.close(1012);
    await ear.hears('lost');
    pass(20 * US_PER_SECOND);
    await ear.hears('live', 2);
    const { timestamp, signature } = service.asked[1].params;
    expect(Number(timestamp)).toBeGreaterThan(STARTED_MS);
    expect(signature).toBe(mac(String(timestamp)));
  });

  test(
    'is answered with its id, or without any',
    { tags: ['client:trading-v3.auth.ws-login-reply'] },
    async () => {
      for (const withId of [true, false]) {
        const service = await Service.open({
          hears: ({ peer, id }) => {
            peer.send(`{"jsonrpc":"2.0","result":true${withId ? `,"id":${id}` : ''}}`);
          },
        });
        const { socket, ear } = tradingBench(service.url);
        await socket.open();
        expect(ear.failures).toEqual([]);
      }
    },
  );

  test('that is not answered in time ends the connection, and is tried again', async () => {
    const service = await Service.open({ hears: () => undefined });
    const { socket, ear, pass } = tradingBench(service.url, { timeoutUs: 3 * US_PER_SECOND });
    const opened = socket.open();
    await service.received('login');
    service.hears = (asked) => {
      asked.peer.answer(asked, true);
    };
    pass(3 * US_PER_SECOND);
    await ear.hears('lost');
    expect(ear.whys[0]?.message).toMatch(/login was sent.*within 3 s/);
    pass(US_PER_SECOND);
    await opened;
  });
});

const refusing =
  (code: number, message: string, description?: string, withId = true) =>
  (asked: Asked): void => {
    const error = { code, message, description };
    asked.peer.send({ jsonrpc: '2.0', error, ...(withId ? { id: asked.id } : {}) });
  };

const FAILED = 'Authorization is required or has been failed';

describe('a login that is refused', () => {
  test.each([true, false])(
    'with 1002 ends all attempts (with its id: %s)',
    { tags: ['client:trading-v3.auth.ws-login-refused'] },
    async (withId) => {
      const hears = refusing(1002, FAILED, 'invalid signature format', withId);
      const service = await Service.open({ hears });
      const { socket, ear, pass } = tradingBench(service.url);
      const rejected = {
        code: 'login-refused',
        message: expect.stringMatching(/failed \(1002\): invalid signature format.*Check the key/),
      };
      await expect(socket.open()).rejects.toMatchObject(rejected);
      expect(ear.states).toEqual(['connecting', 'closed']);
      expect(ear.whys).toMatchObject([rejected]);
      pass(3_600 * US_PER_SECOND);
      expect(service.tried).toBe(1);
    },
  );

  test.each([
    [10021, 'User disabled'],
    [1003, 'Action is forbidden for this API key'],
    [1004, 'Unsupported authorization method'],
  ])('with %i (%s) ends all attempts', async (code, message) => {
    const service = await Service.open({ hears: refusing(code, message) });
    const { socket } = tradingBench(service.url);
    await expect(socket.open()).rejects.toMatchObject({ code: 'login-refused' });
    expect(socket.state).toBe('closed');
  });

  test('for its timeout is reported as silent, and connected again', async () => {
    const why = 'The timestamp is outside the window around the time of the server';
    const service = await Service.open({ hears: refusing(1002, FAILED, why) });
    const { socket, ear, pass } = tradingBench(service.url);
    const opened = socket.open();
    await ear.hears('lost');
    expect(ear.whys[0]).toMatchObject({
      code: 'login-refused',
      field: 'windowMs',
      message: expect.stringMatching(/Set the clock of this machine/),
    });
    service.hears = (asked) => {
      asked.peer.answer(asked, true);
    };
    pass(US_PER_SECOND);
    await opened;
  });

  test.each([
    [429, 'Too many requests', 'rate-limited'],
    [503, 'Service Unavailable', 'service-unavailable'],
    [500, 'Internal Server Error', 'service-unavailable'],
  ])('with %i (%s) is tried again', async (code, message, reported) => {
    const service = await Service.open({ hears: refusing(code, message) });
    const { socket, ear, pass } = tradingBench(service.url);
    const opened = socket.open();
    await ear.hears('lost');
    expect(ear.whys[0]).toMatchObject({ code: reported });
    service.hears = (asked) => {
      asked.peer.answer(asked, true);
    };
    pass(2 * US_PER_SECOND);
    await opened;
  });

  test('by the venue, for the secret and for the clock', async () => {
    const venue = await openVenue();
    const url = venue.base.replace('http', 'ws');
    const wrong = { ...CREDENTIALS, secret: 'another' };
    const { socket } = tradingBench(url, {}, wrong);
    await expect(socket.open()).rejects.toMatchObject({ code: 'login-refused', field: 'key' });
    const late = tradingBench(url);
    late.pass(60 * US_PER_SECOND);
    late.socket.open().catch(() => undefined);
    await late.ear.hears('lost');
    expect(late.ear.whys[0]).toMatchObject({ code: 'login-refused', field: 'windowMs' });
  });
});

test('who is logged in and loses the key is logged out for good', async () => {
  const service = await Service.open();
  const { socket, ear, pass } = tradingBench(service.url);
  await socket.open();
  service.hears = refusing(1002, FAILED);
  service.peer.send({ jsonrpc: '2.0', error: { code: 1002, message: FAILED } });
  await ear.hears('lost');
  expect(ear.failures).toMatchObject([{ serviceCode: 1002 }]);
  pass(US_PER_SECOND);
  await ear.hears('closed');
  expect(ear.whys.at(-1)).toMatchObject({ code: 'login-refused' });
});

describe('the other sockets of an account', () => {
  test.each([
    ['the wallet socket', WalletSocket, 'type'],
    ['the trading socket of version 2', TradingSocketV2, 'algo'],
    ['the account socket of version 2', AccountSocketV2, 'algo'],
  ] as const)('%s logs in with both schemes', async (_, Kind, member) => {
    const service = await Service.open();
    const made = { url: service.url, random: new Random(7), listener: new Ear() };
    for (const credentials of [BASIC, CREDENTIALS]) {
      const scheduler = new VirtualScheduler(micros(STARTED));
      const socket = new Kind({ ...made, credentials, scheduler });
      await socket.open();
      await socket.close();
    }
    const [basic, signed] = service.asked.map(({ params }) => params);
    const [key, secret] = member === 'type' ? ['api_key', 'secret_key'] : ['pKey', 'sKey'];
    expect(basic).toEqual({ [member]: 'BASIC', [key]: 'demo', [secret]: 'demo-secret' });
    const { signature, nonce, timestamp } = signed;
    expect(signed).toMatchObject({ [member]: 'HS256', [key]: 'demo' });
    expect(signature).toBe(mac(String(nonce ?? timestamp)));
    expect(JSON.stringify(signed)).not.toContain('demo-secret');
  });

  test(
    'version 2 signs a nonce that is new each time',
    { tags: ['client:trading-v2.auth.ws-login'] },
    async () => {
      const service = await Service.open();
      const made = { url: service.url, random: new Random(7), listener: new Ear() };
      const scheduler = new VirtualScheduler(STARTED);
      for (let i = 0; i < 2; i += 1) {
        const socket = new TradingSocketV2({ ...made, credentials: CREDENTIALS, scheduler });
        await socket.open();
        await socket.close();
      }
      const nonces = service.asked.map(({ params }) => String(params['nonce']));
      expect(nonces[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(nonces[1]).not.toBe(nonces[0]);
      for (const { params } of service.asked) {
        expect(params).toEqual({
          algo: 'HS256',
          pKey: 'demo',
          nonce: params['nonce'],
          signature: mac(String(params['nonce'])),
        });
      }
    },
  );
});
