import type { Decimal } from '../../model/decimal.ts';
import type { PositionEnd } from '../../model/margin-account.ts';
import { isoTime, micros, parseIsoTime, US_PER_MS } from '../../platform/time.ts';
import type { CcxtExchange, Given } from './exchange.ts';
import { decimalOf } from './terms.ts';

/** Rules for perpetuals at a venue that ccxt does not report. */
export interface ContractRules {
  /** By which `fetchBalance` reads the wallet of perpetuals. */
  readonly balanceParams: Readonly<Record<string, string>>;
  /** The funds of the wallet, without the PnL of open positions; `undefined` if not reported. */
  wallet(balance: Given, currency: string): Decimal | undefined;
  /** Order parameters besides the unified ones for cross margin. */
  readonly orderParams?: Readonly<Record<string, string>>;
  /**
   * How a trade without an order of the bot closes a position: by liquidation or deleveraging, or
   * `undefined`.
   */
  forced(trade: Given, clientOrderId: string): PositionEnd | undefined;
  /** True if a payment of funding is positive in `fetchFundingHistory` when it was paid. */
  readonly isFundingCost?: true;
  /** True if positions are requested one symbol at a time. */
  readonly positionsBySymbol?: true;
  /** True if the leverage is set together with the margin mode. */
  readonly modeNeedsLeverage?: true;
  /** Unified positions and payments of funding, if ccxt does not report them in full. */
  readonly accounts?: 'hitbtc';
}

const member = (given: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (one, name) =>
      typeof one === 'object' && one !== null
        ? (one as Readonly<Record<string | number, unknown>>)[name]
        : undefined,
    given,
  );

const listOf = (given: unknown): readonly Given[] =>
  Array.isArray(given) ? (given as readonly Given[]) : [];

/** The wallet of a currency in a list of records of currencies. */
const inList = (
  list: unknown,
  { name, currency, amount }: { readonly name: string; readonly currency: string; readonly amount: string }, // prettier-ignore
): Decimal | undefined => decimalOf(listOf(list).find((one) => one[name] === currency)?.[amount]);

const NOT_FORCED = (): undefined => undefined;

const binance: ContractRules = {
  balanceParams: { type: 'swap', subType: 'linear' },
  // `total` of ccxt has the results of open positions in it.
  wallet: ({ info }, currency) =>
    inList(member(info, 'assets'), { name: 'asset', currency, amount: 'walletBalance' }),
  forced: (_, clientOrderId) =>
    clientOrderId.startsWith('autoclose-')
      ? 'liquidated'
      : clientOrderId.startsWith('adl_autoclose')
        ? 'deleveraged'
        : undefined,
};
const BYBIT: Readonly<Record<string, PositionEnd>> = { BustTrade: 'liquidated', AdlTrade: 'deleveraged' }; // prettier-ignore
const bybit: ContractRules = {
  balanceParams: { type: 'swap' },
  wallet: ({ info }, currency) =>
    inList(member(info, 'result', 'list', 0, 'coin'), { name: 'coin', currency, amount: 'walletBalance' }), // prettier-ignore
  forced: ({ info }) => BYBIT[String(member(info, 'execType'))],
  isFundingCost: true,
  positionsBySymbol: true,
};
/** Of the sub-types of trades: 100 to 107 are of liquidations, 125 to 128 of deleveraging. */
const okxForced = (subType: number): PositionEnd | undefined =>
  subType >= 100 && subType <= 107
    ? 'liquidated'
    : subType >= 125 && subType <= 128
      ? 'deleveraged'
      : undefined;
const okx: ContractRules = {
  balanceParams: {},
  wallet: ({ info }, currency) =>
    inList(member(info, 'data', 0, 'details'), { name: 'ccy', currency, amount: 'cashBal' }),
  orderParams: { marginMode: 'cross' },
  modeNeedsLeverage: true,
  forced: ({ info }) => okxForced(Number(member(info, 'subType'))),
};
const hyperliquid: ContractRules = {
  balanceParams: { type: 'swap' },
  modeNeedsLeverage: true,
  wallet: ({ info }) =>
    listOf(member(info, 'assetPositions')).reduce<Decimal | undefined>(
      (value, one) => {
        const open = decimalOf(member(one, 'position', 'unrealizedPnl'));
        return open === undefined ? undefined : value?.minus(open);
      },
      decimalOf(member(info, 'marginSummary', 'accountValue')),
    ),
  forced: ({ info }) => (member(info, 'liquidation') === undefined ? undefined : 'liquidated'),
};
/** Its cross accounts have their funds, which are no wallet. */
const hitbtc: ContractRules = {
  balanceParams: {},
  wallet: NOT_FORCED,
  forced: ({ info }) => (member(info, 'liquidation') === true ? 'liquidated' : undefined),
  accounts: 'hitbtc',
};

const CONTRACTS: Readonly<Record<string, ContractRules>> = {
  binance,
  binanceusdm: binance,
  bybit,
  okx,
  okxus: okx,
  myokx: okx,
  hyperliquid,
  hitbtc,
};

/** Rules for perpetuals at an exchange, by its id; `undefined` if unknown. */
export const contractRules = (id: string): ContractRules | undefined => CONTRACTS[id];

/** A position as the exchange shows it, in contracts. */
export interface ShownPosition {
  readonly symbol: string;
  /** Negative for a short. */
  readonly contracts: Decimal;
  readonly entryPrice: Decimal | undefined;
  readonly liquidationPrice: Decimal | undefined;
  /** Its margin; absent if the exchange does not report it. */
  readonly margin: Decimal | undefined;
  readonly leverage: Decimal | undefined;
  readonly mode: string | undefined;
  /** True if it is one of two that a symbol may have. */
  readonly isHedged: boolean;
}

/** The margin account of perpetuals as the exchange shows it. */
export interface ShownAccount {
  /** `undefined` if there is none. */
  readonly wallet: Decimal | undefined;
  /** Of the account itself, if it has one; elsewhere each symbol has its own. */
  readonly leverage?: Decimal | undefined;
  readonly positions: readonly ShownPosition[];
}

/** Reads the margin account of a settlement currency; `exchange` returns numbers as text. */
export async function shownAccount(
  exchange: CcxtExchange,
  rules: ContractRules,
  currency: string,
  symbols: readonly string[],
): Promise<ShownAccount> {
  if (rules.accounts === 'hitbtc') {
    return hitbtcAccount(exchange, await exchange.fetchPositions(), currency);
  }
  const asked = rules.positionsBySymbol === true ? symbols.map((one) => [one]) : [symbols];
  const given: Given[] = [];
  for (const some of asked) given.push(...(await exchange.fetchPositions([...some])));
  const balance = await exchange.fetchBalance(rules.balanceParams);
  return { wallet: rules.wallet(balance, currency), positions: given.flatMap(positionOf) };
}

function positionOf(given: Given): readonly ShownPosition[] {
  const contracts = decimalOf(given.contracts);
  if (contracts === undefined || contracts.isZero()) return [];
  return [
    {
      symbol: String(given.symbol),
      contracts: given.side === 'short' ? contracts.abs().negated() : contracts.abs(),
      entryPrice: decimalOf(given.entryPrice),
      liquidationPrice: decimalOf(given.liquidationPrice),
      margin: decimalOf(given.initialMargin),
      leverage: decimalOf(given.leverage),
      mode: typeof given.marginMode === 'string' ? given.marginMode : undefined,
      isHedged: given.hedged === true,
    },
  ];
}

/** ccxt shows of each account of HitBTC the last of its positions alone, and of a cross account no symbol. */
function hitbtcAccount(
  exchange: CcxtExchange,
  given: readonly Given[],
  currency: string,
): ShownAccount {
  const accounts = given.map(({ info }) => info as Given);
  const own = accounts.find(
    (one) => one.type === 'cross' && listOf(one.currencies).some(({ code }) => code === currency),
  );
  const funds = listOf(own?.currencies).find(({ code }) => code === currency);
  return {
    wallet: decimalOf(funds?.margin_balance),
    leverage: decimalOf(own?.leverage),
    positions: listOf(own?.positions).flatMap((one): readonly ShownPosition[] => {
      const contracts = decimalOf(one.quantity);
      if (contracts === undefined || contracts.isZero()) return [];
      return [
        {
          symbol: exchange.safeSymbol(String(one.symbol)),
          contracts,
          entryPrice: decimalOf(one.price_entry),
          liquidationPrice: decimalOf(one.price_liquidation),
          margin: undefined,
          leverage: decimalOf(own?.leverage),
          mode: 'cross',
          isHedged: false,
        },
      ];
    }),
  };
}

/** A payment of funding. */
export interface ShownFunding {
  readonly symbol: string;
  /** Milliseconds. */
  readonly time: number;
  /** Negative if paid. */
  readonly amount: Decimal;
  readonly price: Decimal | undefined;
  readonly rate: Decimal | undefined;
}

/** Payments of funding since a time in milliseconds, oldest first; unreadable ones are left out. */
export async function shownFundings(
  exchange: CcxtExchange,
  rules: ContractRules,
  symbols: readonly string[],
  sinceMs: number,
): Promise<readonly ShownFunding[]> {
  const all: ShownFunding[] = [];
  const add = (
    symbol: string,
    time: number,
    amount: Decimal | undefined,
    more: Pick<ShownFunding, 'price' | 'rate'>,
  ): void => {
    // prettier-ignore
    if (amount === undefined || !Number.isSafeInteger(time) || time < sinceMs) return;
    if (symbols.includes(symbol)) all.push({ symbol, time, amount, ...more });
  };
  if (rules.accounts === 'hitbtc') {
    const from = isoTime(micros(sinceMs * US_PER_MS));
    const given = await exchange.privateGetFuturesHistoryClearing({ from, limit: 1_000 });
    for (const { kind, symbol, timestamp, amount, price, rate } of listOf(given)) {
      if (kind !== 'funding') continue;
      const more = { price: decimalOf(price), rate: decimalOf(rate) };
      add(exchange.safeSymbol(String(symbol)), (parseIsoTime(String(timestamp)) ?? Number.NaN) / US_PER_MS, decimalOf(amount), more); // prettier-ignore
    }
  } else if (exchange.has.fetchFundingHistory === true) {
    for (const symbol of symbols) {
      for (const given of await exchange.fetchFundingHistory(symbol, sinceMs)) {
        const amount = decimalOf(given.amount);
        const paid = rules.isFundingCost === true ? amount?.negated() : amount;
        const more = { price: undefined, rate: decimalOf(given.rate) };
        add(String(given.symbol), Number(given.timestamp), paid, more);
      }
    }
  }
  return all.sort((one, other) => one.time - other.time);
}
