import { isDenial, type AmountLimits, type Denial } from '../../swaps/orders/denials.ts';
import { yieldOf, type Price } from '../../swaps/orders/rates.ts';
import type { ExchangeOrderService, OrderClient } from '../../swaps/orders/service.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import { EXCHANGE_ERRORS } from '../../wire/exchange-orders/errors.ts';
import type { MethodResult, ReadParams } from '../../wire/exchange-orders/methods.ts';
import { failureOf, RpcFailure } from './outcome.ts';

/** The methods that estimate results, and fix rates. */

type Service = ExchangeOrderService;
type Each<T> = T extends readonly (infer E)[] ? E : T;

type EstimateAsk = Each<ReadParams<'getExchangeAmount'>>;
type RateAsk = Each<ReadParams<'getFixRateForAmount'>>;
type PairAsk = Each<ReadParams<'getFixRate'>>;

const limitsView = ({ min, max }: AmountLimits) => ({
  max: max.from.toFixed(),
  maxFrom: max.from.toFixed(),
  maxTo: max.to.toFixed(),
  min: min.from.toFixed(),
  minFrom: min.from.toFixed(),
  minTo: min.to.toFixed(),
});

const denied = (denial: Denial, side: 'from' | 'to' = 'from'): RpcFailure =>
  failureOf(denial, { kind: 'estimate', side });

/** Present result of an amount. */
export function estimate(
  service: Service,
  client: OrderClient,
  { from, to, amountFrom }: EstimateAsk,
): Each<MethodResult<'getExchangeAmount'>> | RpcFailure {
  const { rates } = service;
  const price = service.price(client, from, to);
  if (isDenial(price)) return denied(price);
  const wrong = rates.check(price, amountFrom);
  if (wrong !== undefined) return denied(wrong);
  const { gross, amountTo, serviceFee, rate, networkFee } = yieldOf(price, amountFrom);
  return {
    from,
    to,
    networkFee: networkFee.toFixed(),
    amountFrom: amountFrom.toFixed(),
    amountTo: amountTo.toFixed(),
    ...limitsView(rates.limits(price, false)),
    visibleAmount: gross.toFixed(),
    rate: rate.toFixed(),
    fee: serviceFee.toFixed(),
  };
}

/** Fixes a rate, and returns the result of an amount. */
export function fixForAmount(
  service: Service,
  client: OrderClient,
  { from, to, amountFrom, amountTo }: RateAsk,
): Each<MethodResult<'getFixRateForAmount'>> | RpcFailure {
  if (amountFrom === undefined && amountTo === undefined) return invalid('amountFrom');
  if (amountFrom !== undefined && amountTo !== undefined) return invalid('amountTo');
  const price = service.price(client, from, to, true);
  if (isDenial(price)) return denied(price);
  if (amountTo !== undefined && amountTo.decimalPlaces() > price.to.terms.decimals) {
    return invalid('amountTo');
  }
  const { rates } = service;
  const amount =
    amountFrom ?? (amountTo === undefined ? undefined : rates.amountFromFor(price, amountTo));
  if (amount === undefined) return invalid('amountFrom');
  const wrong = rates.check(price, amount, true);
  if (wrong !== undefined) return denied(wrong, amountFrom === undefined ? 'to' : 'from');
  const { networkFee, serviceFee, amountTo: before } = yieldOf(price, amount);
  return {
    ...rateView(service, client, price),
    networkFee: networkFee.toFixed(),
    amountFrom: amount.toFixed(),
    amountTo: before.minus(networkFee).toFixed(),
    fee: serviceFee.toFixed(),
  };
}

/** Fixes a rate for any amount; the network fee is shown as for two-step exchanges. */
export function fixRate(
  service: Service,
  client: OrderClient,
  { from, to }: PairAsk,
): Each<MethodResult<'getFixRate'>> | RpcFailure {
  const price = service.price(client, from, to, true);
  if (isDenial(price)) return denied(price);
  const { rates, currencies, terms } = service;
  const networkFee = rates.isTwoStep(price)
    ? rates.networkFeeIn(price, currencies.of(terms.middle))
    : price.networkFee;
  return { ...rateView(service, client, price), networkFee: networkFee.toFixed() };
}

function rateView(service: Service, client: OrderClient, price: Price) {
  const { id, expiresAt } = service.fix(client, price);
  return {
    id,
    result: price.result.toFixed(),
    from: price.from.ticker,
    to: price.to.ticker,
    ...limitsView(service.rates.limits(price, true)),
    expiredAt: expiresAt / US_PER_SECOND,
  };
}

const invalid = (param: string): RpcFailure =>
  new RpcFailure(EXCHANGE_ERRORS.parameterInvalid(param));
