import { onTestFinished, describe, expect, test } from 'vitest';
import { readVenueConfig, settingsOf, venueConfig } from '../../../src/cli/venue-config.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { faultPlan } from '../../../src/server/faults/plan.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { OPENED, TestVenue } from '../../server/kit.ts';

const EXAMPLE = readVenueConfig('config/venue.yaml', {});

/** Opens the venue of the example on a free port, with changes, by a clock that a test moves. */
async function open(changes: Partial<SimulationSettings> = {}): Promise<TestVenue> {
  const scheduler = new VirtualScheduler(OPENED);
  const simulation = await Simulation.open({ ...EXAMPLE, ...changes, port: 0 }, scheduler);
  onTestFinished(async () => {
    await simulation.close();
  });
  return new TestVenue(simulation.venue, scheduler, undefined);
}

const balances = async (venue: TestVenue, place: string, as = 'demo'): Promise<object> => {
  const { body } = await venue.call('GET', `/api/3/${place}/balance`, { as });
  const rows = body as readonly { readonly currency: string; readonly available: string }[];
  return Object.fromEntries(rows.map(({ currency, available }) => [currency, available]));
};

describe('the example', () => {
  test('has the symbols with the terms of the real service', async () => {
    const venue = await open();
    const { body } = await venue.call('GET', '/api/3/public/symbol');
    expect(body).toMatchObject({
      BTCUSDT: {
        type: 'spot',
        base_currency: 'BTC',
        quote_currency: 'USDT',
        quantity_increment: '0.00001',
        tick_size: '0.01',
        take_rate: '0.0025',
        make_rate: '0.0012',
        fee_currency: 'USDT',
        margin_trading: true,
        max_initial_leverage: '25.00',
      },
      ETHUSDT: {
        quantity_increment: '0.0001',
        tick_size: '0.001',
        take_rate: '0.0025',
        make_rate: '0.0012',
        max_initial_leverage: '20.00',
      },
      ETHBTC: {
        quantity_increment: '0.0001',
        tick_size: '0.000001',
        take_rate: '0.002',
        make_rate: '0.001',
        fee_currency: 'BTC',
      },
      ETHUSDT_PERP: {
        type: 'futures',
        contract_type: 'perpetual',
        expiry: null,
        underlying: 'ETH',
        quantity_increment: '0.001',
        tick_size: '0.001',
        take_rate: '0.0007',
        make_rate: '0.0002',
        max_initial_leverage: '75.00',
      },
    });
  });

  test('has members with the stated balances, in all three places', async () => {
    const venue = await open();
    expect(await balances(venue, 'spot')).toEqual({
      BTC: '2',
      ETH: '30',
      USDT: '100000',
      USDC: '20000',
      SOL: '0',
    });
    expect(await balances(venue, 'wallet')).toEqual({ BTC: '1', ETH: '10', USDT: '50000' });
    expect(await balances(venue, 'futures')).toMatchObject({ USDT: '50000' });
    expect(await balances(venue, 'spot', 'other')).toMatchObject({
      BTC: '2',
      ETH: '30',
      USDT: '100000',
      USDC: '0',
      SOL: '0',
    });
    const subs = await venue.call('GET', '/api/3/sub-account', { as: 'demo' });
    expect(subs.body).toMatchObject({ result: [{ email: 'demo-sub@example.com' }] });
    expect(await balances(venue, 'spot', 'demo-sub')).toMatchObject({ USDT: '10000' });
  });

  test('gives the key that only reads no order', async () => {
    const venue = await open();
    expect((await venue.call('GET', '/api/3/spot/balance', { as: 'demo-read' })).status).toBe(200);
    const json = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '50000' };
    const rejected = await venue.call('POST', '/api/3/spot/order', { as: 'demo-read', json });
    expect(rejected).toMatchObject({ status: 403, body: { error: { code: 1003 } } });
  });

  test('trades a market order at once on every symbol', async () => {
    const venue = await open();
    venue.pass(5 * US_PER_SECOND);
    for (const symbol of ['BTCUSDT', 'ETHUSDT', 'ETHBTC']) {
      const json = { symbol, side: 'sell', type: 'market', quantity: '0.1' };
      const { body } = await venue.call('POST', '/api/3/spot/order', { as: 'demo', json });
      expect(body).toMatchObject({
        symbol,
        status: 'filled',
        quantity_cumulative: expect.any(String),
      });
    }
  });

  test('sends withdrawals to addresses of its networks, and refuses others', async () => {
    const venue = await open();
    const withdraw = async (address: string) =>
      venue.call('POST', '/api/3/wallet/crypto/withdraw', {
        as: 'demo',
        json: { currency: 'BTC', amount: '0.1', address },
      });
    expect((await withdraw(`bc1q${'0'.repeat(38)}`)).status).toBe(200);
    const rejected = await withdraw('somewhere');
    expect(rejected).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    const { body } = await venue.call('GET', '/api/3/wallet/crypto/address?currency=BTC', {
      as: 'demo',
    });
    // An address of its chain, since the wallets are linked with it.
    expect(JSON.stringify(body)).toMatch(/"bc1p[a-z0-9]{58}"/);
  });

  test('keeps the rate limits of the specification', async () => {
    const venue = await open();
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => venue.call('GET', '/api/3/public/symbol/BTCUSDT')),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBe(10);
  });
});

describe('settings', () => {
  test('without rate limits let everything pass', async () => {
    const venue = await open({ rateLimits: false });
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => venue.call('GET', '/api/3/public/symbol/BTCUSDT')),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test('of a market that nobody moves begin with empty books', async () => {
    const venue = await open({ market: [] });
    venue.pass(5 * US_PER_SECOND);
    const { body } = await venue.call('GET', '/api/3/public/orderbook/BTCUSDT');
    expect(body).toMatchObject({ ask: [], bid: [] });
  });

  test('of a symbol that is suspended close it for orders', async () => {
    const [btc, ...others] = EXAMPLE.symbols;
    const venue = await open({ symbols: [{ ...btc, status: 'suspended' }, ...others] });
    const json = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '50000' };
    const { body } = await venue.call('POST', '/api/3/spot/order', { as: 'demo', json });
    expect(body).toMatchObject({ error: { code: 20010 } });
  });

  test('of faults are played from the start, and the clock goes by them', async () => {
    const faults = faultPlan.parse({
      clockSkewMs: 60_000,
      http: [{ path: '/api/3/public/symbol', count: 1, fault: { kind: 'answer', status: 503 } }],
    });
    const venue = await open({ faults });
    expect((await venue.call('GET', '/api/3/public/symbol')).status).toBe(503);
    const { body } = await venue.call('GET', '/api/3/nowhere');
    const { timestamp } = body as { readonly timestamp: string };
    expect(Date.parse(timestamp) * 1_000).toBe(OPENED + 60 * US_PER_SECOND);
  });

  test('of a clock that is set wrong neither stop the market nor make it hurry', async () => {
    const venue = await open({ adminToken: 'of-the-venue' });
    const trades = async (): Promise<number> =>
      ((await venue.call('GET', '/api/3/public/trades/BTCUSDT?limit=1000')).body as []).length;
    for (const clockSkewMs of [3_600_000, -3_600_000]) {
      venue.pass(20 * US_PER_SECOND);
      const before = await trades();
      const skewed = await venue.call('POST', '/admin/faults', {
        headers: { authorization: 'Bearer of-the-venue' },
        json: { clockSkewMs },
      });
      expect(skewed.status).toBe(200);
      venue.pass(20 * US_PER_SECOND);
      const after = await trades();
      expect(after - before).toBeGreaterThan(3);
      expect(after - before).toBeLessThan(300);
    }
  });

  test('of fee rates are those of the member alone', async () => {
    const [demo, ...others] = EXAMPLE.members;
    const fees = { BTCUSDT: { takeRate: '0.001', makeRate: '-0.0001' } };
    const venue = await open({ members: [{ ...demo, fees }, ...others] });
    const rates = async (as: string): Promise<unknown> =>
      (await venue.call('GET', '/api/3/spot/fee/BTCUSDT', { as })).body;
    expect(await rates('demo')).toMatchObject({ take_rate: '0.001', make_rate: '-0.0001' });
    expect(await rates('other')).toMatchObject({ take_rate: '0.0025', make_rate: '0.0012' });
  });

  test.each([
    ['spot', { DOGE: '1' }, /DOGE/],
    ['wallet', { BTC: '-1' }, /amount/],
    ['wallet', { DOGE: '1' }, /DOGE/],
    ['derivatives', { USDT: 'much' }, /much/],
  ])('of balances that cannot be are refused: %s %j', async (place, amounts, why) => {
    const [demo] = EXAMPLE.members;
    const members = [{ ...demo, balances: { ...demo.balances, [place]: amounts } }];
    await expect(open({ members })).rejects.toThrow(why);
  });

  test.each([
    ['two members of a name', [{ name: 'demo' }]],
    ['two members of an email', [{ email: 'demo@example.com' }]],
    ['a key that somebody has', [{ keys: [{ key: 'demo', secret: 'another', rights: [] }] }]],
    [
      'a key twice',
      [
        {
          keys: [
            { key: 'mine', secret: 'a', rights: [] },
            { key: 'mine', secret: 'b', rights: [] },
          ],
        },
      ],
    ],
  ])('of %s are refused', async (_, [changes]) => {
    const [demo] = EXAMPLE.members;
    const other = { ...demo, name: 'x', email: 'x@x', keys: [], subAccounts: [], ...changes };
    await expect(open({ members: [demo, other] })).rejects.toThrow('There are two of the');
  });

  test('that cannot be leave nothing open', async () => {
    const scheduler = new VirtualScheduler(OPENED);
    const broken = Simulation.open({ ...EXAMPLE, port: 0, host: '192.0.2.1' }, scheduler);
    await expect(broken).rejects.toThrow(/EADDRNOTAVAIL/);
    scheduler.advanceTo(micros(OPENED + US_PER_SECOND));
    const wrong = Simulation.open(
      {
        ...EXAMPLE,
        port: 0,
        market: [{ kind: 'generated', symbol: 'XRPUSDT', seed: 1, startPrice: '1' }],
      },
      scheduler,
    );
    await expect(wrong).rejects.toThrow(MillraceError);
  });
});

test('a configuration uses the names of the server', () => {
  const schema = venueConfig({ folder: '/here', environment: { TOKEN: 'of-the-venue' } });
  const settings = settingsOf(
    schema.parse({
      symbols: {
        BTCUSDT: {
          baseCurrency: 'BTC',
          quoteCurrency: 'USDT',
          tickSize: 0.01,
          quantityIncrement: '0.00001',
          takeRate: 0.001,
          makeRate: 0.001,
        },
      },
      members: { desk: { subAccounts: { two: { email: 'two@desk.example' } } } },
      market: {
        recordings: { files: ['a.arrow'], speed: 10 },
        generator: { seed: 3, symbols: { BTCUSDT: { startPrice: 5, levels: 3 } } },
      },
      rules: { selfMatch: 'expireTaker', marketBuyFactor: '1.1', nameHold: '2m' },
      limits: { requests: false, ordersPerAccount: 10 },
      marketData: { tradesKept: 5, rates: { every: '5s' } },
      history: { ordersKept: 7 },
      chains: { networks: { BTC: 'byHand', ETH: { send: '1s' } }, others: { block: '3s' } },
      admin: { token: { env: 'TOKEN' } },
    }),
  );
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 8330,
    rateLimits: false,
    adminToken: 'of-the-venue',
    kept: { orders: 7 },
    members: [
      {
        name: 'desk',
        email: 'desk@example.com',
        keys: [],
        subAccounts: [{ name: 'two', email: 'two@desk.example', subAccounts: [] }],
      },
    ],
    market: [
      { kind: 'recorded', files: ['/here/a.arrow'], speed: 10, atEnd: 'loop' },
      { kind: 'generated', symbol: 'BTCUSDT', startPrice: '5', shape: { levels: 3 } },
    ],
    exchange: {
      selfMatch: 'expireTaker',
      nameHoldUs: 120_000_000,
      limits: { perAccount: 10, perSymbol: 2_000 },
      marketData: { tradesKept: 5, rates: { everyUs: 5_000_000 } },
    },
    chains: {
      networks: { BTC: 'byHand', ETH: { sendUs: 1_000_000, blockUs: 5_000_000 } },
      others: { sendUs: 2_000_000, blockUs: 3_000_000 },
    },
  });
  expect(settings.exchange.marketBuyFactor?.toFixed()).toBe('1.1');
  expect(JSON.stringify(settings)).not.toContain('undefined');
});
