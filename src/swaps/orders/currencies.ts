import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import type { NetworkTerms, TokenTerms } from '../tokens.ts';
import { currencyDisabled, currencyUnknown, pairUnavailable, type Denial } from './denials.ts';
import type { CurrencyTerms } from './terms.ts';

/** A currency with what lies behind it on the chains. */
export interface OrderCurrency extends CurrencyTerms {
  readonly terms: TokenTerms;
  readonly chain: NetworkTerms;
}

/** Manual changes of a currency; `liquidity` of null means the present balance. */
export interface CurrencyChange {
  readonly enabled?: boolean;
  readonly enabledFrom?: boolean;
  readonly enabledTo?: boolean;
  readonly fixRateEnabled?: boolean;
  readonly liquidity?: Decimal | null;
}

/** The currencies of the service, and which of them are exchanged for which now. */
export class OrderCurrencies {
  readonly #currencies: Map<string, OrderCurrency>;
  readonly #disabledPairs = new Set<string>();

  /** Throws `config-invalid` if the terms do not fit the chains. */
  constructor(chains: ChainWorld, currencies: readonly CurrencyTerms[]) {
    this.#currencies = new Map(
      currencies.map((terms) => [terms.ticker, currencyOf(chains, terms)] as const),
    );
    if (this.#currencies.size < currencies.length) throw invalid('two have one ticker');
  }

  all(): readonly OrderCurrency[] {
    return [...this.#currencies.values()];
  }

  find(ticker: string): OrderCurrency | Denial {
    return this.#currencies.get(ticker) ?? currencyUnknown(ticker);
  }

  /** A currency that an order has; it is there as long as the order is. */
  of(ticker: string): OrderCurrency {
    const found = this.#currencies.get(ticker);
    if (found === undefined) throw new MillraceError('internal', `There is no ${ticker}.`);
    return found;
  }

  /** The two currencies of a pair that is exchanged now. */
  pair(
    from: string,
    to: string,
    isFixed: boolean,
  ): readonly [OrderCurrency, OrderCurrency] | Denial {
    const given = this.#currencies.get(from);
    if (given === undefined) return currencyUnknown(from);
    const wanted = this.#currencies.get(to);
    if (wanted === undefined) return currencyUnknown(to);
    const disabled = whyDisabled(given, wanted, isFixed);
    if (disabled !== undefined) return disabled;
    if (from === to || this.#disabledPairs.has(`${from} ${to}`)) return pairUnavailable(from, to);
    return [given, wanted];
  }

  /** A currency that can be paid in and out now. */
  alone(ticker: string): OrderCurrency | Denial {
    const found = this.#currencies.get(ticker);
    if (found === undefined) return currencyUnknown(ticker);
    return whyDisabled(found, found, false) ?? found;
  }

  /** Changes what a currency is good for. */
  change(ticker: string, { liquidity, ...flags }: CurrencyChange): Denial | undefined {
    const found = this.#currencies.get(ticker);
    if (found === undefined) return currencyUnknown(ticker);
    const { liquidity: previous, ...rest } = found;
    const most = liquidity === undefined ? previous : (liquidity ?? undefined);
    const changed = { ...rest, ...flags, ...(most === undefined ? {} : { liquidity: most }) };
    this.#currencies.set(ticker, changed);
    return undefined;
  }

  /** Sets whether one is exchanged for the other. */
  changePair(from: string, to: string, isEnabled: boolean): void {
    if (isEnabled) this.#disabledPairs.delete(`${from} ${to}`);
    else this.#disabledPairs.add(`${from} ${to}`);
  }
}

function whyDisabled(from: OrderCurrency, to: OrderCurrency, isFixed: boolean): Denial | undefined {
  for (const { ticker, enabled } of [from, to]) {
    if (!enabled) return currencyDisabled(ticker, 'currency');
  }
  if (!from.enabledFrom) return currencyDisabled(from.ticker, 'input');
  if (!to.enabledTo) return currencyDisabled(to.ticker, 'output');
  if (!isFixed) return undefined;
  const unfixed = [from, to].find(({ fixRateEnabled }) => !fixRateEnabled);
  return unfixed === undefined ? undefined : currencyDisabled(unfixed.ticker, 'fixed');
}

function currencyOf(chains: ChainWorld, terms: CurrencyTerms): OrderCurrency {
  const { ticker, payinConfirmations } = terms;
  const token = chains.tokens.find(({ id }) => id === terms.token);
  const chain = chains.networks.find(({ code }) => code === token?.network);
  if (token === undefined || chain === undefined) throw invalid(`${ticker} has no token`);
  if (payinConfirmations > chain.confirmations) {
    throw invalid(`${ticker} asks for more confirmations than ${chain.code} gives`);
  }
  if (terms.networkFee.decimalPlaces() > token.decimals || terms.networkFee.isNegative()) {
    throw invalid(`the network fee of ${ticker} is no amount of it`);
  }
  return { ...terms, terms: token, chain };
}

const invalid = (why: string): MillraceError =>
  new MillraceError('config-invalid', `The currencies of exchange orders are wrong: ${why}.`);
