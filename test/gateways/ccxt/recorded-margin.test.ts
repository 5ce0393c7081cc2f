import ccxt from 'ccxt';
import { describe, expect, test, vi } from 'vitest';
import { CcxtAccount } from '../../../src/gateways/ccxt/account.ts';
import { liveInstruments, type ContractSettings } from '../../../src/gateways/ccxt/agreement.ts';
import { CLIENT_ORDER_ID_FORMS } from '../../../src/gateways/ccxt/client-order-ids.ts';
import { contractRules } from '../../../src/gateways/ccxt/contracts.ts';
import { readInstruments } from '../../../src/gateways/ccxt/terms.ts';
import { venueRules } from '../../../src/gateways/ccxt/venues.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { Instrument, type InstrumentTerms } from '../../../src/model/instrument.ts';
import type { MarginReport } from '../../../src/model/margin-account.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { Report } from '../../../src/model/report.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { pause } from '../../bot/kill/sure.ts';
import { recordedExchange, type Answer } from './recorded.ts';
import { FUNDED_AT, MARGIN } from './recorded-margin.ts';

const IDS = ['binance', 'bybit', 'okx', 'hyperliquid'] as const;
const OPENED = micros(1_764_000_000_000_000);
const symbolOf = (id: string): string => (id === 'hyperliquid' ? 'BTC/USDC:USDC' : 'BTC/USDT:USDT');
const SETTINGS: ContractSettings = { leverage: decimal('5'), apply: false };

/** An account of a perpetual at an exchange whose venue answers from a table, not yet open. */
function accountOf(
  id: string,
  answers: Readonly<Record<string, Answer>> = {},
  contracts: ContractSettings | undefined = SETTINGS,
) {
  // Those of a test count; they may change while it runs.
  const all = new Proxy(answers, {
    ownKeys: () => [...new Set([...Reflect.ownKeys(answers), ...Object.keys(MARGIN[id] ?? {})])],
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    get: (_, part: string) => answers[part] ?? MARGIN[id]?.[part],
  });
  const { exchange, calls } = recordedExchange(id, all, 'text', 'swap');
  const market = recordedExchange(id, all, 'float', 'swap').exchange;
  const scheduler = new VirtualScheduler(OPENED);
  const rules = venueRules(id);
  const reports: Report[] = [];
  const margins: MarginReport[] = [];
  Object.assign(exchange.has, { fetchTime: false });
  const account = new CcxtAccount({
    exchange,
    rules,
    form: CLIENT_ORDER_ID_FORMS[rules.clientOrderIds ?? 'plain'],
    scheduler,
    random: new Random(1),
    pollUs: 1_000_000,
    warn: () => undefined,
    contracts,
    instruments: () =>
      readInstruments(ccxt, { market, account: exchange }, [symbolOf(id)], {
        hasKey: false,
        warn: () => undefined,
      }),
  });
  const open = async (): Promise<void> =>
    account.open({
      report: (report) => void reports.push(report),
      margin: (report) => void margins.push(report),
      connectionState: () => undefined,
    });
  return { account, open, calls, reports, margins, scheduler, symbol: symbolOf(id) };
}

const place = (symbol: string, more: Partial<PlaceRequest> = {}): PlaceRequest => ({
  kind: 'place',
  clientOrderId: 'maker-0000001',
  symbol,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  postOnly: false,
  lots: lots(2),
  ticks: ticks(900_000),
  margin: { mode: 'cross', reduceOnly: true },
  ...more,
});

describe('the margin account of perpetuals', () => {
  test.each(IDS)(
    'is read as the exchange has it, quantities in the base currency (%s)',
    async (id) => {
      const { account, open, margins, reports } = accountOf(id);
      await open();
      const [instrument] = account.instruments;
      const increment = { binance: '0.001', bybit: '0.001', okx: '0.0001', hyperliquid: '0.00001' }[
        id
      ];
      expect(instrument.quantityIncrement.toFixed()).toBe(increment);
      expect(instrument.terms).toMatchObject({ contractType: 'perpetual', baseCurrency: 'BTC' });
      const [report] = margins;
      if (report.kind !== 'marginAccount') throw new Error(report.kind);
      const { balance, leverage, positions, currency, mode, isContract } = report.account;
      expect({ mode, isContract, currency, balance: balance.toFixed(), leverage: leverage?.toFixed() }).toEqual({
      mode: 'cross',
      isContract: true,
      currency: id === 'hyperliquid' ? 'USDC' : 'USDT',
      balance: '1000.12345678',
      leverage: '5',
    }); // prettier-ignore
      const [held] = positions;
      expect(instrument.size(lots(-held.lots)).toFixed()).toBe('0.02');
      // The mean entry is kept to the lot, its price to the tick.
      const value = decimal(id === 'hyperliquid' ? '1820' : '1820.001');
      expect(held.entryValue.minus(value).abs().lessThanOrEqualTo(instrument.tickValue)).toBe(true);
      expect(held.liquidationPrice?.toFixed()).toBe(id === 'hyperliquid' ? '130000' : '130000.1');
      // The wallet is the margin account, and no spot balance beside it.
      const currencies = reports.flatMap((one) => (one.kind === 'balance' ? [one.currency] : []));
      expect(currencies).toEqual(id === 'binance' ? ['BNB'] : []);
      await account.close();
    },
  );

  test.each(IDS)(
    'has its payments of funding in the snapshot, with their sign (%s)',
    async (id) => {
      const { account, open, symbol } = accountOf(id);
      await open();
      const { margin } = await account.snapshot(micros(FUNDED_AT * 1_000 - 1));
      expect(margin?.carries).toMatchObject([{ symbol, mode: 'cross', at: FUNDED_AT * 1_000, carry: { kind: 'funding' } }]); // prettier-ignore
      expect(margin?.carries[0].carry.amount.toFixed()).toBe('-0.18231');
      expect(margin?.accounts.map(({ balance }) => balance.toFixed())).toEqual(['1000.12345678']);
      await account.close();
    },
  );

  test.each<[(typeof IDS)[number], string, Answer]>([
    ['binance', 'positionSide/dual', { json: { dualSidePosition: true } }],
    ['okx', 'account/config', { json: { code: '0', data: [{ uid: '1', posMode: 'long_short_mode', acctLv: '2' }] } }], // prettier-ignore
  ])('is refused in hedge mode (%s)', async (id, part, answer) => {
    const { open, account } = accountOf(id, { [part]: answer });
    await expect(open()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(`${id} is in hedge mode`),
    });
    await account.close();
  });

  test.each(IDS)(
    'is refused with another leverage than configured, and says both (%s)',
    async (id) => {
      const { open, account, calls } = accountOf(id, {}, { ...SETTINGS, leverage: decimal('3') });
      await expect(open()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/has cross, leverage 5 at .*, and the configuration cross, leverage 3/),
    }); // prettier-ignore
      expect(calls.filter(({ body }) => /lever/i.test(body))).toEqual([]);
      await account.close();
    },
  );

  test.each([
    [true, undefined],
    [false, 'BTC/USDT:USDT has isolated, leverage 20 at binance, and the configuration cross, leverage 5: set it there.'],
  ])('has mode and leverage set where the configuration asks for that, and read again (taken: %s)', async (takes, refused) => {
    let isSet = false;
    const answers = {
      'fapi/v1/symbolConfig': {
        get json() {
          const told = isSet ? { marginType: 'CROSSED', leverage: 5 } : { marginType: 'ISOLATED', leverage: 20 };
          return [{ symbol: 'BTCUSDT', ...told }];
        },
      },
      'fapi/v1/marginType': { json: { code: -4046, msg: 'No need to change margin type.' }, status: 400 },
            // Behind the address stands the body.
          'fapi/v1/leverage ': {
        get json() {
          isSet = takes;
          return { symbol: 'BTCUSDT', leverage: 5, maxNotionalValue: '1' };
        },
      },
    };
    const { open, account, calls } = accountOf('binance', answers, { ...SETTINGS, apply: true });
    if (refused === undefined) await open();
    else await expect(open()).rejects.toThrow(refused);
    const sent = calls.filter(({ method }) => method === 'POST');
    expect(sent.map(({ url, body }) => `${url.replace(/.*\/v1\//, '')} ${body.replace(/timestamp=\d+&/, '').replace(/&recvWindow.*/, '')}`)).toEqual([
      'marginType symbol=BTCUSDT&marginType=CROSSED',
      'leverage symbol=BTCUSDT&leverage=5',
    ]);
    await account.close();
  }); // prettier-ignore
});

/** Terms of an instrument as ccxt has them. */
const terms = (symbol: string, more: Partial<InstrumentTerms> = {}): Instrument =>
  new Instrument({
    symbol,
    type: 'futures',
    contractType: 'perpetual',
    settlement: 'linear',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.1',
    quantityIncrement: '1',
    contractSize: '0.01',
    takeRate: '0',
    makeRate: '0',
    feeCurrency: 'USDT',
    ...more,
  });
const PERPETUAL = terms('BTC/USDT:USDT');
const SPOT = terms('BTC/USDT', { type: 'spot', contractType: undefined, settlement: undefined, contractSize: undefined }); // prettier-ignore

describe('what is not traded live', () => {
  test.each<[string, readonly Instrument[], string]>([
    ['an unknown exchange', [PERPETUAL], 'how gate reports funds and forced trades of perpetuals is not known here; trade it on paper'],
    ['spot beside it', [PERPETUAL, SPOT], 'the account trades spot too; give spot and perpetuals an account each'],
    ['inverse', [terms('BTC/USD:BTC', { settlement: 'inverse', quoteCurrency: 'USD', feeCurrency: 'BTC' })], 'it is an inverse contract; take the linear one'],
    ['quanto', [terms('BTC/USDT:ETH')], 'it does not settle in USDT'],
    ['dated', [terms('BTC/USDT:USDT-261225', { contractType: 'cash_settled', expiry: '2026-12-25T08:00:00.000Z' })], 'it ends on a date; perpetuals are traded'],
    ['two currencies', [PERPETUAL, terms('BTC/USDC:USDC', { quoteCurrency: 'USDC', feeCurrency: 'USDC' })], 'settles in another currency; give each currency an account'],
  ])('is refused with the reason (%s)', (what, instruments, why) => {
    const id = what === 'an unknown exchange' ? 'gate' : 'binance';
    const made = (): unknown => liveInstruments(id, instruments, SETTINGS, contractRules(id));
    expect(made).toThrow(why);
  }); // prettier-ignore

  test('is a perpetual whose leverage is not configured', () => {
    const made = (): unknown => liveInstruments('binance', [PERPETUAL], undefined, contractRules('binance')); // prettier-ignore
    expect(made).toThrow('set margin: { leverage: N } in the venue');
    expect(liveInstruments('gate', [SPOT], undefined, undefined)).toEqual([SPOT]);
  });
});

describe('a margin account that changes without an order of the bot', () => {
  /** Binance, whose wallet, position, payments and trades change. */
  async function changing() {
    const answers = structuredClone(MARGIN.binance) as Record<string, { json: unknown }>;
    const made = accountOf('binance', answers);
    await made.open();
    made.margins.length = 0;
    const wallet = (amount: string): void => {
      const { assets } = answers['fapi/v3/account'].json as { assets: { walletBalance: string }[] };
      assets[0].walletBalance = amount;
    };
    /** Lets it be read some times. */
    const wait = async (times: number): Promise<void> => {
      for (let read = 0; read < times; read += 1) {
        const before = made.calls.length;
        made.scheduler.advanceTo(micros(made.scheduler.now() + 5_000_000));
        await vi.waitFor(() => expect(made.calls.slice(before).some(({ url }) => url.includes('v3/account'))).toBe(true)); // prettier-ignore
        // What follows the last answer asks for nothing that could be waited for.
        await pause(20);
      }
    };
    const told = () => made.margins.flatMap((one) => (one.kind === 'marginAccount' ? [one] : []));
    return { ...made, answers, wallet, wait, told };
  }

  test('reports a payment of funding with its position, once', async () => {
    const { answers, wallet, wait, told, account } = await changing();
    const income = answers['fapi/v1/income'].json as object[];
    income.push({ ...income[0], income: '0.25', time: 1_764_000_003_000, tranId: 2 });
    wallet('1000.37345678');
    await wait(2);
    const [payment, ...others] = told().filter(({ carry }) => carry !== undefined);
    expect(others).toEqual([]);
    expect(payment.carry?.amount.toFixed()).toBe('0.25');
    expect(payment.position?.carry.toFixed()).toBe('0.25');
    expect(payment.account.balance.toFixed()).toBe('1000.37345678');
    expect(told().some(({ byOthers }) => byOthers === true)).toBe(false);
    await account.close();
  });

  test('reports a liquidation with its trade, and the snapshot has its end', async () => {
    const { answers, wallet, wait, told, account } = await changing();
    answers['fapi/v3/positionRisk'].json = [];
    answers['fapi/v1/userTrades'].json = [
      {
        symbol: 'BTCUSDT',
        id: 7,
        orderId: 99,
        side: 'BUY',
        price: '91500.0',
        qty: '0.020',
        quoteQty: '1830',
        commission: '0.915',
        commissionAsset: 'USDT',
        time: 1_764_000_003_000,
        positionSide: 'BOTH',
        buyer: true,
        maker: false,
      },
    ];
    answers['fapi/v1/order?'] = {
      json: {
        symbol: 'BTCUSDT',
        orderId: 99,
        clientOrderId: 'autoclose-1764000003000',
        price: '91500',
        origQty: '0.020',
        executedQty: '0.020',
        status: 'FILLED',
        timeInForce: 'IOC',
        type: 'LIMIT',
        side: 'BUY',
        time: 1_764_000_003_000,
        updateTime: 1_764_000_003_000,
      },
    };
    wallet('989.20945678');
    await wait(2);
    const liquidated = told().find(({ end }) => end === 'liquidated');
    expect(liquidated).toMatchObject({ reason: 'liquidated', position: { lots: 0 }, forced: { side: 'buy', ticks: 915_000, lots: 20, id: 7 } }); // prettier-ignore
    expect(liquidated?.forced?.fee.toFixed()).toBe('0.915');
    expect(liquidated?.account.balance.toFixed()).toBe('989.20945678');
    expect(told().some(({ byOthers }) => byOthers === true)).toBe(false);
    const { margin } = await account.snapshot(OPENED);
    expect(margin?.ended).toMatchObject([{ end: 'liquidated', liquidatedLots: 20, mode: 'cross' }]);
    expect(margin?.accounts[0].positions).toEqual([]);
    await account.close();
  });

  test('reports funds that somebody moved once they were read three times, and not before', async () => {
    const { wallet, wait, told, account } = await changing();
    wallet('1100.12345678');
    await wait(2);
    expect(told()).toEqual([]);
    await wait(1);
    expect(told()).toMatchObject([{ reason: 'marginChanged', byOthers: true }]);
    expect(told()[0].account.balance.toFixed()).toBe('1100.12345678');
    await account.close();
  });
});

/** What is sent for a limit order of 0.002 BTC, in contracts where the exchange counts them. */
const SENT: Readonly<Record<(typeof IDS)[number], readonly [RegExp, readonly RegExp[]]>> = {
  binance: [/fapi\/v1\/order/, [/quantity=0\.002/, /reduceOnly=true/, /newClientOrderId=maker-0000001/]],
  bybit: [/v5\/order\/create/, [/"qty":"0\.002"/, /"reduceOnly":true/, /"category":"linear"/]],
  okx: [/trade\/batch-orders|trade\/order/, [/"sz":"0\.02"/, /"reduceOnly":true/, /"tdMode":"cross"/]],
  hyperliquid: [/exchange/, [/"s":"0\.00002"/, /"r":true/]],
}; // prettier-ignore

describe('an order of a perpetual', () => {
  test.each(IDS)(
    'is sent reduce-only, on cross margin, in the unit of the exchange (%s)',
    async (id) => {
      const { account, open, calls, symbol } = accountOf(id);
      await open();
      calls.length = 0;
      account.send(place(symbol, id === 'hyperliquid' ? { ticks: ticks(90_000) } : {}));
      const [address, parts] = SENT[id];
      await vi.waitFor(() => {
        const call = calls.find(({ method, url }) => method === 'POST' && address.test(url) && !url.endsWith('/info')); // prettier-ignore
        const text = `${call?.url ?? ''} ${call?.body ?? ''}`;
        for (const part of parts) expect(text).toMatch(part);
      });
      await account.close();
    },
  );
});

describe('a trade that the exchange made on its own', () => {
  test.each([
    ['binance', {}, 'autoclose-1764000000000000000', 'liquidated'],
    ['binance', {}, 'adl_autoclose', 'deleveraged'],
    ['binance', {}, 'somebody', undefined],
    ['bybit', { execType: 'BustTrade' }, 'x', 'liquidated'],
    ['bybit', { execType: 'AdlTrade' }, 'x', 'deleveraged'],
    ['bybit', { execType: 'Trade' }, 'x', undefined],
    ['okx', { subType: '104' }, 'x', 'liquidated'],
    ['okx', { subType: '126' }, 'x', 'deleveraged'],
    ['okx', { subType: '1' }, 'x', undefined],
    ['hyperliquid', { liquidation: { method: 'market' } }, 'x', 'liquidated'],
    ['hyperliquid', {}, 'x', undefined],
    ['hitbtc', { liquidation: true }, 'x', 'liquidated'],
  ])('is known as what it is (%s %o %s)', (id, info, clientOrderId, end) => {
    expect(contractRules(id)?.forced({ info }, clientOrderId)).toBe(end);
  });
});
