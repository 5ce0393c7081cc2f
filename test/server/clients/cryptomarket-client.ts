/**
 * What of the package `cryptomarket` the tests use. The package comes as TypeScript that our
 * compiler would judge by our rules, so its types are told here.
 */

/** Any record: the client hands on what the service sends, some of it in camel case. */
export type Shown = Readonly<Record<string, unknown>>;

type Read = (...args: readonly unknown[]) => Promise<unknown>;

export type RestClient = Readonly<
  Record<
    | 'getCurrencies'
    | 'getCurrency'
    | 'getSymbols'
    | 'getSymbol'
    | 'getTickers'
    | 'getTicker'
    | 'getPrices'
    | 'getPriceHistory'
    | 'getTickerLastPrices'
    | 'getTickerLastPrice'
    | 'getTrades'
    | 'getTradesBySymbol'
    | 'getOrderBooks'
    | 'getOrderBook'
    | 'getOrderBookVolume'
    | 'getCandles'
    | 'getCandlesBySymbol'
    | 'getConvertedCandles'
    | 'getConvertedCandlesBySymbol'
    | 'getSpotTradingBalances'
    | 'getSpotTradingBalance'
    | 'getAllActiveSpotOrders'
    | 'getActiveSpotOrder'
    | 'createNewSpotOrder'
    | 'createNewSpotOrderList'
    | 'replaceSpotOrder'
    | 'cancelAllSpotOrders'
    | 'cancelSpotOrder'
    | 'getAllTradingCommissions'
    | 'getTradingCommission'
    | 'getSpotOrdersHistory'
    | 'getSpotTradesHistory'
    | 'getWalletBalances'
    | 'getWalletBalance'
    | 'getDepositCryptoAddresses'
    | 'getDepositCryptoAddress'
    | 'createDepositCryptoAddress'
    | 'withdrawCrypto'
    | 'withdrawCryptoCommit'
    | 'withdrawCryptoRollback'
    | 'getEstimateWithdrawalFee'
    | 'getEstimateWithdrawalFees'
    | 'getBulkEstimateWithdrawalFees'
    | 'getWithdrawalFeesHash'
    | 'checkIfCryptoAddressBelongsToCurrentAccount'
    | 'checkIfOffchainIsAvailable'
    | 'convertBetweenCurrencies'
    | 'transferBetweenWalletAndExchange'
    | 'transferMoneyToAnotherUser'
    | 'getTransactionHistory'
    | 'getTransaction'
    | 'getAmountLocks'
    | 'getWhitelistedAddresses'
    | 'getSubAccountList'
    | 'freezeSubAccounts'
    | 'activateSubAccounts'
    | 'transferFunds'
    | 'getACLSettings'
    | 'changeACLSettings'
    | 'getSubAccountBalance'
    | 'getSubAccountCryptoAddress',
    Read
  >
> & { readonly httpClient: { apiPath: string } };

interface Socket {
  uri: string;
  connect(): Promise<void>;
  close(): Promise<void>;
}

type Callback = (notification: never, type: string) => void;

interface Following {
  readonly callback: Callback;
  readonly params: Shown;
}

export type MarketSocket = Socket &
  Readonly<
    Record<
      | 'subscribeToTrades'
      | 'subscribeToCandles'
      | 'subscribeToConvertedCandles'
      | 'subscribeToMiniTicker'
      | 'subscribeToTicker'
      | 'subscribeToTickerInBatches'
      | 'subscribeToFullOrderBook'
      | 'subscribeToPartialOrderBook'
      | 'subscribeToPartialOrderBookInBatches'
      | 'subscribeToTopOfOrderBook'
      | 'subscribeToTopOfOrderBookInBatches'
      | 'subscribeToPriceRates'
      | 'subscribeToPriceRatesInBatches',
      (following: Following) => Promise<readonly string[]>
    >
  >;

export type TradingSocket = Socket & {
  subscribeToReports(callback: (reports: readonly Shown[], type: string) => void): Promise<unknown>;
  subscribeToSpotBalance(
    callback: (balances: readonly Shown[]) => void,
    mode: string,
  ): Promise<unknown>;
} & Readonly<
    Record<
      | 'getActiveSpotOrders'
      | 'createSpotOrder'
      | 'createNewSpotOrderList'
      | 'cancelSpotOrder'
      | 'replaceSpotOrder'
      | 'cancelSpotOrders'
      | 'getSpotTradingBalances'
      | 'getSpotTradingBalance'
      | 'getSpotFees'
      | 'getSpotFee'
      | 'unsubscribeToReports'
      | 'unsubscribeToSpotBalance',
      Read
    >
  >;

export type WalletSocket = Socket & {
  subscribeToTransactions(callback: (transaction: Shown) => void): Promise<unknown>;
  subscribeToBalance(callback: (balances: readonly Shown[]) => void): Promise<unknown>;
} & Readonly<
    Record<
      | 'getWalletBalances'
      | 'getWalletBalance'
      | 'getTransactions'
      | 'unsubscribeToTransactions'
      | 'unsubscribeToBalance',
      Read
    >
  >;

interface Package {
  readonly Client: new (key: string, secret: string, window?: number) => RestClient;
  readonly WSMarketDataClient: new () => MarketSocket;
  readonly WSTradingClient: new (key: string, secret: string, window?: number) => TradingSocket;
  readonly WSWalletClient: new (key: string, secret: string, window?: number) => WalletSocket;
}

const load = async (name: string): Promise<Package> => (await import(name)) as Package;

/** A client of each kind, pointed at a venue. */
export async function clientsOf(
  port: number,
  [key, secret]: readonly [string, string],
  window?: number,
): Promise<{
  readonly rest: RestClient;
  readonly market: MarketSocket;
  readonly trading: TradingSocket;
  readonly wallet: WalletSocket;
}> {
  const { Client, WSMarketDataClient, WSTradingClient, WSWalletClient } =
    await load('cryptomarket');
  const rest = new Client(key, secret, window);
  rest.httpClient.apiPath = `http://127.0.0.1:${port}/api/3/`;
  const at = <S extends Socket>(socket: S, path: string): S => {
    socket.uri = `ws://127.0.0.1:${port}/api/3/ws/${path}`;
    return socket;
  };
  return {
    rest,
    market: at(new WSMarketDataClient(), 'public'),
    trading: at(new WSTradingClient(key, secret, window), 'trading'),
    wallet: at(new WSWalletClient(key, secret, window), 'wallet'),
  };
}
