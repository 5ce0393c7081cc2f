import type { Answer } from './recorded.ts';

/** When the funding of the answers was paid, in milliseconds. */
export const FUNDED_AT = 1_763_971_200_000;
const SECOND = 1_764_000_000_000;
const ok = (list: readonly object[]): Answer => ({ json: { code: '0', msg: '', data: list } });
const bybit = (list: readonly object[]): Answer => ({
  json: { retCode: 0, retMsg: 'OK', result: { category: 'linear', list }, time: SECOND },
});
const position = { entry: '91000.05', liquidation: '130000.1', leverage: 5 };

/**
 * What exchanges say of a cross account of 1000.12345678 and a short of 0.02 BTC from 91000.05, whose funding of 0.18231
 * was paid once, in their form and shortened; by a part of address or body.
 */
export const MARGIN: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  binance: {
    'fapi/v3/account': {
      json: {
        assets: [
          {
            asset: 'USDT',
            walletBalance: '1000.12345678',
            unrealizedProfit: '-5.00000000',
            marginBalance: '995.12345678',
            availableBalance: '630.00000000',
            initialMargin: '364.00000000',
            updateTime: SECOND,
          },
          {
            asset: 'BNB',
            walletBalance: '0.5',
            marginBalance: '0.5',
            availableBalance: '0.5',
            initialMargin: '0',
            updateTime: SECOND,
          },
        ],
        positions: [],
      },
    },
    'fapi/v3/positionRisk': {
      json: [
        {
          symbol: 'BTCUSDT',
          positionSide: 'BOTH',
          positionAmt: '-0.020',
          entryPrice: position.entry,
          markPrice: '91250.05',
          unRealizedProfit: '-5.00000000',
          liquidationPrice: position.liquidation,
          isolatedMargin: '0',
          notional: '-1825.001',
          marginAsset: 'USDT',
          initialMargin: '365.0002',
          maintMargin: '7.3',
          updateTime: SECOND,
        },
      ],
    },
    leverageBracket: {
      json: [
        {
          symbol: 'BTCUSDT',
          brackets: [
            {
              bracket: 1,
              initialLeverage: 125,
              notionalCap: 50_000,
              notionalFloor: 0,
              maintMarginRatio: 0.004,
              cum: 0,
            },
          ],
        },
      ],
    },
    'fapi/v1/symbolConfig': {
      json: [{ symbol: 'BTCUSDT', marginType: 'CROSSED', leverage: position.leverage }],
    },
    'positionSide/dual': { json: { dualSidePosition: false } },
    'fapi/v1/income': {
      json: [
        {
          symbol: 'BTCUSDT',
          incomeType: 'FUNDING_FEE',
          income: '-0.18231000',
          asset: 'USDT',
          time: FUNDED_AT,
          tranId: 9_689_322_392,
        },
      ],
    },
    'fapi/v1/openOrders': { json: [] },
    'fapi/v1/allOrders': { json: [] },
    'fapi/v1/userTrades': { json: [] },
  },
  bybit: {
    'execType=Funding': bybit([
      {
        symbol: 'BTCUSDT',
        execType: 'Funding',
        execFee: '0.18231',
        feeRate: '0.0001',
        execId: 'funding-1',
        execTime: String(FUNDED_AT),
      },
    ]),
    'v5/position/list': bybit([
      {
        symbol: 'BTCUSDT',
        side: 'Sell',
        size: '0.02',
        positionIdx: 0,
        avgPrice: position.entry,
        leverage: String(position.leverage),
        tradeMode: 0,
        liqPrice: position.liquidation,
        positionIM: '365.0002',
        positionMM: '9.1',
        markPrice: '91250.05',
        positionValue: '1820.001',
        unrealizedPnl: '-5',
        createdTime: String(SECOND),
        updatedTime: String(SECOND),
      },
    ]),
    'v5/account/info': { json: { retCode: 0, result: { marginMode: 'REGULAR_MARGIN' } } },
    'wallet-balance': {
      json: {
        retCode: 0,
        result: {
          list: [
            {
              accountType: 'UNIFIED',
              coin: [{ coin: 'USDT', walletBalance: '1000.12345678', equity: '995.12345678' }],
            },
          ],
        },
      },
    },
    'v5/order': bybit([]),
    'v5/execution/list': bybit([]),
  },
  okx: {
    'account/positions': ok([
      {
        instId: 'BTC-USDT-SWAP',
        instType: 'SWAP',
        // In contracts of 0.01 BTC.
        pos: '-2',
        posSide: 'net',
        mgnMode: 'cross',
        avgPx: position.entry,
        lever: String(position.leverage),
        liqPx: position.liquidation,
        imr: '365.0002',
        mmr: '7.3',
        upl: '-5',
        notionalUsd: '1825',
        markPx: '91250.05',
        cTime: String(SECOND),
        uTime: String(SECOND),
        posId: '1',
      },
    ]),
    'account/balance': ok([
      {
        details: [
          {
            ccy: 'USDT',
            eq: '995.12345678',
            cashBal: '1000.12345678',
            availBal: '630',
            frozenBal: '365',
          },
        ],
        uTime: String(SECOND),
      },
    ]),
    'account/leverage-info': ok([
      { instId: 'BTC-USDT-SWAP', lever: String(position.leverage), mgnMode: 'cross', posSide: 'net' }, // prettier-ignore
    ]),
    'account/config': ok([{ uid: '1', posMode: 'net_mode', acctLv: '2' }]),
    'account/bills-archive': ok([
      {
        billId: '1',
        instId: 'BTC-USDT-SWAP',
        ccy: 'USDT',
        balChg: '-0.18231',
        type: '8',
        ts: String(FUNDED_AT),
      },
    ]),
    'trade/orders-': ok([]),
    'trade/fills': ok([]),
  },
  hyperliquid: {
    '"clearinghouseState"': {
      json: {
        assetPositions: [
          {
            position: {
              coin: 'BTC',
              szi: '-0.02',
              entryPx: '91000.0',
              leverage: { type: 'cross', value: position.leverage },
              liquidationPx: '130000.0',
              marginUsed: '365.0002',
              positionValue: '1825.0',
              unrealizedPnl: '-5.0',
              maxLeverage: 40,
            },
            type: 'oneWay',
          },
        ],
        marginSummary: { accountValue: '995.12345678', totalMarginUsed: '365.0002' },
        crossMarginSummary: { accountValue: '995.12345678', totalMarginUsed: '365.0002' },
        withdrawable: '630.0',
        time: SECOND,
      },
    },
    userAbstraction: { json: 'disabled' },
    '"userFunding"': {
      json: [
        {
          time: FUNDED_AT,
          hash: '0x0000000000000000000000000000000000000000000000000000000000000000',
          delta: { coin: 'BTC', fundingRate: '0.0001', szi: '-0.02', type: 'funding', usdc: '-0.18231' }, // prettier-ignore
        },
      ],
    },
    penOrders: { json: [] },
    historicalOrders: { json: [] },
    userFills: { json: [] },
  },
};
