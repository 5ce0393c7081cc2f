import ccxt from 'ccxt';
import {
  makeExchange,
  type CcxtExchange,
  type CcxtModule,
} from '../../../src/gateways/ccxt/exchange.ts';

/** Answers of venues to public calls, in their form and shortened, by a part of the address. */
const MARKETS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  binance: {
    'api/v3/exchangeInfo': {
      timezone: 'UTC',
      serverTime: 1_764_000_000_000,
      symbols: [
        {
          symbol: 'BTCUSDT',
          status: 'TRADING',
          baseAsset: 'BTC',
          quoteAsset: 'USDT',
          baseAssetPrecision: 8,
          quoteAssetPrecision: 8,
          isSpotTradingAllowed: true,
          orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
          isMarginTradingAllowed: false,
          permissions: ['SPOT'],
          filters: [
            {
              filterType: 'PRICE_FILTER',
              minPrice: '0.01000000',
              maxPrice: '1000000.00000000',
              tickSize: '0.01000000',
            },
            {
              filterType: 'LOT_SIZE',
              minQty: '0.00001000',
              maxQty: '9000.00000000',
              stepSize: '0.00001000',
            },
            {
              filterType: 'MARKET_LOT_SIZE',
              minQty: '0.00000000',
              maxQty: '75.00000000',
              stepSize: '0.00000000',
            },
            {
              filterType: 'NOTIONAL',
              minNotional: '5.00000000',
              applyMinToMarket: true,
              maxNotional: '9000000.00000000',
            },
          ],
        },
      ],
    },
  },
  bybit: {
    'v5/market/instruments-info': {
      retCode: 0,
      retMsg: 'OK',
      result: {
        category: 'spot',
        list: [
          {
            symbol: 'BTCUSDT',
            baseCoin: 'BTC',
            quoteCoin: 'USDT',
            status: 'Trading',
            lotSizeFilter: {
              basePrecision: '0.000001',
              quotePrecision: '0.0000001',
              minOrderQty: '0.000011',
              maxOrderQty: '83',
              minOrderAmt: '5',
              maxOrderAmt: '8000000',
            },
            priceFilter: { tickSize: '0.1' },
          },
        ],
      },
      time: 1_764_000_000_000,
    },
  },
  okx: {
    'public/instruments': {
      code: '0',
      msg: '',
      data: [
        {
          instType: 'SPOT',
          instId: 'BTC-USDT',
          baseCcy: 'BTC',
          quoteCcy: 'USDT',
          state: 'live',
          tickSz: '0.1',
          lotSz: '0.00000001',
          minSz: '0.00001',
          maxLmtSz: '9999999999',
          ctVal: '',
          settleCcy: '',
          uly: '',
          listTime: '1548133413000',
          lever: '10',
        },
      ],
    },
  },
  kraken: {
    'public/AssetPairs': {
      error: [],
      result: {
        XXBTZUSD: {
          altname: 'XBTUSD',
          wsname: 'XBT/USD',
          base: 'XXBT',
          quote: 'ZUSD',
          status: 'online',
          pair_decimals: 1,
          cost_decimals: 5,
          lot_decimals: 8,
          lot_multiplier: 1,
          ordermin: '0.00005',
          costmin: '0.5',
          tick_size: '0.1',
          leverage_buy: [],
          leverage_sell: [],
          fees: [[0, 0.4]],
          fees_maker: [[0, 0.25]],
        },
      },
    },
    'public/Assets': {
      error: [],
      result: {
        XXBT: {
          aclass: 'currency',
          altname: 'XBT',
          decimals: 10,
          display_decimals: 5,
          status: 'enabled',
        },
        ZUSD: {
          aclass: 'currency',
          altname: 'USD',
          decimals: 4,
          display_decimals: 2,
          status: 'enabled',
        },
      },
    },
  },
  hyperliquid: {
    spotMetaAndAssetCtxs: [
      {
        universe: [{ tokens: [1, 0], name: '@0', index: 0, isCanonical: true }],
        tokens: [
          {
            name: 'USDC',
            szDecimals: 8,
            weiDecimals: 8,
            index: 0,
            tokenId: '0x6d',
            isCanonical: true,
          },
          {
            name: 'HYPE',
            szDecimals: 2,
            weiDecimals: 8,
            index: 1,
            tokenId: '0x0d',
            isCanonical: true,
          },
        ],
      },
      [
        {
          dayNtlVlm: '1000000.0',
          markPx: '33.209',
          midPx: '33.2095',
          prevDayPx: '32.0',
          coin: '@0',
        },
      ],
    ],
    spotMeta: {
      universe: [{ tokens: [1, 0], name: '@0', index: 0, isCanonical: true }],
      tokens: [
        {
          name: 'USDC',
          szDecimals: 8,
          weiDecimals: 8,
          index: 0,
          tokenId: '0x6d',
          isCanonical: true,
        },
        {
          name: 'HYPE',
          szDecimals: 2,
          weiDecimals: 8,
          index: 1,
          tokenId: '0x0d',
          isCanonical: true,
        },
      ],
    },
  },
};

/** The same of linear perpetuals that settle in their quote currency. */
const SWAPS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  binance: {
    'fapi/v1/exchangeInfo': {
      timezone: 'UTC',
      symbols: [
        {
          symbol: 'BTCUSDT',
          pair: 'BTCUSDT',
          contractType: 'PERPETUAL',
          deliveryDate: 4_133_404_800_000,
          status: 'TRADING',
          baseAsset: 'BTC',
          quoteAsset: 'USDT',
          marginAsset: 'USDT',
          pricePrecision: 2,
          quantityPrecision: 3,
          baseAssetPrecision: 8,
          quotePrecision: 8,
          filters: [
            {
              filterType: 'PRICE_FILTER',
              minPrice: '261.10',
              maxPrice: '809484',
              tickSize: '0.10',
            },
            { filterType: 'LOT_SIZE', minQty: '0.001', maxQty: '1000', stepSize: '0.001' },
            { filterType: 'MARKET_LOT_SIZE', minQty: '0.001', maxQty: '120', stepSize: '0.001' },
            { filterType: 'MIN_NOTIONAL', notional: '100' },
          ],
          orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET'],
          timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
        },
      ],
    },
  },
  bybit: {
    'v5/market/instruments-info': {
      retCode: 0,
      retMsg: 'OK',
      result: {
        category: 'linear',
        list: [
          {
            symbol: 'BTCUSDT',
            contractType: 'LinearPerpetual',
            status: 'Trading',
            baseCoin: 'BTC',
            quoteCoin: 'USDT',
            settleCoin: 'USDT',
            launchTime: '1585526400000',
            deliveryTime: '0',
            priceScale: '2',
            leverageFilter: { minLeverage: '1', maxLeverage: '100.00', leverageStep: '0.01' },
            priceFilter: { minPrice: '0.10', maxPrice: '1999999.80', tickSize: '0.10' },
            lotSizeFilter: {
              maxOrderQty: '1190.000',
              minOrderQty: '0.001',
              qtyStep: '0.001',
              minNotionalValue: '5',
            },
            fundingInterval: 480,
          },
        ],
        nextPageCursor: '',
      },
      time: 1_764_000_000_000,
    },
  },
  okx: {
    'public/instruments': {
      code: '0',
      msg: '',
      data: [
        {
          instType: 'SWAP',
          instId: 'BTC-USDT-SWAP',
          baseCcy: '',
          quoteCcy: '',
          settleCcy: 'USDT',
          uly: 'BTC-USDT',
          instFamily: 'BTC-USDT',
          state: 'live',
          tickSz: '0.1',
          lotSz: '0.01',
          minSz: '0.01',
          maxLmtSz: '100000000',
          ctVal: '0.01',
          ctMult: '1',
          ctValCcy: 'BTC',
          ctType: 'linear',
          listTime: '1573557408000',
          expTime: '',
          lever: '100',
        },
      ],
    },
  },
  hyperliquid: {
    metaAndAssetCtxs: [
      { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40, marginTableId: 56 }] },
      [
        {
          funding: '0.0000125',
          openInterest: '27632.81236',
          prevDayPx: '91000.0',
          dayNtlVlm: '2169798045.93',
          premium: '-0.0004339',
          oraclePx: '91105.0',
          markPx: '91069.0',
          midPx: '91065.5',
          impactPxs: ['91065.0', '91066.0'],
        },
      ],
    ],
    spotMeta: { universe: [], tokens: [] },
  },
};

/** What a class of ccxt needs so that it loads spot markets alone, or swaps alone. */
const SPOT: Readonly<Record<string, object>> = {
  binance: {
    options: { fetchMarkets: { types: ['spot'] }, defaultType: 'spot', fetchCurrencies: false },
  },
  bybit: {
    options: {
      fetchMarkets: { types: ['spot'] },
      enableUnifiedAccount: true,
      enableUnifiedMargin: false,
    },
  },
  okx: { options: { fetchMarkets: { types: ['spot'] } } },
  hyperliquid: { options: { fetchMarkets: { types: ['spot'] } } },
};
const SWAP: Readonly<Record<string, object>> = {
  binance: {
    options: { fetchMarkets: { types: ['linear'] }, defaultType: 'swap', fetchCurrencies: false },
  },
  bybit: {
    options: {
      fetchMarkets: { types: ['linear'] },
      enableUnifiedAccount: true,
      enableUnifiedMargin: false,
    },
  },
  okx: { options: { fetchMarkets: { types: ['swap'] } } },
  hyperliquid: { options: { fetchMarkets: { types: ['swap'] } } },
};

/** A call that a class made. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** What a venue answers to a call: an HTTP status and JSON, or a failure of the network. */
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly fails: Error };

interface Faked extends CcxtExchange {
  fetch(url: string, method: string, headers: object, body: string | undefined): Promise<unknown>;
  handleRestResponse(response: Response, url: string, method: string): Promise<unknown>;
  setMarkets(markets: unknown): void;
  has: Record<string, boolean>;
}

const KEYS = {
  apiKey: 'key',
  secret: 'c2VjcmV0',
  password: 'word',
  uid: '1',
  walletAddress: '0x0000000000000000000000000000000000000001',
  privateKey: `0x${'1'.repeat(64)}`,
};

/**
 * An exchange of ccxt whose venue answers from a table: `answers` by a part of address or body, the markets behind
 * them. It has no sockets, so that everything it knows comes by the answers.
 */
export function recordedExchange(
  id: string,
  answers: Readonly<Record<string, Answer>> = {},
  numbers: 'text' | 'float' = 'text',
  kind: 'spot' | 'swap' = 'spot',
): { readonly exchange: CcxtExchange; readonly calls: Call[] } {
  const markets = (kind === 'spot' ? MARKETS : SWAPS)[id] ?? {};
  const config = { ...(kind === 'spot' ? SPOT : SWAP)[id], enableRateLimit: false };
  const module = ccxt as unknown as CcxtModule;
  const exchange = makeExchange(module, { id, sandbox: false, config }, KEYS, numbers) as Faked;
  const calls: Call[] = [];
  exchange.fetch = async (url, method, _headers, body) => {
    const call = { method, url, body: body ?? '' };
    calls.push(call);
    const text = `${url} ${call.body}`;
    const [, answer] = Object.entries(answers).find(([part]) => text.includes(part)) ?? [];
    if (answer !== undefined && 'fails' in answer) throw answer.fails;
    const [, market] = Object.entries(markets).find(([part]) => text.includes(part)) ?? [];
    const json = answer?.json ?? market ?? {};
    const status = answer?.status ?? 200;
    const headers = { 'content-type': 'application/json' };
    const response = new Response(JSON.stringify(json), { status, headers });
    return exchange.handleRestResponse(response, url, method);
  };
  for (const name of Object.keys(exchange.has)) {
    if (name.startsWith('watch')) exchange.has[name] = false;
  }
  Object.assign(exchange.has, { fetchCurrencies: false });
  return { exchange, calls };
}
