import { checkMarginTradeRight } from '../../gateways/trading/client/trade-permission.ts';
import type { TradingClient } from '../../gateways/trading/client/client.ts';
import { ServiceError } from '../../gateways/http/service-error.ts';
import { ZERO } from '../../model/decimal.ts';
import { RIGHTS } from '../../wire/trading/rights.ts';
import { checker, type CheckResult } from './check-result.ts';
import { checkMarginAccounts } from './margin-accounts.ts';
import type { Examined, ExaminedSymbols } from './examined.ts';
import { errorText } from '../../model/errors.ts';

type Rest = TradingClient['rest'];
type Terms = Awaited<ReturnType<Rest['getMarginConfig']>>['config'][number];

/** Spot symbols on margin, and contracts: each has its own calls. */
const MARKETS = ['margin', 'futures'] as const;
type Market = (typeof MARKETS)[number];

const SAYS: Readonly<Record<Market, string>> = {
  margin: 'Margin on spot symbols',
  futures: 'Futures',
};

/**
 * Margin of a live account: whether the key may trade on it, on what terms the symbols of the strategies are,
 * and the accounts and positions that are there already. A service without margin is no fault by itself.
 */
export async function checkMargin(
  examined: Examined,
  symbols: ExaminedSymbols,
  tradesSpot: boolean,
): Promise<readonly CheckResult[]> {
  const found: CheckResult[] = [];
  const terms: Terms[] = [];
  for (const market of MARKETS) {
    const read = await readTerms(examined, market);
    if ('finding' in read) {
      found.push(read.finding);
      continue;
    }
    terms.push(...read.terms);
    if (!read.terms.some(({ active }) => active)) continue;
    // A key that may not trade at all is already reported.
    if (tradesSpot) found.push(await mayTrade(examined, market));
    found.push(...(await accountsOf(examined, market, symbols)));
  }
  return [...found, ...checkTerms(examined, symbols, terms)];
}

async function readTerms(
  { account, client }: Examined,
  market: Market,
): Promise<{ readonly terms: readonly Terms[] } | { readonly finding: CheckResult }> {
  const { ok, warn } = checker(market, account.name);
  const { rest } = client;
  try {
    const { config } = await (market === 'margin'
      ? rest.getMarginConfig()
      : rest.getFuturesConfig());
    return { terms: config };
  } catch (error) {
    // A venue without margin, or without it for this key, rejects the call.
    if (error instanceof ServiceError && error.code === 'service-refused') {
      return { finding: ok(`${SAYS[market]}: none for this key (${errorText(error)})`) };
    }
    const advice = 'Ask again before a strategy trades on margin.';
    return {
      finding: warn(`${SAYS[market]}: the terms cannot be read: ${errorText(error)}`, advice),
    };
  }
}

async function mayTrade({ account, client }: Examined, market: Market): Promise<CheckResult> {
  const { ok, warn } = checker(market, account.name);
  try {
    await checkMarginTradeRight(client, market);
    return ok(`${SAYS[market]}: the key may trade.`);
  } catch (error) {
    return warn(
      `${SAYS[market]}: the key may not trade: ${errorText(error)}`,
      `Give it the right "${RIGHTS.trade}" if a strategy is to trade on margin.`,
    );
  }
}

async function accountsOf(
  examined: Examined,
  market: Market,
  symbols: ExaminedSymbols,
): Promise<readonly CheckResult[]> {
  const { rest } = examined.client;
  try {
    const accounts = await (market === 'margin'
      ? rest.getMarginAccounts()
      : rest.getFuturesAccounts());
    return checkMarginAccounts(examined, accounts, { isContract: market === 'futures', symbols });
  } catch (error) {
    const { fail } = checker(market, examined.account.name);
    return [fail(`${SAYS[market]}: accounts cannot be read: ${errorText(error)}`, 'Ask again.')];
  }
}

/** Checks the margin terms of each symbol of the strategies that has some. */
function checkTerms(
  { strategies }: Examined,
  symbols: ExaminedSymbols,
  terms: readonly Terms[],
): readonly CheckResult[] {
  return strategies.flatMap(({ name, symbols: traded }) =>
    traded.flatMap((symbol): readonly CheckResult[] => {
      const given = Object.hasOwn(symbols, symbol) ? symbols[symbol] : undefined;
      if (given === undefined) return [];
      const { ok, warn, fail } = checker('margin terms', name);
      const isContract = given.type !== 'spot';
      const own = terms.filter((one) => one.symbol === symbol && one.active);
      if (own.length === 0) {
        if (!isContract) return [];
        const advice =
          'Choose another symbol, or ask the service to let the account trade futures.';
        return [fail(`${symbol} is a contract, and the key has no terms to trade it.`, advice)];
      }
      if (given.fee_currency !== given.quote_currency) {
        const why = `${symbol} is quoted in ${given.quote_currency} and settles in ${given.fee_currency}, which is not traded on margin here.`;
        return isContract ? [fail(why, 'Choose a contract that settles in its quote currency.')] : [ok(why)]; // prettier-ignore
      }
      const closed = own.filter(({ enabled }) => !enabled);
      const reported = `${symbol} is on ${own.map(termsText).join(' and on ')}${isContract ? ', and never on spot' : ''}.`;
      if (closed.length === 0) return [ok(reported)];
      return [
        warn(`${reported} Positions can only be reduced now.`, 'Open none until that is over.'),
      ];
    }),
  );
}

const termsText = ({ margin_mode: mode, max_initial_leverage: most }: Terms): string =>
  `${mode.toLowerCase()} margin up to leverage ${(most ?? ZERO).toFixed()}`;
