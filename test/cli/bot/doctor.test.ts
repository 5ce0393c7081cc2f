import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examine } from '../../../src/bot/doctor/doctor.ts';
import type { CheckResult } from '../../../src/bot/doctor/check-result.ts';
import { checkMargin } from '../../../src/bot/doctor/margin.ts';
import { checkMarginAccounts } from '../../../src/bot/doctor/margin-accounts.ts';
import { checkFolder, checkNode, checkSpace } from '../../../src/bot/doctor/machine.ts';
import { StateFile } from '../../../src/bot/journal/state-file.ts';
import { takeAccountLock } from '../../../src/bot/journal/lock.ts';
import type { BotSettings } from '../../../src/bot/settings/settings.ts';
import { ServiceError } from '../../../src/gateways/http/service-error.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { readBotConfig } from '../../../src/cli/bot-config.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { Random } from '../../../src/platform/random.ts';
import type { Scheduler } from '../../../src/platform/scheduler.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { openPrefixed } from '../../gateways/trading/kit/prefixed.ts';
import { sharedVenue } from '../../server/kit.ts';

const venue = sharedVenue();

let data = '';
let example: BotSettings;

beforeAll(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'millrace-doctor-')), 'data');
  mkdirSync(data);
  ({ settings: example } = await readBotConfig('config/bot.yaml', {}));
  venue().join('reader', { rights: ['read'] });
  venue().join('trader', { rights: ['read', 'trade'] });
  venue().join('stranger', { rights: ['payment'] });
  venue().join('poor', { spot: { USDT: '10' }, rights: ['read', 'trade'] });
});

afterAll(() => {
  rmSync(join(data, '..'), { recursive: true, force: true });
});

beforeEach(() => {
  // The limits of the venue count by its clock, which stands still otherwise.
  venue().pass(60_000_000);
});

/** The example as a live bot of a member of the venue. */
function settingsOf(
  key: string,
  change: Partial<BotSettings> = {},
  secret = `${key}-secret`,
): BotSettings {
  const [account] = example.accounts;
  const service = { url: venue().base, version: 3 as const, credentials: { key, secret } };
  return { ...example, mode: 'live', data, accounts: [{ ...account, service }], ...change };
}

const found = (
  settings: BotSettings,
  scheduler: Scheduler = venue().scheduler,
): Promise<readonly CheckResult[]> =>
  examine({ settings, scheduler, random: new Random(7), nodeVersion: '26.1.0' });

/** Everything that is not well, as `verdict check (about): message`. */
async function ailments(settings: BotSettings, scheduler?: Scheduler): Promise<readonly string[]> {
  const discrepancies = await found(settings, scheduler);
  return discrepancies
    .filter(({ verdict }) => verdict !== 'ok')
    .map(
      ({ verdict, check, about, message }) => `${verdict} ${check} (${about ?? ''}): ${message}`,
    );
}

describe('a bot that could run', () => {
  test('is well at separate addresses of REST and sockets, each with its path', async () => {
    const [account] = settingsOf('trader').accounts;
    const rest = await openPrefixed(venue().base, '/api/3', '/api/3');
    const streams = await openPrefixed(venue().base, '/streams/v3', '/api/3/ws');
    const service = {
      version: 3 as const,
      credentials: { key: 'trader', secret: 'trader-secret' },
      baseUrl: `http://${rest.host}/api/3`,
      wsUrl: `ws://${streams.host}/streams/v3`,
    };
    const discrepancies = await found(
      settingsOf('trader', { accounts: [{ ...account, service }] }),
    );
    expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(rest.targets).toContain('/api/3/spot/balance');
    expect(streams.targets).toEqual(
      expect.arrayContaining(['/streams/v3/public', '/streams/v3/trading']),
    );
  });

  test('is well without symbols where its strategy only rebalances', async () => {
    const [maker] = example.strategies;
    const risk = { ...maker.risk, maxNotional: new Map([['USDC', new Decimal(1000)]]) };
    const strategies = [{ ...maker, symbols: [], budget: undefined, risk }];
    const discrepancies = await found(settingsOf('trader', { strategies }));
    expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(discrepancies.map(({ message }) => message)).toContain('None: it only rebalances.');
  });

  test('is well in all that it needs', async () => {
    const discrepancies = await found(settingsOf('trader'));
    expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(discrepancies.map(({ check }) => check)).toEqual([
      ...['node', 'data folder', 'disk', 'journal', 'service', 'clock', 'market socket'],
      ...['symbols', 'symbols', 'key', 'trading socket', 'rights', 'balances'],
      ...['margin', 'futures', 'margin terms', 'margin terms'],
    ]);
  });

  test('needs no key on paper, and only to read where it has one', async () => {
    const [account] = settingsOf('reader').accounts;
    const keyless = { ...account, service: { url: venue().base, version: 3 as const } };
    for (const [one, message] of [
      [keyless, 'A paper account needs no key.'],
      [account, 'The service takes it, and it may read.'],
    ] as const) {
      const discrepancies = await found({
        ...settingsOf('reader', { accounts: [one] }),
        mode: 'paper',
      });
      expect(discrepancies.at(-1)).toMatchObject({ check: 'key', verdict: 'ok', message });
      expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    }
  });

  test('warns on paper of a key that live would reject', async () => {
    const ills = await ailments({ ...settingsOf('nobody'), mode: 'paper' });
    expect(ills).toEqual([
      expect.stringMatching(/^fail key \(local\): The service does not let it in: /),
    ]);
  });
});

describe('margin', () => {
  const [place, put] = ['/api/3/futures/account/isolated/ETHUSDT_PERP', 'PUT'] as const;

  async function reported(key: string, symbols: readonly string[]): Promise<readonly string[]> {
    const [, leaner] = example.strategies;
    const discrepancies = await found(settingsOf(key, { strategies: [{ ...leaner, symbols }] }));
    return discrepancies
      .filter(({ check }) => /^(margin|futures)/.test(check))
      .map(({ verdict, check, message }) => `${verdict} ${check}: ${message}`);
  }

  test('lists the rights of the key and the terms of each symbol', async () => {
    expect(await reported('trader', ['BTCUSDT', 'ETHUSDT_PERP'])).toEqual([
      'ok margin: Margin on spot symbols: the key may trade.',
      'ok futures: Futures: the key may trade.',
      'ok margin terms: BTCUSDT is on isolated margin up to leverage 25 and on cross margin up to leverage 25.',
      expect.stringMatching(
        /^ok margin terms: ETHUSDT_PERP is on isolated margin up to leverage \d+ .*, and never on spot\.$/,
      ),
    ]);
  });

  test('existing margin accounts are reported with their funds, and that no strategy of the journal opened them', async () => {
    const account = venue().join('holder', { rights: ['read', 'trade'] });
    const { wallet } = venue().trading.exchange;
    const move = { currency: 'USDT', source: 'spot', destination: 'derivatives' } as const;
    wallet.transfer(account, { ...move, amount: new Decimal(500) }, venue().scheduler.now());
    const json = { margin_balance: '200', leverage: '5' };
    expect((await venue().call(put, place, { as: 'holder', json })).status).toBe(200);
    expect(await reported('holder', ['ETHUSDT_PERP'])).toContain(
      'warn margin account: Isolated margin of ETHUSDT_PERP: 200 USDT, leverage 5, no position. No strategy of the bot opened it.',
    );
  });

  const position = (quantity: string) => ({
    id: 1,
    symbol: 'BTCUSDT',
    quantity: new Decimal(quantity),
    created_at: micros(0),
    updated_at: micros(0),
  });
  const account = (...quantities: readonly string[]): Parameters<typeof checkMarginAccounts>[1] => [
    {
      type: 'cross' as const,
      currency: 'USDT',
      leverage: new Decimal(3),
      created_at: micros(0),
      updated_at: micros(0),
      positions: quantities.map(position),
      currencies: [
        {
          code: 'USDT',
          margin_balance: new Decimal(50),
          reserved_orders: new Decimal(0),
          reserved_positions: new Decimal(0),
        },
      ],
    },
  ];
  const examined = (ownerOf?: () => string | undefined) => {
    const { accounts, strategies } = settingsOf('trader');
    const client = new TradingClient({ url: venue().base });
    const service = { url: venue().base, version: 3 as const };
    return { account: { ...accounts[0], service }, client, strategies, isLive: true, ownerOf };
  };
  const listed = { isContract: false, symbols: {} };

  test('an account that no strategy opened is warned of, and that of one is named', () => {
    const check = (ownerOf: () => string | undefined) =>
      checkMarginAccounts(examined(ownerOf), account('-0.5'), listed);
    const has = 'Cross margin of USDT: 50 USDT, leverage 3, short 0.5 BTCUSDT.';
    expect(check(() => undefined)).toMatchObject([
      { verdict: 'warn', message: `${has} No strategy of the bot opened it.` },
    ]);
    expect(check(() => 'maker')).toMatchObject([
      { verdict: 'ok', message: `${has} It is strategy maker's.` },
    ]);
  });

  test('a leverage above the stricter limit of the account and its strategy is warned of', () => {
    const { account: settings, strategies, ...rest } = examined(() => 'maker');
    const limited = (leverage: string) => ({
      ...rest,
      account: { ...settings, risk: { ...settings.risk, maxLeverage: new Decimal(10) } },
      strategies: strategies.map((one) => ({
        ...one,
        risk: { ...one.risk, maxLeverage: new Decimal(leverage) },
      })),
    });
    expect(checkMarginAccounts(limited('2'), account('1'), listed)).toMatchObject([
      {
        verdict: 'warn',
        message: 'Cross margin of USDT has leverage 3, and maxLeverage is 2.',
      },
      { verdict: 'ok' },
    ]);
    expect(checkMarginAccounts(limited('3'), account('1'), listed)).toHaveLength(1);
  });

  test('a long and a short of one symbol are reported as hedge mode, in which no bot trades', () => {
    expect(checkMarginAccounts(examined(), account('1', '-0.5'), listed)).toMatchObject([
      { verdict: 'fail', message: expect.stringContaining('the account is in hedge mode') },
      { verdict: 'ok' },
    ]);
  });

  test('a contract that the key has no terms for cannot be traded', async () => {
    const { client, ...rest } = examined();
    const rejected = new ServiceError('service-refused', 'There is no margin here.', {
      serviceCode: 1003,
      serviceMessage: 'Forbidden',
      description: undefined,
      httpStatus: 403,
      class: 'authorization',
    });
    const none = () => Promise.reject(rejected);
    const without = new Proxy(client, {
      get: (of, name) =>
        name === 'rest'
          ? { getMarginConfig: none, getFuturesConfig: none }
          : (Reflect.get(of, name, of) as unknown),
    });
    const symbols = await client.rest.getSymbols();
    const [, leaner] = example.strategies;
    const strategies = [{ ...leaner, symbols: ['ETHUSDT_PERP', 'BTCUSDT'] }];
    const discrepancies = await checkMargin(
      { ...rest, client: without, strategies },
      symbols,
      true,
    );
    expect(discrepancies).toMatchObject([
      { check: 'margin', verdict: 'ok' },
      { check: 'futures', verdict: 'ok' },
      {
        verdict: 'fail',
        message: 'ETHUSDT_PERP is a contract, and the key has no terms to trade it.',
      },
    ]);
  });
});

describe('what ails a bot', () => {
  test('is a secret that is not the one of its key', async () => {
    const discrepancies = await found(settingsOf('trader', {}, 'another-secret'));
    const ill = discrepancies.filter(({ verdict }) => verdict !== 'ok');
    expect(ill).toMatchObject([
      {
        check: 'key',
        verdict: 'fail',
        message: expect.stringMatching(/^The service does not let it in: .*1002/),
        advice: 'Look at key, secret and clock: the service knows no such key, or another secret.',
      },
    ]);
    expect(JSON.stringify(discrepancies)).not.toContain('another-secret');
  });

  test.each([
    ['reader', /^fail rights \(local\): The key may not trade: .*1003/],
    ['stranger', /^fail key \(local\): The service does not let it in: .*1003/],
  ])('is a key that lacks a right: %s', async (key, says) => {
    expect(await ailments(settingsOf(key))).toEqual([expect.stringMatching(says)]);
  });

  test('is a key that could withdraw', async () => {
    venue().join('rich');
    expect(await ailments(settingsOf('rich'))).toEqual([
      'warn key (local): The key may withdraw money, which no bot needs.',
    ]);
  });

  test('is an account that does not cover the budgets', async () => {
    expect(await ailments(settingsOf('poor'))).toEqual([
      'fail balances (local): The budgets come to 25000 USDT, and the account has 10.',
    ]);
  });

  test('is a symbol that is not there', async () => {
    const [maker] = example.strategies;
    const strategies = [{ ...maker, symbols: ['NOSUCH'] }];
    expect(await ailments(settingsOf('trader', { strategies }))).toEqual(
      expect.arrayContaining(['fail symbols (maker): The service has no NOSUCH.']),
    );
  });

  test('is a limit in a currency that limits nothing', async () => {
    const [maker] = example.strategies;
    const risk = { ...maker.risk, maxNotional: new Map([['USD', new Decimal(1)]]) };
    expect(await ailments(settingsOf('trader', { strategies: [{ ...maker, risk }] }))).toEqual([
      'fail limits (maker): A limit in USD limits nothing: no symbol here is quoted in it.',
    ]);
  });

  test('is an address that is not that of the service, by the member that says it', async () => {
    const [account] = settingsOf('trader').accounts;
    const front = await openPrefixed(venue().base, '/api/3', '/api/3');
    const service = {
      version: 3 as const,
      credentials: { key: 'trader', secret: 'trader-secret' },
      baseUrl: `http://${front.host}/elsewhere`,
      wsUrl: `ws://${front.host}/api/3/ws`,
    };
    const settings = settingsOf('trader', { accounts: [{ ...account, service }] });
    const discrepancies = await found(settings, new SystemScheduler());
    expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      {
        check: 'service',
        message: expect.stringContaining(`${service.baseUrl} does not answer: `),
        advice: expect.stringMatching(/^Look at accounts\.local\.baseUrl, /),
      },
    ]);
  });

  test('is a service that does not answer', async () => {
    const settings = settingsOf('trader');
    const [account] = settings.accounts;
    const accounts = [{ ...account, service: { version: 3 as const, url: 'http://127.0.0.1:1' } }];
    // Reads are asked again after a while, which takes real time.
    const discrepancies = await found({ ...settings, accounts }, new SystemScheduler());
    expect(discrepancies.filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      {
        check: 'service',
        verdict: 'fail',
        message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer: /),
        advice: expect.stringMatching(/^Look at accounts\.local\.url, /),
      },
    ]);
  });

  test('is a recording that is none, which needs no service', async () => {
    const settings = settingsOf('trader');
    const [account] = settings.accounts;
    const market = {
      kind: 'recordings' as const,
      paths: ['config/sample/BTCUSDT.arrow', 'config/bot.yaml'],
      speed: 1,
    };
    const discrepancies = await found({
      ...settings,
      mode: 'paper',
      accounts: [{ ...account, market }],
    });
    expect(discrepancies.slice(-2)).toMatchObject([
      { verdict: 'ok', message: 'config/sample/BTCUSDT.arrow is a recording of BTCUSDT.' },
      { check: 'recording', verdict: 'fail' },
    ]);
  });

  test('is another process on its journal, and the error has its process id', async () => {
    const lock = takeAccountLock(join(data, 'local'), {
      pid: process.pid,
      name: 'other',
      startedAt: micros(0),
    });
    const reported = await ailments(settingsOf('trader'));
    lock.release();
    expect(reported).toEqual([
      expect.stringMatching(
        new RegExp(`^warn journal \\(local\\): .* process ${process.pid} \\(bot other`),
      ),
    ]);
    expect(await ailments(settingsOf('trader'))).toEqual([]);
  });

  test('is a journal that waits for a person', async () => {
    const state = StateFile.open(join(data, 'local.state'));
    state.set({ waiting: [{ token: 'x', message: 'The journal is gone.' }] });
    const reported = await ailments(settingsOf('trader'));
    state.set({ waiting: undefined });
    state.close();
    expect(reported).toEqual([
      expect.stringMatching(
        /^warn journal \(local\): The last start was refused: The journal is gone\./,
      ),
    ]);
  });

  test('is an old Node, a folder that is none, and a disk that is full', () => {
    expect(checkNode('22.4.0')).toMatchObject({ verdict: 'fail' });
    expect(checkNode('24.9.0')).toMatchObject({ verdict: 'ok' });
    expect(checkFolder(join('package.json', 'data'))).toMatchObject({ verdict: 'fail' });
    expect(checkFolder(join(data, 'deep', 'deeper'))).toMatchObject({ verdict: 'ok' });
    const verdicts = [50, 500, 5_000].map((mib) => checkSpace(data, () => mib * 2 ** 20).verdict);
    expect(verdicts).toEqual(['fail', 'warn', 'ok']);
  });
});
