import { isRejection } from '../../model/rejections.ts';
import { isDenial, type Denial } from '../../swaps/orders/denials.ts';
import { isAddress, isExtraId } from '../../swaps/orders/parties.ts';
import { yieldOf } from '../../swaps/orders/rates.ts';
import type { ExchangeOrder, OrderParties } from '../../swaps/orders/order.ts';
import type { ExchangeOrderService } from '../../swaps/orders/service.ts';
import { EXCHANGE_ERRORS } from '../../wire/exchange-orders/errors.ts';
import type {
  ExchangeMethod,
  MethodResult,
  ReadParams,
} from '../../wire/exchange-orders/methods.ts';
import { PAGE_DEFAULT } from '../../wire/exchange-orders/requests.ts';
import type { KnownClient } from './clients.ts';
import { estimate, fixForAmount, fixRate } from './estimates.ts';
import { failureOf, RpcFailure } from './outcome.ts';
import {
  createdFixView,
  createdPrivateView,
  createdView,
  currencyView,
  privateSendView,
  transactionView,
} from './views.ts';

/** Handlers of the methods, after their parameters are read. */

type Service = ExchangeOrderService;

type Handler<M extends ExchangeMethod> = (
  service: Service,
  client: KnownClient,
  params: ReadParams<M>,
) => MethodResult<M> | RpcFailure;

const fail = (error: ReturnType<(typeof EXCHANGE_ERRORS)['methodUnknown']>): RpcFailure =>
  new RpcFailure(error);

const estimateDenied = (denial: Denial): RpcFailure =>
  failureOf(denial, { kind: 'estimate', side: 'from' });

/** The array form leaves out pairs that cannot be exchanged; a single one is rejected. */
function bulk<Ask, Each>(
  asked: Ask | readonly Ask[],
  one: (ask: Ask) => Each | RpcFailure,
): Each[] | RpcFailure {
  if (!Array.isArray(asked)) {
    const only = one(asked as Ask);
    return only instanceof RpcFailure ? only : [only];
  }
  const all = (asked as readonly Ask[]).map(one);
  const malformed = all.find((each) => each instanceof RpcFailure && isMalformed(each));
  if (malformed instanceof RpcFailure) return malformed;
  return all.filter((each) => !(each instanceof RpcFailure)) as Each[];
}

const isMalformed = ({ error }: RpcFailure): boolean => error.message.startsWith('Parameter ');

/** The created order, or the error in the words of the methods that create. */
function created<Result>(
  { settings }: KnownClient,
  made: ExchangeOrder | Denial,
  view: (order: ExchangeOrder) => Result,
): Result | RpcFailure {
  if (!isDenial(made)) return view(made);
  return failureOf(made, { kind: 'create', limitsUnreported: settings.limitsUnreported ?? false });
}

/** Metadata is accepted only by arrangement. */
const metadataFault = (
  { settings }: KnownClient,
  { userMetadata }: { readonly userMetadata?: string | undefined },
): RpcFailure | undefined =>
  userMetadata === undefined || settings.userMetadata === true
    ? undefined
    : fail(EXCHANGE_ERRORS.paramInvalid('userMetadata'));

const partiesOf = (
  params: ReadParams<'createTransaction'> | ReadParams<'createFixTransaction'>,
): OrderParties => ({
  payoutAddress: params.address,
  payoutExtraId: params.extraId,
  refundAddress: params.refundAddress,
  refundExtraId: params.refundExtraId,
  fromAddress: params.fromAddress,
  fromExtraId: params.fromExtraId,
  userMetadata: params.userMetadata,
});

function pairsOf({ currencies }: Service, isFixed: boolean): { from: string; to: string }[] {
  const all = currencies.all();
  return all.flatMap(({ ticker: from }) =>
    all.flatMap(({ ticker: to }) =>
      isDenial(currencies.pair(from, to, isFixed)) ? [] : [{ from, to }],
    ),
  );
}

const getPairs: Handler<'getPairs'> = (service, _client, params) => {
  const { from, to, txType } = params ?? {};
  for (const ticker of [from, to]) {
    const found = ticker === undefined ? undefined : service.currencies.find(ticker);
    if (isDenial(found)) return estimateDenied(found);
  }
  return pairsOf(service, txType === 'fixed').filter(
    (pair) => (from === undefined || pair.from === from) && (to === undefined || pair.to === to),
  );
};

const getPairsParams: Handler<'getPairsParams'> = (service, client, params) =>
  bulk(params, ({ from, to }) => {
    const price = service.price(client, from, to);
    if (isDenial(price)) return estimateDenied(price);
    const float = service.rates.limits(price, false);
    return {
      from,
      to,
      minAmountFloat: float.min.from.toFixed(),
      maxAmountFloat: float.max.from.toFixed(),
      minAmountFixed: float.min.from.toFixed(),
      maxAmountFixed: float.max.from.toFixed(),
    };
  });

const getMinAmount: Handler<'getMinAmount'> = (service, client, { from, to }) => {
  const price = service.price(client, from, to);
  if (isDenial(price)) return estimateDenied(price);
  return service.rates.limits(price, false).min.from.toFixed();
};

const getFixRate: Handler<'getFixRate'> = (service, client, params) => {
  const rates: Exclude<ReturnType<typeof fixRate>, RpcFailure>[] = [];
  const asked = Array.isArray(params) ? params : [params];
  // Nothing is fixed unless all can be.
  for (const { from, to } of asked) {
    const price = service.price(client, from, to, true);
    if (isDenial(price)) return estimateDenied(price);
  }
  for (const ask of asked) {
    const rate = fixRate(service, client, ask);
    if (rate instanceof RpcFailure) return rate;
    rates.push(rate);
  }
  return rates;
};

const createTransaction: Handler<'createTransaction'> = (service, client, params) => {
  const { from, to, amountFrom } = params;
  const managedOrder = { from, to, amountFrom, ...partiesOf(params) };
  return (
    metadataFault(client, params) ??
    created(client, service.createFloat(client, managedOrder), createdView)
  );
};

const createFixTransaction: Handler<'createFixTransaction'> = (service, client, params) => {
  const { from, to, rateId, amountFrom, amountTo } = params;
  if (amountFrom === undefined && amountTo === undefined) {
    return fail(EXCHANGE_ERRORS.paramsMissing());
  }
  if (amountFrom !== undefined && amountTo !== undefined) {
    return fail(EXCHANGE_ERRORS.paramInvalid('amountTo'));
  }
  const managedOrder = { from, to, rateId, amountFrom, amountTo, ...partiesOf(params) };
  return (
    metadataFault(client, params) ??
    created(client, service.createFixed(client, managedOrder), createdFixView)
  );
};

const getTransactions: Handler<'getTransactions'> = (service, client, params) => {
  const { id, status, currency, address, payoutAddress, extraId, since, before } = params ?? {};
  return service
    .history(client, false, {
      ids: id,
      // A newly created order reads as waiting everywhere.
      states: status?.map((state) => (state === 'new' ? 'waiting' : state)),
      currencies: currency,
      payinAddresses: address,
      payoutAddresses: payoutAddress,
      payoutExtraId: extraId,
      since,
      before,
      limit: params?.limit ?? PAGE_DEFAULT,
      offset: params?.offset ?? 0,
    })
    .map((order) => transactionView(service, order));
};

const validateAddress: Handler<'validateAddress'> = (service, _client, params) => {
  const currency = service.currencies.find(params.currency);
  if (isDenial(currency)) return estimateDenied(currency);
  if (!isAddress(service.chains, currency, params.address)) {
    return { result: false, message: 'Invalid address' };
  }
  const { extraId } = params;
  if (currency.extraIdName === undefined || extraId === undefined) return { result: true };
  return isExtraId(currency, extraId)
    ? { result: true }
    : { result: false, message: 'Invalid extraId' };
};

const estimatePrivateSend: Handler<'estimatePrivateSend'> = (service, client, params) => {
  const { currency, amount } = params;
  const price = service.privatePrice(client, currency);
  if (isDenial(price)) return estimateDenied(price);
  const wrong = service.rates.check(price, amount);
  if (wrong !== undefined) return estimateDenied(wrong);
  const { gross, serviceFee, extraFee } = yieldOf(price, amount);
  const { min, max } = service.rates.limits(price, false);
  return {
    currency,
    amount: gross.toFixed(),
    amountFrom: amount.toFixed(),
    serviceFee: serviceFee.toFixed(),
    extraFee: extraFee.toFixed(),
    min: min.from.toFixed(),
    max: max.from.toFixed(),
  };
};

const createPrivateSendTransaction: Handler<'createPrivateSendTransaction'> = (
  service,
  client,
  params,
) => {
  const { currency, amount, address, addressExtraId, userMetadata } = params;
  const parties = { payoutAddress: address, payoutExtraId: addressExtraId, userMetadata };
  return (
    metadataFault(client, params) ??
    created(
      client,
      service.createPrivate(client, { currency, amount, ...parties }),
      createdPrivateView,
    )
  );
};

const getPrivateSendTransactions: Handler<'getPrivateSendTransactions'> = (
  service,
  client,
  params,
) => {
  const { id, status, currency, payinAddress, payoutAddress, payoutExtraId } = params ?? {};
  const only = (value: string | undefined) => (value === undefined ? undefined : [value]);
  return service
    .history(client, true, {
      ids: only(id),
      states: only(status === 'new' ? 'waiting' : status),
      currencies: only(currency),
      payinAddresses: only(payinAddress),
      payoutAddresses: only(payoutAddress),
      payoutExtraId,
      since: params?.since,
      before: params?.before,
      limit: params?.limit ?? PAGE_DEFAULT,
      offset: params?.offset ?? 0,
    })
    .map(privateSendView);
};

export const EXCHANGE_HANDLERS: { readonly [M in ExchangeMethod]: Handler<M> } = {
  getCurrencies: ({ currencies }) =>
    currencies.all().flatMap(({ ticker, enabled }) => (enabled ? [ticker] : [])),
  getCurrenciesFull: ({ currencies }, { settings }) =>
    currencies.all().map((currency) => currencyView(currency, settings.coinAndNetwork ?? false)),
  getPairs,
  getPairsParams,
  getMinAmount,
  getExchangeAmount: (service, client, params) =>
    bulk(params, (ask) => estimate(service, client, ask)),
  getFixRateForAmount: (service, client, params) =>
    bulk(params, (ask) => fixForAmount(service, client, ask)),
  getFixRate,
  createTransaction,
  createFixTransaction,
  getStatus: (service, client, { id }) => {
    const order = service.order(client, id);
    return isRejection(order) ? fail(EXCHANGE_ERRORS.transactionUnknown()) : order.state;
  },
  getTransactions,
  validateAddress,
  estimatePrivateSend,
  createPrivateSendTransaction,
  getPrivateSendTransactions,
};
