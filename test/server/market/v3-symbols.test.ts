import { describe, expect, test } from 'vitest';
import { openVenue, sharedVenue } from '../kit.ts';
import { CURRENCIES, MarketHarness } from './harness.ts';

const shared = sharedVenue({ exchange: { currencies: CURRENCIES } });
const floor = (): MarketHarness => new MarketHarness(shared());

const USDT = {
  full_name: 'Tether',
  crypto: true,
  payin_enabled: true,
  payout_enabled: false,
  transfer_enabled: true,
  sign: '$',
  crypto_payment_id_name: 'tag',
  crypto_explorer: 'https://explorer.example/usdt/{tx}',
  precision_transfer: '0.00000001',
  account_top_order: 2,
  qr_prefix: 'tether:',
  delisted: false,
};

const TRON = {
  code: 'USDT',
  network_name: 'Tron',
  network: 'TRX',
  protocol: 'TOKEN',
  default: true,
  is_ens_available: true,
  payin_enabled: true,
  payout_enabled: true,
  precision_payout: '0.000001',
  payout_fee: '1.5',
  payout_is_payment_id: false,
  payin_payment_id: true,
  payin_confirmations: 20,
  low_processing_time: '60',
  high_processing_time: '3600',
  avg_processing_time: '600.5',
  crypto_payment_id_name: 'memo',
  crypto_explorer: 'https://tron.example/{tx}',
  contract_address: 'TR7',
  is_multichain: true,
  asset_id: { decimals: 6 },
};

const ETHER = {
  code: 'USDT',
  network_name: 'ETH',
  network: 'ETH',
  protocol: 'TOKEN',
  default: false,
  is_ens_available: false,
  payin_enabled: true,
  payout_enabled: true,
  precision_payout: '0.01',
  payout_fee: '8',
  payout_is_payment_id: true,
  payin_payment_id: false,
  payin_confirmations: 12,
  address_regex: '0[0-9a-f]*',
  payment_id_regex: '[0-9]+',
  contract_address: '',
  is_multichain: true,
};

describe('currencies', () => {
  test(
    'are keyed by their codes, all or those that are named',
    { tags: ['server:trading-v3.public.get-currencies'] },
    async () => {
      const all = (await floor().get('/api/3/public/currency')) as object;
      expect(Object.keys(all).sort()).toEqual(['BTC', 'ETH', 'USDT']);
      const some = (await floor().get('/api/3/public/currency?currencies=USDT,BTC')) as object;
      expect(Object.keys(some)).toEqual(['USDT', 'BTC']);
      const none = (await floor().get('/api/3/public/currency?currencies=')) as object;
      expect(Object.keys(none)).toHaveLength(3);
    },
  );

  test(
    'one is sent without its code as a key',
    { tags: ['server:trading-v3.public.get-currency'] },
    async () => {
      const usdt = await floor().get('/api/3/public/currency/USDT');
      expect(usdt).toMatchObject({ full_name: 'Tether' });
      expect(usdt).not.toHaveProperty('USDT');
    },
  );

  test('has all its members', { tags: ['server:trading-v3.public.currency-record'] }, async () => {
    const { networks, ...usdt } = (await floor().get('/api/3/public/currency/USDT')) as {
      networks: unknown;
    };
    expect(usdt).toEqual(USDT);
    expect(networks).toHaveLength(2);
    const ether = await floor().get('/api/3/public/currency/ETH');
    expect(ether).toMatchObject({
      crypto: false,
      delisted: true,
      payin_enabled: false,
      transfer_enabled: false,
      precision_transfer: '1',
      sign: '',
      crypto_payment_id_name: '',
      qr_prefix: '',
    });
    expect(ether).not.toHaveProperty('account_top_order');
  });

  test(
    'the explorer link of each has a place for the transaction',
    { tags: ['server:trading-v3.public.currency-explorer-placeholder'] },
    async () => {
      const all = (await floor().get('/api/3/public/currency')) as Record<
        string,
        { crypto_explorer: string }
      >;
      for (const { crypto_explorer: link } of Object.values(all)) {
        expect(link).toMatch(/^https:\/\/.*\{tx\}/);
      }
    },
  );

  test(
    'a network has all its members',
    { tags: ['server:trading-v3.public.network-record'] },
    async () => {
      const { networks } = (await floor().get('/api/3/public/currency/USDT')) as {
        networks: object[];
      };
      expect(networks[0]).toEqual(TRON);
    },
  );

  test(
    'a network leaves out what it has not',
    { tags: ['server:trading-v3.public.network-optional-fields'] },
    async () => {
      const { networks } = (await floor().get('/api/3/public/currency/USDT')) as {
        networks: object[];
      };
      expect(networks[1]).toEqual(ETHER);
    },
  );

  test(
    'is the code on the own network of a currency, else TOKEN',
    { tags: ['server:trading-v3.public.network-protocol'] },
    async () => {
      const protocols = async (currency: string) => {
        const { networks } = (await floor().get(`/api/3/public/currency/${currency}`)) as {
          networks: { network: string; protocol: string }[];
        };
        return networks.map(({ network, protocol }) => [network, protocol]);
      };
      expect(await protocols('ETH')).toEqual([['ETH', 'ETH']]);
      expect(await protocols('USDT')).toEqual([
        ['TRX', 'TOKEN'],
        ['ETH', 'TOKEN'],
      ]);
    },
  );

  test(
    'a preferred network stands first and is the default, where a currency has it',
    { tags: ['server:trading-v3.public.preferred-network'] },
    async () => {
      const order = async (query: string) => {
        const all = (await floor().get(`/api/3/public/currency${query}`)) as Record<
          string,
          { networks: { network: string; default: boolean }[] }
        >;
        return Object.fromEntries(
          Object.entries(all).map(([code, { networks }]) => [
            code,
            networks.map((one) => (one.default ? `${one.network}*` : one.network)).join(' '),
          ]),
        );
      };
      expect(await order('?preferred_network=ETH')).toEqual({
        BTC: 'BTC*',
        ETH: 'ETH*',
        USDT: 'ETH* TRX',
      });
      expect(await order('?preferred_network=SOL')).toMatchObject({ USDT: 'TRX* ETH' });
    },
  );

  test('a currency of which nothing is configured has plain terms', async () => {
    expect(await floor().get('/api/3/public/currency/BTC')).toMatchObject({
      full_name: 'BTC',
      crypto: true,
      crypto_explorer: 'https://explorer.example/BTC/{tx}',
      networks: [{ code: 'BTC', network_name: 'BTC', protocol: 'BTC', is_multichain: false }],
    });
  });

  test(
    'counts are numbers, and what has decimals is text',
    { tags: ['server:trading-v3.conv.plain-number-fields'] },
    async () => {
      expect(await floor().get('/api/3/public/currency/USDT')).toMatchObject({
        account_top_order: 2,
        networks: [{ payin_confirmations: 20, avg_processing_time: '600.5' }, {}],
      });
      expect(await floor().get('/api/3/public/symbol/BTCUSDT')).toMatchObject({
        max_initial_leverage: '25.00',
      });
    },
  );

  test('a currency that is unknown is refused with 2002', async () => {
    expect(await floor().rejected('/api/3/public/currency/XYZ')).toEqual({
      status: 400,
      code: 2002,
      description: 'There is no currency "XYZ" here; there are BTC, USDT, ETH.',
    });
  });
});

describe('symbols', () => {
  test(
    'are keyed by their codes, all or those that are named',
    { tags: ['server:trading-v3.public.get-symbols'] },
    async () => {
      const all = (await floor().get('/api/3/public/symbol')) as object;
      expect(Object.keys(all).sort()).toEqual(['BTCUSDT', 'ETHBTC', 'ETHUSDT', 'ETHUSDT_PERP']);
      const some = (await floor().get('/api/3/public/symbol?symbols=ETHBTC,BTCUSDT')) as object;
      expect(Object.keys(some)).toEqual(['ETHBTC', 'BTCUSDT']);
    },
  );

  test(
    'one is sent without its code as a key',
    { tags: ['server:trading-v3.public.get-symbol'] },
    async () => {
      const one = await floor().get('/api/3/public/symbol/ETHBTC');
      expect(one).toMatchObject({ base_currency: 'ETH' });
      expect(one).not.toHaveProperty('ETHBTC');
    },
  );

  test(
    'a spot symbol has its members and no others',
    {
      tags: [
        'server:trading-v3.public.symbol-record',
        'server:trading-v3.public.symbol-spot-without-contract',
      ],
    },
    async () => {
      expect(await floor().get('/api/3/public/symbol/BTCUSDT')).toEqual({
        type: 'spot',
        base_currency: 'BTC',
        quote_currency: 'USDT',
        status: 'working',
        quantity_increment: '0.00001',
        tick_size: '0.01',
        take_rate: '0.0025',
        make_rate: '0.0012',
        fee_currency: 'USDT',
        margin_trading: true,
        max_initial_leverage: '25.00',
      });
    },
  );

  test(
    'a perpetual is a futures without base currency and expiry',
    {
      tags: [
        'server:trading-v3.public.symbol-type-values',
        'server:trading-v3.public.symbol-nulls',
      ],
    },
    async () => {
      expect(await floor().get('/api/3/public/symbol/ETHUSDT_PERP')).toEqual({
        type: 'futures',
        contract_type: 'perpetual',
        expiry: null,
        underlying: 'ETH',
        base_currency: null,
        quote_currency: 'USDT',
        status: 'working',
        quantity_increment: '0.001',
        tick_size: '0.001',
        take_rate: '0.0007',
        make_rate: '0.0002',
        fee_currency: 'USDT',
        margin_trading: true,
        max_initial_leverage: '75.00',
      });
    },
  );

  test(
    'the status is what the exchange set',
    { tags: ['server:trading-v3.public.symbol-status-values'] },
    async () => {
      const venue = await openVenue();
      for (const status of ['suspended', 'clearing', 'working'] as const) {
        venue.trading.exchange.statuses.set('ETHBTC', status);
        expect(await new MarketHarness(venue).get('/api/3/public/symbol/ETHBTC')).toMatchObject({
          status,
        });
        expect(await new MarketHarness(venue).get('/api/3/public/symbol')).toMatchObject({
          ETHBTC: { status },
        });
      }
    },
  );

  test(
    'a symbol without margin trading has no leverage',
    { tags: ['server:trading-v3.public.symbol-leverage-optional'] },
    async () => {
      const one = await floor().get('/api/3/public/symbol/ETHBTC');
      expect(one).toMatchObject({ margin_trading: false });
      expect(one).not.toHaveProperty('max_initial_leverage');
    },
  );

  test(
    'an unknown code in a list is left out; a list of none that is known is refused',
    { tags: ['server:trading-v3.public.unknown-in-list'] },
    async () => {
      expect(
        Object.keys((await floor().get('/api/3/public/symbol?symbols=X,ETHBTC,Y')) as object),
      ).toEqual(['ETHBTC']);
      expect(await floor().rejected('/api/3/public/symbol?symbols=X,Y')).toMatchObject({
        status: 400,
        code: 2001,
      });
      expect(
        Object.keys((await floor().get('/api/3/public/currency?currencies=X,BTC,BTC')) as object),
      ).toEqual(['BTC']);
      expect(await floor().rejected('/api/3/public/currency?currencies=X')).toMatchObject({
        status: 400,
        code: 2002,
      });
    },
  );

  test.each([
    '/public/symbol/ETH-BTC',
    '/public/ticker/X',
    '/public/trades/X',
    '/public/orderbook/X',
    '/public/candles/X',
    '/public/converted/candles/X?target_currency=USDT',
    '/public/price/ticker/X',
    '/public/futures/info/BTCUSDT',
    '/public/futures/history/funding/X',
    '/public/futures/candles/mark_price/BTCUSDT',
  ])('GET %s names no symbol and is refused with 2001', async (path) => {
    expect(await floor().rejected(`/api/3${path}`)).toMatchObject({ status: 400, code: 2001 });
  });

  test(
    'a trailing slash is the same path',
    { tags: ['server:trading-v3.conv.trailing-slash'] },
    async () => {
      for (const path of ['symbol', 'currency', 'ticker', 'candles', 'price/rate']) {
        expect(await floor().get(`/api/3/public/${path}/`)).toEqual(
          await floor().get(`/api/3/public/${path}`),
        );
      }
    },
  );
});
