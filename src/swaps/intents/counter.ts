import { Decimal, ZERO } from '../../model/decimal.ts';
import type { PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { micros, US_PER_MS } from '../../platform/time.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import { amountOf, lotsOf, type NetworkTerms, type TokenTerms } from '../tokens.ts';
import type { Outcome, Quote, SwapRequest, TokenChoice } from './quote.ts';
import type { SwapTerms } from './terms.ts';

const BPS = 10_000;
/** The value by which the impact of a swap is stated. */
const IMPACT_VALUE = 1_000;

export interface CounterSetup {
  readonly chains: ChainWorld;
  readonly priceOf: PriceOf;
  readonly terms: SwapTerms;
  /** The payer of swaps. */
  readonly resolverAt: (network: string) => string;
}

/** A quote before it has an id. */
export type Price = Omit<Quote, 'id' | 'partner' | 'retailUser'>;

/** Prices swaps from tokens and asset prices. */
export class Counter {
  readonly #setup: CounterSetup;

  constructor(setup: CounterSetup) {
    this.#setup = setup;
  }

  /** Price of a request now. Reads only. */
  price({ from: given, to: wanted, amount, slippageBps }: SwapRequest): Price | Rejection {
    const { chains, terms } = this.#setup;
    if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > BPS) {
      const message = `Slippage is 0 to ${BPS} basis points, not ${slippageBps}.`;
      return { code: 'slippage-invalid', field: 'slippage', message };
    }
    const from = this.token(given);
    if (isRejection(from)) return from;
    const to = this.token(wanted);
    if (isRejection(to)) return to;
    const pair = this.#whyNot(from, to);
    if (pair !== undefined) return pair;
    const fromLots = lotsOf(amount, from.decimals);
    if (fromLots === undefined) {
      const message = `${from.asset} has ${from.decimals} decimals, and ${amount.toFixed()} has more.`;
      return { code: 'amount-off-precision', field: 'amount', message };
    }
    const outcome = this.#outcome(from, fromLots, to, slippageBps);
    if (isRejection(outcome)) return outcome;
    const limit = this.#beyondLimits(from, amount) ?? this.#beyondInventory(to, outcome);
    if (limit !== undefined) return limit;
    const mid = this.#route(from, fromLots, to, slippageBps);
    const expiresMs = Math.floor((chains.now() + terms.quoteUs) / US_PER_MS);
    const expiresAt = micros(expiresMs * US_PER_MS);
    const price = { from, fromLots, to, outcome, slippageBps, expiresAt };
    return mid === undefined ? price : { ...price, mid };
  }

  /** The requested token; one beyond the list if its network allows that. */
  token({ id, network: networkId, contract }: TokenChoice): TokenTerms | Rejection {
    const found = this.#setup.chains.tokens.find((token) => {
      const network = this.networkOf(token);
      if (!token.listed && !network.customTokens) return false;
      const isNamed = contract === undefined || sameContract(network, token.contract, contract);
      const isThere = networkId === undefined || networkId === network.id;
      return id === undefined
        ? contract !== undefined && isNamed && isThere
        : token.id === id && isNamed && isThere;
    });
    if (found !== undefined) return found;
    const named = id === undefined ? `${contract ?? ''} on network ${networkId ?? ''}` : `${id}`;
    return { code: 'token-unknown', field: 'token', message: `There is no token ${named} here.` };
  }

  networkOf(token: TokenTerms): NetworkTerms {
    const found = this.#setup.chains.networks.find(({ code }) => code === token.network);
    if (found === undefined) throw new RangeError(`a token of no network: ${token.name}`);
    return found;
  }

  /** Converts an amount of one token into another, rounded down, after spread, impact and fee. */
  converted(from: TokenTerms, lots: bigint, to: TokenTerms): bigint | Rejection {
    const { priceOf, terms } = this.#setup;
    const [given, wanted] = [priceOf(from.asset), priceOf(to.asset)];
    if (given === undefined || wanted === undefined || wanted.isZero()) {
      const message = `The price of ${from.asset} in ${to.asset} is unknown now.`;
      return { code: 'pair-unavailable', field: 'to', message };
    }
    const { spreadBps, impact = ZERO, fee = ZERO } = terms;
    const value = amountOf(lots, from.decimals).times(given);
    const share = new Decimal(BPS).minus(spreadBps).times(IMPACT_VALUE);
    // All in fractions of a thousandth of a basis point, so that nothing is rounded on the way.
    const left = share.minus(impact.times(value).times(BPS)).times(value);
    const whole = BPS * IMPACT_VALUE;
    const unit = amountOf(1n, to.decimals).times(wanted).times(whole);
    const out = left.minus(fee.times(whole)).divToInt(unit);
    return out.isNegative() ? 0n : BigInt(out.toFixed());
  }

  #outcome(
    from: TokenTerms,
    fromLots: bigint,
    to: TokenTerms,
    slippageBps: number,
  ): Outcome | Rejection {
    const mostLots = this.converted(from, fromLots, to);
    if (typeof mostLots !== 'bigint') return mostLots;
    if (mostLots === 0n) {
      const message = `So little ${from.asset} gives not the smallest unit of ${to.asset}.`;
      return { code: 'amount-below-minimum', field: 'amount', message };
    }
    return { mostLots, leastLots: (mostLots * BigInt(BPS - slippageBps)) / BigInt(BPS) };
  }

  #whyNot(from: TokenTerms, to: TokenTerms): Rejection | undefined {
    if (from.id === to.id) {
      const message = `${from.asset} on ${from.network} is what it shall become already.`;
      return { code: 'pair-unavailable', field: 'to', message };
    }
    const bare = [from, to].find(({ wrapped }) => wrapped !== undefined);
    if (bare === undefined) return undefined;
    const message = `${bare.asset} on ${bare.network} must be wrapped first, by ${bare.wrapped ?? ''}.`;
    return { code: 'pair-unavailable', field: bare === from ? 'from' : 'to', message };
  }

  #beyondLimits(from: TokenTerms, amount: Decimal): Rejection | undefined {
    const { priceOf, terms } = this.#setup;
    const unit = priceOf(from.asset);
    if (unit === undefined) return undefined;
    const value = amount.times(unit);
    const field = 'amount';
    if (value.lessThan(terms.minimumValue)) {
      const limit = terms.minimumValue.toFixed();
      const message = `Swaps with a value below ${limit} are not made.`;
      return { code: 'amount-below-minimum', field, message, limit };
    }
    const maximum = this.#maximum();
    if (!value.greaterThan(maximum)) return undefined;
    const limit = maximum.toFixed();
    const message = `Swaps with a value above ${limit} are not made.`;
    return { code: 'amount-above-maximum', field, message, limit };
  }

  /** The amount above which the impact of another unit takes all of it. */
  #maximum(): Decimal {
    const { maximumValue, impact = ZERO, spreadBps } = this.#setup.terms;
    if (impact.isZero()) return maximumValue;
    const left = new Decimal(BPS).minus(spreadBps).times(IMPACT_VALUE);
    const peak = left.dividedBy(impact.times(2 * BPS)).toSignificantDigits(9, Decimal.ROUND_DOWN);
    return Decimal.min(maximumValue, peak);
  }

  #beyondInventory(to: TokenTerms, { mostLots }: Outcome): Rejection | undefined {
    const { chains, resolverAt } = this.#setup;
    if (chains.balance(to.id, resolverAt(to.network)) >= mostLots) return undefined;
    const message = `There is not so much ${to.asset} on ${to.network} now.`;
    return { code: 'liquidity-insufficient', field: 'amount', message };
  }

  /** Two assets that are not stable are swapped over a stable one, on the source network if possible. */
  #route(
    from: TokenTerms,
    fromLots: bigint,
    to: TokenTerms,
    slippageBps: number,
  ): Quote['mid'] | undefined {
    const { chains, terms } = this.#setup;
    const isStable = ({ asset }: TokenTerms): boolean => terms.stable.includes(asset);
    if (from.asset === to.asset || isStable(from) || isStable(to)) return undefined;
    const mids = chains.tokens.filter(({ asset, listed }) => asset === terms.mid && listed);
    const token =
      mids.find(({ network }) => network === from.network) ??
      mids.find(({ network }) => network === to.network) ??
      mids[0];
    if (token === undefined) return undefined;
    const outcome = this.#outcome(from, fromLots, token, slippageBps);
    return isRejection(outcome) ? undefined : { token, outcome };
  }
}

const sameContract = ({ family }: NetworkTerms, one: string, other: string): boolean =>
  family === 'evm' ? one.toLowerCase() === other.toLowerCase() : one === other;
