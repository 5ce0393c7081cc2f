import type { CurrencyTerms } from '../../../model/currency.ts';
import { Decimal, ZERO } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Random } from '../../../platform/random.ts';
import { drawn } from '../../../platform/span.ts';
import { US_PER_SECOND } from '../../../platform/time.ts';
import type { TransferRules } from '../../../swaps/chains/wallet-link.ts';
import { DEFAULT_SWAP_TERMS } from '../../../swaps/intents/terms.ts';
import { ExchangeOrderService, type ExchangeOrderSetup } from '../../../swaps/orders/service.ts';
import { defaultCurrencies, defaultExchangeTerms } from '../../../swaps/orders/terms.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type { OrderModel, PortfolioModel, SwapModel } from './settings.ts';

const DECIMALS = 8;
/** Block time of a simulated chain; one block confirms. */
const BLOCK_US = US_PER_SECOND;
const UNLIMITED = new Decimal('1e30');
const BPS = 10_000;

/** A chain of the simulation, by the location of its wallets. */
export const networkOf = (code: string, index: number): NetworkTerms => ({
  id: index + 1,
  code,
  name: code,
  family: 'evm',
  chainId: index + 1,
  blockUs: BLOCK_US,
  confirmations: 1,
  customTokens: false,
});

/** The tokens of all wallets. */
export function tokensOf({ wallets, decimals }: PortfolioModel): readonly TokenTerms[] {
  const holdings = [...wallets].flatMap(([network, assets]) =>
    [...assets.keys()].map((asset) => ({ asset, network })),
  );
  return holdings.map(({ asset, network }, index) => ({
    id: index + 1,
    network,
    asset,
    name: asset,
    listed: true,
    contract: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    decimals: decimals.get(asset) ?? DECIMALS,
    ticker: `${asset}-${network}`.toLowerCase(),
  }));
}

/** Assets that the trading service moves over networks: those that both it and a wallet there can hold. */
export function currenciesOf(
  { networks, wallets, decimals }: PortfolioModel,
  venue: { holds(currency: string): boolean },
): readonly CurrencyTerms[] {
  const locations = new Map<string, string[]>();
  for (const location of networks.keys()) {
    for (const asset of wallets.get(location)?.keys() ?? []) {
      if (venue.holds(asset)) locations.set(asset, [...(locations.get(asset) ?? []), location]);
    }
  }
  const open = { payinEnabled: true, payoutEnabled: true };
  return [...locations].map(([code, its]) => ({
    code,
    name: code,
    ...open,
    transferEnabled: true,
    // As fine as whatever trades leave.
    precisionTransfer: new Decimal(10).pow(-40).toFixed(),
    networks: its.map((network) => ({
      network,
      ...open,
      payinPaymentId: false,
      payoutIsPaymentId: false,
      precisionPayout: new Decimal(10).pow(-(decimals.get(code) ?? DECIMALS)).toFixed(),
      payoutFee: (networks.get(network)?.withdrawal.fees.get(code) ?? ZERO).toFixed(),
      payinConfirmations: 1,
    })),
  }));
}

/** How the trading service sends and credits over a network, at random. */
export function rulesOf(
  { networks }: PortfolioModel,
  location: string,
  random: Random,
): TransferRules {
  const terms = networks.get(location);
  if (terms === undefined) throw new MillraceError('internal', `There is no network ${location}.`);
  const { withdrawal, deposit } = terms;
  const happens = (chance: number): boolean => chance > 0 && random.chance(chance);
  return {
    get sendUs() {
      return drawn(withdrawal.takes, random);
    },
    get creditUs() {
      return drawn(deposit.takes, random);
    },
    get failsToSend() {
      return happens(withdrawal.fails);
    },
    get failsToCredit() {
      return happens(deposit.fails);
    },
  };
}

/** Terms of a modelled swap service. */
export const swapTerms = (model: SwapModel) => ({
  ...DEFAULT_SWAP_TERMS,
  quoteUs: model.validUs,
  spreadBps: model.spread.times(BPS),
  impact: model.impact,
  fee: model.fee,
  minimumValue: model.minimum,
  maximumValue: model.maximum ?? UNLIMITED,
  stable: [],
  resolver: {
    acceptUs: 0,
    depositUs: model.confirm,
    fulfilUs: model.deliver,
    refundUs: 0,
    declineShare: model.chances.failed,
    failShare: model.chances.refunded,
    byHand: false,
  },
});

/** The exchange order service of a model. */
export function orderService(
  model: OrderModel,
  on: Omit<ExchangeOrderSetup, 'terms'>,
): ExchangeOrderService {
  const { networkFees, minimum, maximum = UNLIMITED, deliver, chances } = model;
  const currencies = defaultCurrencies(on.chains, (asset) => networkFees.get(asset) ?? ZERO);
  return new ExchangeOrderService({
    ...on,
    terms: {
      ...defaultExchangeTerms(currencies, currencies[0]?.ticker ?? ''),
      serviceFee: model.spread.times(100),
      minimumValue: minimum,
      maximumValue: maximum,
      rateUs: model.validUs,
      exchangeUs: deliver,
      sendUs: 0,
      refundUs: 0,
      failShare: chances.refunded,
    },
  });
}
