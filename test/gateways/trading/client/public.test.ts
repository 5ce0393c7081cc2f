import { beforeAll, describe, expect } from 'vitest';
import { sharedVenue } from '../../../server/kit.ts';
import { CURRENCIES } from '../../../server/market/harness.ts';
import { openMarket } from '../kit/market.ts';
import { at } from '../kit/values.ts';
import { caseOf, check, flat, NOW, titled, type Case } from './public-case.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const venue = sharedVenue({ exchange: { currencies: CURRENCIES } });
beforeAll(() => {
  openMarket(venue());
});

const ETHER = {
  code: 'ETH',
  network_name: 'ETH',
  network: 'ETH',
  protocol: 'ETH',
  default: true,
  is_ens_available: false,
  payin_enabled: true,
  payout_enabled: true,
  precision_payout: '0.0001',
  payout_fee: '0.002',
  payout_is_payment_id: false,
  payin_payment_id: false,
  payin_confirmations: 30,
  contract_address: '',
  is_multichain: false,
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

const CURRENCY_CASES: readonly Case[] = [
  caseOf(
    'get-currencies currency-record network-record',
    (rest) => rest.getCurrencies({ currencies: ['USDT'], preferred_network: 'TRX' }),
    '/currency?currencies=USDT&preferred_network=TRX',
    {
      USDT: expect.objectContaining({
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
        networks: [TRON, expect.objectContaining({ network: 'ETH', payout_fee: '8' })],
      }) as unknown,
    },
  ),
  caseOf(
    'get-currency network-optional-fields',
    (rest) => rest.getCurrency({ currency: 'ETH' }),
    '/currency/ETH',
    {
      full_name: 'Ethereum',
      crypto: false,
      payin_enabled: false,
      payout_enabled: true,
      transfer_enabled: false,
      sign: '',
      crypto_payment_id_name: '',
      crypto_explorer: 'https://explorer.example/ETH/{tx}',
      precision_transfer: '1',
      qr_prefix: '',
      delisted: true,
      networks: [ETHER],
    },
  ),
];

const PERPETUAL = {
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
  max_initial_leverage: '75',
};

const SYMBOL_CASES: readonly Case[] = [
  caseOf(
    'get-symbols symbol-nulls',
    (rest) => rest.getSymbols({ symbols: ['ETHUSDT_PERP'] }),
    '/symbol?symbols=ETHUSDT_PERP',
    { ETHUSDT_PERP: PERPETUAL },
  ),
  caseOf(
    'get-symbol symbol-record symbol-spot-without-contract',
    (rest) => rest.getSymbol({ symbol: 'BTCUSDT' }),
    '/symbol/BTCUSDT',
    {
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
      max_initial_leverage: '25',
    },
  ),
];

const TICKER = {
  ask: '106',
  bid: '104',
  last: '105',
  low: '90.5',
  high: '110.25',
  open: '100',
  volume: '1',
  volume_quote: '102.15',
  timestamp: NOW,
};

const NO_TICKER = {
  ask: null,
  bid: null,
  last: null,
  low: null,
  high: null,
  open: null,
  volume: '0',
  volume_quote: '0',
  timestamp: NOW,
};

const PRICE_CASES: readonly Case[] = [
  caseOf(
    'get-tickers ticker-nulls',
    (rest) => rest.getTickers({ symbols: ['BTCUSDT', 'ETHUSDT'] }),
    '/ticker?symbols=BTCUSDT%2CETHUSDT',
    { BTCUSDT: TICKER, ETHUSDT: NO_TICKER },
  ),
  caseOf(
    'get-ticker ticker-record',
    (rest) => rest.getTicker({ symbol: 'BTCUSDT' }),
    '/ticker/BTCUSDT',
    TICKER,
  ),
  caseOf(
    'get-price-rate',
    (rest) => rest.getPriceRates({ from: ['BTC'], to: 'USDT' }),
    '/price/rate?from=BTC&to=USDT',
    { BTC: { currency: 'USDT', price: '105', timestamp: NOW } },
  ),
  caseOf(
    'get-price-history',
    (rest) =>
      rest.getPriceHistory({
        from: ['BTC'],
        to: 'USDT',
        since: at('2026-01-05T15:00:00Z'),
        until: at('2026-01-05T15:59:59Z'),
        limit: 2,
        period: 'M30',
        sort: 'ASC',
      }),
    '/price/history?from=BTC&to=USDT&since=2026-01-05T15%3A00%3A00Z&until=2026-01-05T15%3A59%3A59Z&limit=2&period=M30&sort=ASC',
    {
      BTC: {
        currency: 'USDT',
        history: [flat('2026-01-05T15:00:00Z', '105'), flat('2026-01-05T15:30:00Z', '105')],
      },
    },
  ),
  caseOf(
    'get-price-tickers',
    (rest) => rest.getLastPrices({ symbols: ['BTCUSDT'] }),
    '/price/ticker?symbols=BTCUSDT',
    { BTCUSDT: { price: '105', timestamp: at('2026-01-05T10:30:03Z') } },
  ),
  caseOf(
    'get-price-ticker-symbol',
    (rest) => rest.getLastPrice({ symbol: 'BTCUSDT' }),
    '/price/ticker/BTCUSDT',
    { price: '105', timestamp: at('2026-01-05T10:30:03Z') },
  ),
];

describe('currencies, symbols and prices', () => {
  eachRow('', titled(CURRENCY_CASES))('%s', (_, one) => check(venue(), one));
  eachRow('', titled(SYMBOL_CASES))('%s', (_, one) => check(venue(), one));
  eachRow('', titled(PRICE_CASES))('%s', (_, one) => check(venue(), one));
});
