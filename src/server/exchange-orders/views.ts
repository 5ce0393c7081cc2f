import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { OrderCurrency } from '../../swaps/orders/currencies.ts';
import { isStopped, type ExchangeOrder } from '../../swaps/orders/order.ts';
import type { ExchangeOrderService } from '../../swaps/orders/service.ts';
import { amountOf } from '../../swaps/tokens.ts';
import type { MethodResult } from '../../wire/exchange-orders/methods.ts';

/** Records as clients read them. Amounts are text with all their digits. */

type Service = ExchangeOrderService;

const text = (amount: Decimal): string => amount.toFixed();

const EXPLORER = 'https://explorer.invalid';

const addressUrl = ({ chain }: OrderCurrency): string => `${EXPLORER}/${chain.code}/address/%1$s`;
const transactionUrl = ({ chain }: OrderCurrency): string => `${EXPLORER}/${chain.code}/tx/%1$s`;
const linkOf = (currency: OrderCurrency, hash: string): string =>
  transactionUrl(currency).replace('%1$s', () => hash);

/** A time as ISO 8601 with milliseconds and offset. */
const isoOffset = (at: Micros): string => new Date(at / 1_000).toISOString().replace('Z', '+00:00');

export function currencyView(
  currency: OrderCurrency,
  coinAndNetwork: boolean,
): MethodResult<'getCurrenciesFull'>[number] {
  const { ticker, name, fullName, enabled, enabledFrom, enabledTo, fixRateEnabled } = currency;
  const { payinConfirmations, extraIdName, notifications, terms, chain } = currency;
  const { protocol, blockchain, coin, network } = currency;
  const isCoin = chain.family === 'bitcoin';
  return {
    name,
    ticker,
    fullName,
    enabled,
    enabledFrom,
    enabledTo,
    fixRateEnabled,
    payinConfirmations,
    extraIdName,
    addressUrl: addressUrl(currency),
    transactionUrl: transactionUrl(currency),
    image: `https://images.invalid/${ticker}.svg`,
    fixedTime: fixRateEnabled ? currency.fixedTimeMs : 0,
    ...(isCoin ? {} : { contractAddress: terms.contract }),
    ...(coinAndNetwork ? { coin, network } : { protocol, blockchain }),
    blockchainPrecision: terms.decimals,
    ...(notifications === undefined ? {} : { notifications }),
  };
}

/** An exchange in the answer to its creation. */
function exchangeView(order: ExchangeOrder) {
  const { id, kind, payinAddress, payoutAddress, from, to, createdAt, expected } = order;
  return {
    id,
    type: kind,
    payinAddress,
    payinExtraId: order.payinExtraId ?? null,
    payoutAddress,
    payoutExtraId: order.payoutExtraId ?? null,
    refundAddress: order.refundAddress ?? null,
    refundExtraId: order.refundExtraId ?? null,
    amountExpectedFrom: text(order.amountExpectedFrom),
    amountExpectedTo: text(expected.amountTo),
    status: 'new',
    currencyTo: to,
    currencyFrom: from,
    createdAt,
    networkFee: text(expected.networkFee),
  };
}

export const createdView = (order: ExchangeOrder): MethodResult<'createTransaction'> =>
  exchangeView(order);

/** The same for a fixed one: null members are left out. */
export const createdFixView = (order: ExchangeOrder): MethodResult<'createFixTransaction'> => {
  const { payinExtraId, payoutExtraId, refundAddress, refundExtraId, ...rest } =
    exchangeView(order);
  const optional = { payinExtraId, payoutExtraId, refundAddress, refundExtraId };
  const known = Object.entries(optional).filter(([, value]) => value !== null);
  return { ...rest, ...Object.fromEntries(known), payTill: isoOffset(order.payTill) };
};

/** Known payments of an order. */
function passageView({ state, payin, payout, receivedAt }: ExchangeOrder) {
  return {
    status: state,
    moneyReceived: receivedAt ?? 0,
    ...(payout === undefined ? {} : { moneySent: payout.at }),
    payinConfirmations: String(payin?.confirmations ?? 0),
    payinHash: payin?.hash ?? null,
    payoutHash: payout?.hash ?? null,
  };
}

export function transactionView(
  { currencies }: Service,
  order: ExchangeOrder,
): MethodResult<'getTransactions'>[number] {
  const from = currencies.of(order.from);
  const to = currencies.of(order.to);
  const { payin, payout, refundHash, kind } = order;
  const counts = payout?.yield ?? order.expected;
  const isHeld = order.state === 'hold';
  return {
    ...exchangeView(order),
    ...passageView(order),
    rate: text(counts.rate),
    ...(from.extraIdName === undefined ? {} : { payinExtraIdName: from.extraIdName }),
    ...(to.extraIdName === undefined ? {} : { payoutExtraIdName: to.extraIdName }),
    payoutHashLink: payout === undefined ? null : linkOf(to, payout.hash),
    ...(refundHash === undefined ? {} : { refundHash, refundHashLink: linkOf(from, refundHash) }),
    amountFrom: payin === undefined ? null : text(amountOf(payin.lots, from.terms.decimals)),
    amountTo: payout === undefined ? null : text(counts.amountTo.minus(counts.networkFee)),
    changellyFee: text(order.serviceFee),
    apiExtraFee: text(order.extraFee),
    totalFee: text(counts.serviceFee.plus(counts.extraFee).plus(counts.networkFee)),
    canPush: isHeld,
    canRefund: isStopped(order) && order.refundAddress !== undefined,
    ...(kind === 'fixed' ? { payTill: isoOffset(order.payTill) } : {}),
  };
}

export function createdPrivateView(
  order: ExchangeOrder,
): MethodResult<'createPrivateSendTransaction'> {
  const { id, from, createdAt, amountExpectedFrom, payinAddress, payoutAddress } = order;
  const { expected, payout } = order;
  const counts = payout?.yield ?? expected;
  return {
    id,
    createdAt,
    status: 'new',
    currency: from,
    amount: text(expected.gross),
    amountFrom: text(amountExpectedFrom),
    payinAddress,
    payinExtraId: order.payinExtraId ?? null,
    payoutAddress,
    payoutExtraId: order.payoutExtraId ?? null,
    serviceFee: text(counts.serviceFee),
    extraFee: text(counts.extraFee),
  };
}

export const privateSendView = (
  order: ExchangeOrder,
): MethodResult<'getPrivateSendTransactions'>[number] => ({
  ...createdPrivateView(order),
  ...passageView(order),
});
