import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBotConfig, type BotConfig } from '../../../src/cli/bot-config.ts';
import { ownConfig } from '../../../src/cli/own-config.ts';
import { MillraceError } from '../../../src/model/errors.ts';

const SOUND = `
mode: live
accounts:
  main:
    url: http://127.0.0.1:8330
    key: { env: KEY }
    secret: { env: SECRET }
strategies:
  maker:
    strategy: market-maker
    parameters: { symbol: BTCUSDT, refreshMs: 7 }
    budget: { USDT: 20000 }
    risk: { maxQuantity: { BTCUSDT: 0.5 }, priceCollar: 0.02 }
`;

const ENVIRONMENT = { KEY: 'key-of-main', SECRET: 'secret-of-main', EMPTY: ' ' };

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-bot-config-'));
  writeFileSync(join(folder, 'open'), 'open-secret\n');
  chmodSync(join(folder, 'open'), 0o644);
  writeFileSync(join(folder, 'closed'), 'closed-secret\n', { mode: 0o600 });
  writeFileSync(join(folder, 'empty'), '', { mode: 0o600 });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The sound configuration with some text in it replaced. */
function written(changes: readonly (readonly [string, string])[] = []): string {
  let text = SOUND;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, () => to);
  }
  const path = join(folder, 'bot.yaml');
  writeFileSync(path, text);
  return path;
}

const read = (...changes: readonly (readonly [string, string])[]): Promise<BotConfig> =>
  readBotConfig(written(changes), ENVIRONMENT);

/** What is said of a changed configuration: code and sentence, without the folder. */
async function said(...changes: readonly (readonly [string, string])[]): Promise<string> {
  try {
    await read(...changes);
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    return `${error.code} ${error.message.replaceAll(`${folder}/`, '')}`;
  }
  return '';
}

describe('a portfolio', () => {
  /** One that needs no service, moving by the account that `key` names. */
  const portfolio = (key: string): void => {
    writeFileSync(
      join(folder, 'portfolio.yaml'),
      `
keys: { file: ${resolve('config/demo-keys.json')}, passphrase: { env: PASSPHRASE } }
account: { url: http://127.0.0.1:8330, key: { env: ${key} }, secret: { env: SECRET } }
prices: { USDC: 1, USDT: 1 }
targets:
  USDC@trading: { weight: 0.5, band: 0.1 }
  USDT@trading: { weight: 0.5, band: 0.1 }
`,
    );
  };
  const environment = { ...ENVIRONMENT, PASSPHRASE: 'demo', OTHER: 'key-of-other' };
  const with_ = (lines: string) =>
    readBotConfig(written([['mode: live', `mode: live\n${lines}`]]), environment);

  test('is of the one strategy there is, with its secrets', async () => {
    portfolio('OTHER');
    const { settings, secrets } = await with_('portfolio: { config: portfolio.yaml, every: 5s }');
    expect(settings.portfolio).toMatchObject({ strategy: 'maker', everyUs: 5_000_000 });
    expect(settings.portfolio?.means).toMatchObject({
      kind: 'services',
      rebalancing: { account: { credentials: { key: 'key-of-other' } } },
    });
    expect(secrets).toEqual(expect.arrayContaining(['key-of-main', 'key-of-other', 'demo']));
    // A reload compares settings as text.
    expect(() => JSON.stringify(settings.portfolio)).not.toThrow();
  });

  const onPaper = (portfolio: string) =>
    readBotConfig(
      written([
        ['mode: live', `mode: paper\nportfolio:\n  config: nowhere.yaml${portfolio}`],
        ['secret: { env: SECRET }', 'paper: { balances: { USDT: 10000 } }'],
      ]),
      environment,
    );

  test('of a paper bot is its model, and no secret of the services is read', async () => {
    const { settings, secrets, warnings } = await onPaper(`
  every: 5s
  paper:
    prices: { USDT: 1, BTC: { symbol: BTCUSDT } }
    wallets: { ethereum: { USDT: 4000 } }
    networks: { ethereum: { withdrawal: { fees: { USDT: 2 } }, deposit: {} } }`);
    expect([secrets, warnings]).toEqual([[], []]);
    const { strategy, everyUs, means } = settings.portfolio ?? {};
    expect({ strategy, everyUs, kind: means?.kind }).toEqual({
      strategy: 'maker',
      everyUs: 5_000_000,
      kind: 'model',
    });
    const model = means?.kind === 'model' ? means.model : undefined;
    expect(model?.wallets.get('ethereum')?.get('USDT')?.toFixed()).toBe('4000');
    expect(model?.networks.get('ethereum')?.withdrawal.fees.get('USDT')?.toFixed()).toBe('2');
  });

  test('of a paper bot that has no model is none, and it says so', async () => {
    const { settings, warnings } = await onPaper('');
    expect(settings.portfolio).toBeUndefined();
    expect(warnings).toEqual([
      'portfolio.paper is missing: this paper bot rejects rebalances. Its form is that of portfolio of a backtest.',
    ]);
  });

  test('of a live bot needs its services, whatever it has on paper', async () => {
    await expect(
      with_('portfolio: { paper: { prices: { USDT: 1 }, wallets: {} } }'),
    ).rejects.toThrow('config is missing; a live bot needs the path of a configuration');
  });

  test('is refused at its line where a wallet is called as the account is', async () => {
    await expect(
      onPaper('\n  paper: { prices: { USDT: 1 }, wallets: { trading: { USDT: 1 } } }'),
    ).rejects.toThrow('another name than trading');
  });

  test.each([
    ['USDT@etherum', 'holdings.1 is "USDT@etherum"; expected a wallet, at one of ethereum, tron'],
    ['BTC@tron', 'holdings.1 is "BTC@tron"; expected a wallet at tron: USDT'],
    ['ETH@ethereum', 'expected an asset that prices names: USDT'],
  ])('is refused at its line where a service swaps %s', async (slot, why) => {
    const wallets = '{ ethereum: { USDT: 1, ETH: 1 }, tron: { USDT: 1 } }';
    await expect(
      onPaper(`
  paper:
    prices: { USDT: 1 }
    wallets: ${wallets}
    services: { swaps: { holdings: [USDT@ethereum, ${slot}] } }`),
    ).rejects.toThrow(why);
  });

  test('is refused at its line where its prices are those of no symbol, and its networks have no wallets', async () => {
    await expect(
      onPaper('\n  paper: { prices: { BTC: { symbol: BTCEUR } }, wallets: {} }'),
    ).rejects.toThrow(
      /:\d+:\d+: .*symbol is BTCEUR, which no strategy of account main trades; expected one of BTCUSDT/,
    );
    await expect(
      onPaper(
        '\n  paper: { prices: { USDT: 1 }, wallets: { tron: {} }, networks: { trom: { withdrawal: {}, deposit: {} } } }',
      ),
    ).rejects.toThrow(/expected a location of wallets: tron/);
  });

  test('is refused where its strategy is not there, and where foreign orders are touched', async () => {
    portfolio('KEY');
    await expect(with_('portfolio: { config: portfolio.yaml, strategy: nobody }')).rejects.toThrow(
      'strategy must be the one whose portfolio it is: maker.',
    );
    await expect(with_('portfolio: { config: portfolio.yaml }')).resolves.toBeDefined();
    await expect(
      with_('portfolio: { config: portfolio.yaml }\nreconciliation: { foreignOrders: cancel }'),
    ).rejects.toThrow('foreignOrders must be report, not cancel');
  });
});

describe('a sound configuration', () => {
  test('gives settings with names resolved, secrets read and exact decimals', async () => {
    const { settings, secrets, warnings, control } = await read();
    expect(settings).toMatchObject({ name: 'bot', mode: 'live', data: join(folder, 'data') });
    const [account] = settings.accounts;
    expect(account.service).toEqual({
      url: 'http://127.0.0.1:8330',
      version: 3,
      credentials: { key: 'key-of-main', secret: 'secret-of-main' },
    });
    expect(account.market).toEqual({ kind: 'service' });
    const { settings: apart } = await read([
      'url: http://127.0.0.1:8330',
      'baseUrl: https://api.example.com/desk/v3/\n    wsUrl: wss://stream.example.com/v3/ws',
    ]);
    expect(apart.accounts[0].service).toEqual({
      baseUrl: 'https://api.example.com/desk/v3',
      wsUrl: 'wss://stream.example.com/v3/ws',
      version: 3,
      credentials: { key: 'key-of-main', secret: 'secret-of-main' },
    });
    const [strategy] = settings.strategies;
    expect(strategy).toMatchObject({
      name: 'maker',
      account: 'main',
      symbols: ['BTCUSDT'],
      warmUpUs: 0,
      onFailure: 'cancel',
    });
    expect(strategy.strategy.name).toBe('market-maker');
    expect(strategy.parameters).toMatchObject({ refreshMs: 7, most: '0.04' });
    expect(strategy.budget?.get('USDT')?.toString()).toBe('20000');
    expect(strategy.risk.maxQuantity.get('BTCUSDT')?.toString()).toBe('0.5');
    expect(secrets).toEqual(['key-of-main', 'secret-of-main']);
    expect(warnings).toEqual([]);
    expect(control).toEqual({
      host: '127.0.0.1',
      port: 8340,
      hosts: [],
      data: join(folder, 'data'),
      token: undefined,
    });
  });

  test('is limited where it is silent, and less where it says none', async () => {
    const { settings } = await read();
    const [{ risk: account }] = settings.accounts;
    const [{ risk }] = settings.strategies;
    expect(account).toMatchObject({
      maxOpenOrders: 200,
      maxOrdersPerSecond: 50,
      maxRejectsPerMinute: 60,
      maxClockSkewUs: 5_000_000,
      preventOwnCross: true,
      onBreach: 'halted',
    });
    expect(risk.priceCollar?.toString()).toBe('0.02');
    expect(risk).toMatchObject({
      maxOpenOrders: 50,
      maxOrdersPerSecond: 20,
      maxRejectsPerMinute: 30,
      staleAfterUs: 120_000_000,
    });
    const unlimited = [account.staleAfterUs, account.priceCollar, account.maxDrawdown];
    expect([...unlimited, risk.maxClockSkewUs, risk.maxDrawdown]).toEqual(Array(5));
    const lifted = await read(['priceCollar: 0.02', 'priceCollar: none, maxOpenOrders: none']);
    const [{ risk: freer }] = lifted.settings.strategies;
    expect([freer.priceCollar, freer.maxOpenOrders]).toEqual([undefined, undefined]);
    expect(freer.maxOrdersPerSecond).toBe(20);
    expect(settings.reconciliation).toEqual({
      everyUs: 60_000_000,
      foreignOrders: 'report',
      lostAfterUs: 45_000_000,
    });
    expect(settings.shutdown).toEqual({ orders: 'cancel', withinUs: 20_000_000 });
    expect(settings.journal).toEqual({ retentionUs: 90 * 86_400_000_000 });
  });

  test('keeps a decimal in quotes to its last digit', async () => {
    const { settings } = await read(['0.5 }', "'0.12345678901234567890123' }"]);
    expect(settings.strategies[0].risk.maxQuantity.get('BTCUSDT')?.toFixed()).toBe(
      '0.12345678901234567890123',
    );
  });

  test('takes the market from a NATS server, with the credentials of the environment', async () => {
    const nats = '    market: { nats: nats://127.0.0.1:4222, venue: main }\nstrategies:';
    const { settings } = await read(['strategies:', nats]);
    expect(settings.accounts[0]?.market).toEqual({
      kind: 'nats',
      url: 'nats://127.0.0.1:4222',
      venue: 'main',
      env: {},
    });
  });

  test('fills margin accounts up from spot as it says, within a cap of the day', async () => {
    const one = (text: string) =>
      [
        '    risk: {',
        `    replenish: [{ symbol: BTCUSDT, margin: isolated, ${text} }]\n    risk: {`,
      ] as const;
    const { settings } = await read(one('floor: 400, target: 500, maxPerDay: 300'));
    const { symbol, mode, replenish } = settings.strategies[0]?.replenish?.[0] ?? {};
    const { floor, target, maxPerDay } = replenish ?? {};
    expect([symbol, mode, floor, target, maxPerDay].map(String)).toEqual(
      ['BTCUSDT', 'isolated', '400', '500', '300'], // prettier-ignore
    );
    expect(await said(one('floor: 400, target: 300, maxPerDay: 300'))).toMatch(
      /^config-invalid bot\.yaml:\d+:\d+: .*a target that is not below the floor/,
    );
    expect(await said(one('floor: 400'))).toMatch(/maxPerDay; expected an amount above zero/);
    expect(await said(one('maxPerDay: 0'))).toMatch(
      /maxPerDay is 0; expected an amount above zero/,
    );
    const entry = (symbol: string) => `{ symbol: ${symbol}, margin: isolated, maxPerDay: 1 }`;
    const of = (...symbols: string[]) =>
      ['    risk: {', `    replenish: [${symbols.map(entry).join(', ')}]\n    risk: {`] as const;
    expect(await said(of('BTCUSDT', 'ETHUSDT'))).toMatch(
      /^config-invalid bot\.yaml:\d+:\d+: ETHUSDT is not traded by the strategy, .* Traded: BTCUSDT\.$/,
    );
    expect(await said(of('BTCUSDT', 'BTCUSDT'))).toMatch(
      /BTCUSDT on isolated margin is named twice\.$/,
    );
  });

  test('shares no isolated account at a leverage beyond the terms of a paper account', async () => {
    const shared = (leverage: number) =>
      [
        'strategies:',
        `    paper: { balances: { USDT: 1 }, margin: { BTCUSDT: { isolated: { maxInitialLeverage: 10 } } } }
    sharedMargin: [{ isolated: BTCUSDT, leverage: ${leverage}, strategies: [maker, taker] }]
strategies:
  taker: { strategy: ema-cross, parameters: { symbol: BTCUSDT } }`,
      ] as const;
    const paper = ['mode: live', 'mode: paper'] as const;
    expect(await said(paper, shared(11))).toMatch(
      /^config-invalid bot\.yaml:9:\d+: leverage is 11, and paper\.margin of BTCUSDT allows 10 at most on isolated margin\.$/,
    );
    await expect(read(paper, shared(10))).resolves.toBeDefined();
  });

  test('as paper reads no secret, plays recordings and begins with what it says', async () => {
    const { settings, secrets } = await read(
      ['mode: live', 'mode: paper'],
      ['{ env: SECRET }', '{ env: NOT_SET }'],
      [
        'strategies:',
        '    market: { recordings: [day.arrow], speed: 10 }\n    paper: { balances: { USDT: 1e4 } }\nstrategies:',
      ],
    );
    const [account] = settings.accounts;
    expect(account.market).toEqual({
      kind: 'recordings',
      paths: [join(folder, 'day.arrow')],
      speed: 10,
    });
    expect(account.paper).toMatchObject({ orderUs: 20_000, reportUs: 20_000 });
    expect(account.paper.balances.get('USDT')?.toString()).toBe('10000');
    expect(account.service?.credentials).toBeUndefined();
    expect(secrets).toEqual([]);
  });

  describe('as paper on the market of the service', () => {
    const onPaper = ['mode: live', 'mode: paper'] as const;
    const funded = ['strategies:', '    paper: { balances: { USDT: 1e4 } }\nstrategies:'] as const;

    test('reads the key that is set, by which fees and margin terms are read', async () => {
      const { settings, secrets } = await read(onPaper, funded);
      expect(settings.accounts[0].service?.credentials).toEqual({
        key: 'key-of-main',
        secret: 'secret-of-main',
      });
      expect(secrets).toEqual(['key-of-main', 'secret-of-main']);
    });

    test.each([
      ['is set nowhere', '{ env: NOT_SET }', '{ env: EMPTY }'],
      ['has no file', '{ file: nowhere }', '{ file: nowhere }'],
    ])('does without one that %s', async (_, key, secret) => {
      const { settings, secrets, warnings } = await read(
        ...[onPaper, funded],
        ['{ env: KEY }', key],
        ['{ env: SECRET }', secret],
      );
      expect(settings.accounts[0].service?.credentials).toBeUndefined();
      expect([secrets, warnings]).toEqual([[], []]);
    });

    test('refuses a key of which the secret is missing, which nobody can mean', async () => {
      expect(await said(onPaper, funded, ['{ env: SECRET }', '{ env: NOT_SET }'])).toMatch(
        /^secret-missing bot\.yaml:7:\d+: .*NOT_SET is not set/,
      );
      expect(await said(onPaper, funded, ['{ env: KEY }', '{ file: empty }'])).toMatch(
        /^secret-missing bot\.yaml:6:\d+: .*is empty/,
      );
    });
  });

  test('takes the symbols of the strategy, or those that it lists', async () => {
    const listed = await read([
      '    budget',
      '    symbols: [BTCUSDT, ETHUSDT, BTCUSDT]\n    budget',
    ]);
    expect(listed.settings.strategies[0].symbols).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  test('warns of a secret that is too short to be hidden in logs', async () => {
    writeFileSync(join(folder, 'short'), 'abcde', { mode: 0o600 });
    const { warnings } = await read(['{ env: SECRET }', '{ file: short }']);
    expect(warnings).toEqual([
      `${folder}/bot.yaml:7:13: the secret has fewer than 6 characters, so logs and notifications do not hide it. Use a longer one.`,
    ]);
  });

  test('warns of a secret in a file that others may read, and of no other', async () => {
    const open = await read(['{ env: SECRET }', '{ file: open }']);
    expect(open.secrets).toEqual(['key-of-main', 'open-secret']);
    expect(open.warnings).toEqual([
      `${folder}/bot.yaml:7:13: others on this machine may read the secret in ${folder}/open; take that right from them: chmod 600 ${folder}/open`,
    ]);
    const closed = await read(['{ env: SECRET }', '{ file: closed }']);
    expect(closed.secrets).toEqual(['key-of-main', 'closed-secret']);
    expect(closed.warnings).toEqual([]);
  });
});

describe('a mistake is reported with its place and what would be right', () => {
  test.each([
    ['mode: live', 'mode: real', 'config-invalid bot.yaml:2:7: mode is "real"; expected one of "paper", "live".'],
    ['mode: live', '', 'config-invalid bot.yaml:3:1: mode is missing; expected one of "paper", "live".'],
    ['accounts:', 'acounts:', 'config-invalid bot.yaml:3:1: "acounts" is not a key here. Did you mean "accounts"? Expected: name, mode, data, accounts, strategies, portfolio, reconciliation, journal, shutdown, control, log, notifications. (1 more like this)'],
    ['    budget', '    account: mian\n    budget', 'config-invalid bot.yaml:12:14: there is no account "mian". Did you mean "main"? Accounts here: main.'],
    ['market-maker', 'market-makr', /^strategy-unknown bot\.yaml:10:15: There is no strategy "market-makr"\. Did you mean "market-maker"\? Known: /],
    ['market-maker', './nothing.ts', 'strategy-unknown bot.yaml:10:15: There is no strategy file nothing.ts.'],
    ['refreshMs: 7', 'refreshM: 7', /^parameter-invalid bot\.yaml:11:46: Strategy market-maker: there is no parameter "refreshM"\. Did you mean "refreshMs"\? /],
    ['refreshMs: 7', 'refreshMs: 0', /^parameter-invalid bot\.yaml:11:47: Strategy market-maker: the parameter refreshMs is 0; expected a whole number, at least 1 /],
    ['  maker:', '  market-maker-of-mine:', 'config-invalid bot.yaml:10:5: strategies.market-maker-of-mine is "market-maker-of-mine"; expected a key of 1 to 10 Latin letters, digits, _ or -.'],
    ['  maker:', '  ma ker:', 'config-invalid bot.yaml:10:5: strategies.ma ker is "ma ker"; expected a key of 1 to 10 Latin letters, digits, _ or -.'],
    ['20000', '-1', 'config-invalid bot.yaml:12:21: strategies.maker.budget.USDT is -1; expected an amount of zero or more.'],
    ['{ BTCUSDT: 0.5 }', '{ BTCUSD: 0.5 }', 'config-invalid bot.yaml:13:36: BTCUSD is not traded here, so this would limit nothing. Did you mean "BTCUSDT"? Traded: BTCUSDT.'],
    ['{ BTCUSDT: 0.5 }', '{ BTCUSDT: 0 }', 'config-invalid bot.yaml:13:37: strategies.maker.risk.maxQuantity.BTCUSDT is 0; expected an amount above zero.'],
    ['0.02', '2', 'config-invalid bot.yaml:13:57: strategies.maker.risk.priceCollar is 2; expected a fraction above 0 and at most 1, such as 0.05 for 5 %, or none for no limit.'],
    ['0.02', 'a lot', 'config-invalid bot.yaml:13:57: strategies.maker.risk.priceCollar is "a lot"; expected a fraction above 0 and at most 1, such as 0.05 for 5 %, or none for no limit.'],
    ['    budget', '    symbols: [ETHUSDT]\n    budget', 'config-invalid bot.yaml:12:14: BTCUSDT is a parameter of the strategy and not among symbols; add it, or leave symbols out.'],
    ['    budget', '    warmUp: soon\n    budget', 'config-invalid bot.yaml:12:13: strategies.maker.warmUp is "soon"; expected a span such as 20ms, 1.5s, 5m, 4h or 2d.'],
    ['http://127.0.0.1:8330', 'http://127.0.0.1:8330/api/3', 'config-invalid bot.yaml:5:10: url takes the address without a path: http://127.0.0.1:8330.'],
    ['http://127.0.0.1:8330', 'ws://127.0.0.1', 'config-invalid bot.yaml:5:10: url takes the address of the service, such as http://127.0.0.1:8330.'],
    ['url: http://127.0.0.1:8330', 'market: service', 'config-invalid bot.yaml:5:5: url is missing; say where the service is, such as http://127.0.0.1:8330, or give baseUrl and wsUrl.'],
    ['    url:', '    baseUrl: http://127.0.0.1:8330/api/3\n    url:', 'config-invalid bot.yaml:5:5: url stands beside baseUrl or wsUrl; give url alone, or baseUrl and wsUrl.'],
    ['    url:', '    baseUrl:', 'config-invalid bot.yaml:5:5: wsUrl is missing beside baseUrl, such as wss://api.example.com/api/3/ws.'],
    ['url: http:', 'wsUrl: ws:', 'config-invalid bot.yaml:5:5: baseUrl is missing beside wsUrl, such as https://api.example.com/api/3.'],
    ['url: http:', 'wsUrl: http:', 'config-invalid bot.yaml:5:12: wsUrl takes the address of the service, such as wss://api.example.com/api/3/ws.'],
    ['url: http://127.0.0.1:8330', 'baseUrl: http://127.0.0.1:8330/api?key=hidden', 'config-invalid bot.yaml:5:14: baseUrl ends with its path; nothing may follow from ? or # on.'],
    ['    key: { env: KEY }\n', '', 'config-invalid bot.yaml:5:5: key is missing; a live bot needs key and secret, each as { env: NAME } or { file: PATH }.'],
    ['mode: live', 'mode: live\njournal: { retention: 23h }', 'config-invalid bot.yaml:3:23: journal.retention is "23h"; expected a span of 1d or more, such as 90d.'],
    ['mode: live', 'mode: paper', 'config-invalid bot.yaml:5:5: paper.balances is missing; say what the paper account begins with, such as { USDT: 10000 }.'],
    ['strategies:', '    sharedMargin: [{ cross: USDT, market: futures, strategies: [maker, other] }]\nstrategies:', /^config-invalid bot\.yaml:8:\d+: other is no strategy of account main, which has maker\.$/],
    ['strategies:', '    sharedMargin: [{ isolated: ETHUSDT, strategies: [maker, maker] }]\nstrategies:', /maker does not trade ETHUSDT; name the symbol in its symbols\.$/],
    ['strategies:', '    sharedMargin: [{ cross: USDT, strategies: [maker, other] }]\nstrategies:', /^config-invalid bot\.yaml:8:/],
    ['strategies:', '    market: { recordings: [a.arrow] }\nstrategies:', 'config-invalid bot.yaml:8:13: recordings are played by a paper bot alone; set mode: paper.'],
  ])('%s as %s', async (from, to, sentence) => {
    const told = await said([from, to]);
    if (typeof sentence === 'string') expect(told).toBe(sentence);
    else expect(told).toMatch(sentence);
  }); // prettier-ignore

  test('of two accounts none is taken for granted', async () => {
    expect(
      await said([
        'strategies:',
        '  more: { url: "http://127.0.0.1:1", key: { env: KEY }, secret: { env: SECRET } }\nstrategies:',
      ]),
    ).toBe('config-invalid bot.yaml:11:5: account is missing; there are several: main, more.');
  });

  test('of a strategy without a parameter for it the symbols are asked for', async () => {
    writeFileSync(
      join(folder, 'rests.ts'),
      `import { NEVER } from 'rxjs';
       import { defineStrategy, z } from 'millrace';
       export default defineStrategy({ name: 'rests', summary: 'Rests.', parameters: z.object({}), run: () => NEVER });`,
    );
    const rests = [
      ['market-maker', './rests.ts'],
      ['    parameters: { symbol: BTCUSDT, refreshMs: 7 }\n', ''],
    ] as const;
    expect(await said(...rests)).toBe(
      'config-invalid bot.yaml:10:5: symbols is missing; rests has no parameter symbol or symbols, so list what it trades: symbols: [BTCUSDT]. Only the strategy of a portfolio may go without.',
    );
    const { settings } = await read(...rests, ['    budget', '    symbols: [BTCUSDT]\n    budget']);
    expect(settings.strategies[0].symbols).toEqual(['BTCUSDT']);
  });
});

describe('a secret', () => {
  const LITERAL =
    'A secret does not belong into this file, which others come to see: name a variable of the environment, { env: NAME }, or a file, { file: PATH }. If this file was shared, make a new key.';
  const NAMED =
    'To say where a secret is, name a variable of the environment, { env: NAME }, or a file, { file: PATH }.';

  test.each([
    ['s3cr3t-of-mine', `config-invalid bot.yaml:7:13: ${LITERAL}`],
    ['123456789012345', `config-invalid bot.yaml:7:13: ${LITERAL}`],
    [
      '{ env: s3cr3t-of-mine }',
      'config-invalid bot.yaml:7:13: env takes the name of a variable: letters, digits and _, such as VENUE_SECRET.',
    ],
    ['{ text: s3cr3t-of-mine }', `config-invalid bot.yaml:7:13: ${NAMED}`],
    ['{ env: SECRET, file: s3cr3t-of-mine }', `config-invalid bot.yaml:7:13: ${NAMED}`],
    ['[s3cr3t-of-mine]', `config-invalid bot.yaml:7:13: ${NAMED}`],
  ])('written as %s is refused and shown nowhere', async (text, sentence) => {
    const told = await said(['{ env: SECRET }', text]);
    expect(told).toBe(sentence);
    expect(told).not.toMatch(/s3cr3t|123456/);
  });

  test('in the address is refused and shown nowhere', async () => {
    const told = await said(['http://127', 'http://me:s3cr3t@127']);
    expect(told).toBe(
      'config-invalid bot.yaml:5:10: url holds a password or a user name; give them as key and secret of the account.',
    );
  });

  test.each([
    [
      '{ env: NOT_SET }',
      'secret-missing bot.yaml:7:13: the variable NOT_SET is not set in the environment. Set it (export NOT_SET=…), or name a file instead: { file: PATH }.',
    ],
    [
      '{ env: EMPTY }',
      'secret-missing bot.yaml:7:13: the variable EMPTY is not set in the environment. Set it (export EMPTY=…), or name a file instead: { file: PATH }.',
    ],
    [
      '{ file: nowhere }',
      'secret-missing bot.yaml:7:13: the file nowhere cannot be read (ENOENT). Write the secret into it, readable by this user alone (chmod 600).',
    ],
    [
      '{ file: empty }',
      'secret-missing bot.yaml:7:13: the file empty is empty. Write the secret into it.',
    ],
  ])('that is not at %s is missed', async (text, sentence) => {
    expect(await said(['{ env: SECRET }', text])).toBe(sentence);
  });
});

test('a bot runs no configuration that nobody chose', () => {
  expect(ownConfig('bot', 'mine.yaml')).toBe('mine.yaml');
  expect(ownConfig('bot', undefined)).toBe(join('config', 'bot.yaml'));
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(() => ownConfig('bot', undefined)).toThrow(
      /^There is no config\/bot.yaml here\. .* copy the examples: cp -r \S+config \.$/,
    );
  } finally {
    process.chdir(before);
  }
});

test('config/bot.yaml is a paper bot of two strategies, each with a budget, that is live by one word', async () => {
  const paper = await readBotConfig('config/bot.yaml', {});
  expect(paper.settings).toMatchObject({ mode: 'paper', data: join(process.cwd(), 'runs', 'bot') });
  expect(paper.settings.strategies.map(({ budget }) => budget?.size)).toEqual([1, 1]);
  const text = readFileSync('config/bot.yaml', 'utf8');
  const path = join(folder, 'live.yaml');
  writeFileSync(path, text.replace('mode: paper', 'mode: live'));
  const environment = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };
  const live = await readBotConfig(path, environment);
  expect(live.settings.mode).toBe('live');
  expect(live.settings.accounts[0].service?.credentials).toEqual({
    key: 'demo',
    secret: 'demo-secret',
  });
});
