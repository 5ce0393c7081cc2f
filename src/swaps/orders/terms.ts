import { Decimal } from '../../model/decimal.ts';
import type { Span } from '../../platform/span.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';
import type { ChainWorld } from '../chains/chain-world.ts';

/** A currency of the exchange order service: a token of a network, and its settings. */
export interface CurrencyTerms {
  /** In small letters. */
  readonly ticker: string;
  /** Id of the token of the chains. */
  readonly token: number;
  readonly name: string;
  readonly fullName: string;
  /** False keeps it on the list without exchanging it. */
  readonly enabled: boolean;
  readonly enabledFrom: boolean;
  readonly enabledTo: boolean;
  readonly fixRateEnabled: boolean;
  /** Required confirmations of a payment; at most its network's. */
  readonly payinConfirmations: number;
  /** Payment time of a fixed transaction. */
  readonly fixedTimeMs: number;
  /** Fee of a payment by the service. */
  readonly networkFee: Decimal;
  /** Most payout of one transaction; the present balance if absent. */
  readonly liquidity?: Decimal;
  /** Required with its addresses, such as `Destination tag`. */
  readonly extraIdName?: string;
  readonly notifications?: { readonly payin?: string; readonly payout?: string };
  /** `ERC20` and `ethereum`; the clients' default form. */
  readonly protocol: string;
  readonly blockchain: string;
  /** The alternative form. */
  readonly coin: string;
  readonly network: string;
}

/** Offers and prices of the exchange order service. */
export interface ExchangeOrderTerms {
  readonly currencies: readonly CurrencyTerms[];
  /** Percent of the exchanged amount. */
  readonly serviceFee: Decimal;
  /** Least and largest value of an exchange, in the unit of prices. */
  readonly minimumValue: Decimal;
  readonly maximumValue: Decimal;
  /** Assets that all others are exchanged for in one step; other pairs take two. */
  readonly bases: readonly string[];
  /** Ticker of the currency between the two steps. */
  readonly middle: string;
  /** How long a fixed rate can be used. */
  readonly rateUs: number;
  /** Payment time of a float transaction. */
  readonly floatUs: number;
  /** From the last required confirmation until the payout is sent. */
  readonly exchangeUs: Span;
  /** From there until it counts as delivered. */
  readonly sendUs: number;
  /** From the failure of a fixed transaction that was paid wrongly until the money is back. */
  readonly refundUs: number;
  /** Fraction of the paid orders that it does not exchange, 0 to 1: their money comes back. */
  readonly failShare?: number;
}

/** The rates and times of a service like the public one, with its own currencies. */
export const defaultExchangeTerms = (
  currencies: readonly CurrencyTerms[],
  middle: string,
): ExchangeOrderTerms & { readonly exchangeUs: number } => ({
  currencies,
  serviceFee: new Decimal('0.25'),
  minimumValue: new Decimal(10),
  maximumValue: new Decimal(500_000),
  bases: ['BTC', 'USDT', 'USDC'],
  middle,
  rateUs: US_PER_MINUTE,
  floatUs: 3 * US_PER_HOUR,
  exchangeUs: 20 * US_PER_SECOND,
  sendUs: 20 * US_PER_SECOND,
  refundUs: 20 * US_PER_SECOND,
});

const FIXED_TIME_MS = 1_200_000;

const PROTOCOLS = { evm: 'ERC20', tron: 'TRC20', bitcoin: 'BTC', solana: 'SPL' } as const;

/** All listed tokens of a world as currencies that are enabled; payouts cost `networkFee` of each. */
export const defaultCurrencies = (
  chains: ChainWorld,
  networkFee: (asset: string) => Decimal,
): readonly CurrencyTerms[] =>
  chains.tokens.flatMap((token) => {
    const network = chains.networks.find(({ code }) => code === token.network);
    if (network === undefined || !token.listed) return [];
    return [
      {
        ticker: token.ticker,
        token: token.id,
        name: token.asset,
        fullName: token.name,
        enabled: true,
        enabledFrom: true,
        enabledTo: true,
        fixRateEnabled: true,
        payinConfirmations: network.confirmations,
        fixedTimeMs: FIXED_TIME_MS,
        networkFee: networkFee(token.asset),
        protocol: PROTOCOLS[network.family],
        blockchain: network.code,
        coin: token.asset,
        network: network.code,
      },
    ];
  });
