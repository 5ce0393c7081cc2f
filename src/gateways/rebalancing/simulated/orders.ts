import { parseDecimal } from '../../../model/decimal.ts';
import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { isoTime, US_PER_SECOND } from '../../../platform/time.ts';
import type { ExchangeOrder } from '../../../swaps/orders/order.ts';
import { isStopped } from '../../../swaps/orders/order.ts';
import { isDenial } from '../../../swaps/orders/denials.ts';
import { yieldOf } from '../../../swaps/orders/rates.ts';
import type { ExchangeOrderService } from '../../../swaps/orders/service.ts';
import { amountOf } from '../../../swaps/tokens.ts';
import {
  classOfFault,
  ExchangeOrderError,
  type ExchangeOrderFault,
} from '../../exchange-orders/fault.ts';
import type { OrderForm, OrderService, OrderStatus } from '../exchange-order/orders.ts';
import { CLIENT, type SimulatedServices } from './services.ts';
import type { OrderModel } from './settings.ts';
import type { LocalWire } from './wire.ts';

export interface LocalOrderParts {
  readonly name: string;
  readonly model: OrderModel;
  readonly services: () => SimulatedServices;
  readonly wire: LocalWire;
}

/** The exchange order service of this process, which answers all but an acceptance at once. */
export function localOrders({ name, model, services, wire }: LocalOrderParts): OrderService {
  const service = (): ExchangeOrderService => services().order(name);
  const offering = (): void => {
    if (wire.happens(model.chances.refused)) throw refused(NO_OFFER);
  };
  const taking = async (): Promise<void> => {
    await wire.pass(model.accept);
    if (wire.happens(model.chances.expired)) throw refused(EXPIRED);
  };
  const created = (order: ExchangeOrder | Rejection): OrderStatus => {
    if (isRejection(order)) throw refused(order);
    return statusOf(service(), order);
  };
  return {
    getFixRateForAmount: async ({ from, to, amountFrom }) => {
      offering();
      const rate = services().inputs.fixRate(name, from, to, amountFrom);
      if (isRejection(rate)) throw refused(rate);
      const { id, price, expiresAt } = rate;
      const terms = { result: price.result, networkFee: price.networkFee };
      return Promise.resolve([{ id, ...terms, expiredAt: expiresAt / US_PER_SECOND }]);
    },
    getExchangeAmount: async ({ from, to, amountFrom }) => {
      offering();
      const price = service().price(CLIENT, from, to);
      if (isDenial(price)) throw refused(price);
      const wrong = service().rates.check(price, amountFrom);
      if (wrong !== undefined) throw refused(wrong);
      return Promise.resolve([yieldOf(price, amountFrom)]);
    },
    createTransaction: async (request) => {
      await taking();
      return created(services().inputs.createFloat(name, formOf(request)));
    },
    createFixTransaction: async ({ rateId, ...request }) => {
      await taking();
      return created(services().inputs.createFixed(name, { ...formOf(request), rateId }));
    },
    getTransactions: async ({ id, currency, payoutAddress, since, limit, offset = 0 }) => {
      const orders = service().history(CLIENT, false, {
        ids: id === undefined ? undefined : [id],
        currencies: currency === undefined ? undefined : [currency],
        payoutAddresses: payoutAddress === undefined ? undefined : [payoutAddress],
        since,
        limit: limit ?? 1,
        offset,
      });
      return Promise.resolve(orders.map((order) => statusOf(service(), order)));
    },
  };
}

const formOf = ({ from, to, amountFrom, address, refundAddress }: OrderForm) => ({
  from,
  to,
  amountFrom,
  payoutAddress: address,
  refundAddress,
});

function statusOf({ currencies }: ExchangeOrderService, order: ExchangeOrder): OrderStatus {
  const { id, kind, to, state, payin, payout, expected, payinAddress, payinExtraId } = order;
  const { decimals } = currencies.of(order.from).terms;
  const counts = payout?.yield ?? expected;
  return {
    id,
    type: kind,
    status: state,
    currencyTo: to,
    payin: { address: payinAddress, extraId: payinExtraId },
    amountExpectedFrom: order.amountExpectedFrom,
    amountExpectedTo: expected.amountTo,
    networkFee: expected.networkFee,
    ...(kind === 'fixed' ? { payTill: isoTime(order.payTill) } : {}),
    amountFrom: payin === undefined ? undefined : amountOf(payin.lots, decimals),
    amountTo: payout === undefined ? undefined : counts.amountTo.minus(counts.networkFee),
    canRefund: isStopped(order) && order.refundAddress !== undefined,
  };
}

const NO_OFFER: Rejection = { code: 'pair-unavailable', message: 'There is no offer now.' };
const EXPIRED: Rejection = { code: 'rate-id-invalid', message: 'The rate no longer stands.' };

/** Wire names of rejections, where they differ. */
const FAULTS: Readonly<Record<string, ExchangeOrderFault>> = {
  'amount-below-minimum': 'amount-below-minimum',
  'amount-above-maximum': 'amount-above-maximum',
  'liquidity-insufficient': 'liquidity-insufficient',
  'currency-unknown': 'currency-unknown',
  'currency-disabled': 'currency-disabled',
  'address-invalid': 'address-invalid',
  'rate-id-invalid': 'rate-id-expired',
  'request-invalid': 'parameter-invalid',
};

function refused({ code, message, limit }: Rejection): ExchangeOrderError {
  const fault = FAULTS[code] ?? 'pair-unavailable';
  const words = { serviceCode: 0, serviceMessage: message };
  return new ExchangeOrderError(
    { code: 'service-refused', message },
    {
      ...words,
      description: undefined,
      httpStatus: undefined,
      class: classOfFault(fault, 'refused'),
    },
    {
      fault,
      limits: undefined,
      data: undefined,
      limit: limit === undefined ? undefined : parseDecimal(limit),
    },
  );
}
