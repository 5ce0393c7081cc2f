import { micros, parseIsoTime, US_PER_MINUTE, type Micros } from '../../../platform/time.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type {
  TransferChange,
  TransferRecord,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import type { Decimal } from '../../../model/decimal.ts';
import { ExchangeOrderError } from '../../exchange-orders/fault.ts';
import { decimalIn, numberIn, textIn, textMaybe } from '../data.ts';

/**
 * The used calls of the exchange order service, with parsed answers: those of `ExchangeOrdersClient` over
 * the network, or of the simulated service in this process.
 */
export interface OrderService {
  getFixRateForAmount(of: OrderAmount): Promise<
    readonly {
      readonly id: string;
      readonly result: Decimal;
      readonly networkFee: Decimal;
      /** Seconds. */
      readonly expiredAt: number;
    }[]
  >;
  getExchangeAmount(
    of: OrderAmount,
  ): Promise<readonly { readonly amountTo: Decimal; readonly networkFee: Decimal }[]>;
  createTransaction(request: OrderForm): Promise<CreatedOrder>;
  createFixTransaction(request: OrderForm & { readonly rateId: string }): Promise<CreatedOrder>;
  getTransactions(query: {
    readonly id?: string;
    readonly currency?: string;
    readonly payoutAddress?: string;
    readonly since?: Micros;
    readonly limit?: number;
    readonly offset?: number;
  }): Promise<readonly OrderStatus[]>;
}

export interface OrderAmount {
  readonly from: string;
  readonly to: string;
  readonly amountFrom: Decimal;
}

/** A request for an order. */
export interface OrderForm extends OrderAmount {
  /** Payout address. */
  readonly address: string;
  readonly extraId?: string;
  readonly refundAddress: string;
  readonly refundExtraId?: string;
}

export interface CreatedOrder {
  readonly id: string;
  readonly payin: { readonly address: string; readonly extraId: string | undefined };
  readonly amountExpectedTo: Decimal;
  readonly networkFee: Decimal;
  /** Payment deadline of a fixed-rate order. */
  readonly payTill?: string | undefined;
}

/** State of an order. */
export interface OrderStatus extends CreatedOrder {
  readonly status: string;
  readonly type: string;
  readonly currencyTo: string;
  readonly amountExpectedFrom: Decimal;
  readonly amountFrom?: Decimal | undefined;
  readonly amountTo?: Decimal | undefined;
  readonly canRefund: boolean;
}

const PAGE = 100;
/** Allowed lead of the clock here over that of the service, for searches by time. */
const CLOCKS_APART_US = US_PER_MINUTE;
/** A float order has no deadline; its estimate is too old after this. */
const FLOAT_US = 10 * US_PER_MINUTE;
/** Latest start of a payment before its deadline; it needs time to be seen. */
const SAFETY_US = US_PER_MINUTE;

/** Orders at the service: creates them, and finds one whose answer was lost. */
export class ExchangeOrders {
  readonly #service: OrderService;
  readonly #scheduler: Scheduler;
  /** Orders that belong to a transfer. */
  readonly #claimed = new Map<string, string>();

  constructor(service: OrderService, scheduler: Scheduler) {
    this.#service = service;
    this.#scheduler = scheduler;
  }

  /** Records which order belongs to a transfer, so that no other transfer claims it. */
  claim({ id, data }: TransferRecord): void {
    const order = textMaybe(data, 'order');
    if (order !== undefined) this.#claimed.set(order, id);
  }

  /** Throws if its outcome is unknown, and if nothing could be sent. */
  async create(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    try {
      return this.#created(transfer, await this.#request(step));
    } catch (error) {
      if (!(error instanceof ExchangeOrderError) || error.code !== 'service-refused') throw error;
      const isWrong = error.class === 'bad-request' || error.class === 'authorization';
      return { state: isWrong ? 'failed' : 'planned', reason: error.message };
    }
  }

  /** Finds the order that a step created, among those without another transfer. */
  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    const { data } = step;
    const amount = decimalIn(data, 'amount');
    const since = micros(numberIn(data, 'at') - CLOCKS_APART_US);
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#service.getTransactions({
        currency: textIn(data, 'from'),
        payoutAddress: textIn(data, 'payout'),
        since,
        limit: PAGE,
        offset,
      });
      const found = page.find(
        (order) =>
          order.currencyTo === textIn(data, 'to') &&
          order.type === textIn(data, 'rate') &&
          order.amountExpectedFrom.equals(amount) &&
          isUnpaid(order) &&
          (this.#claimed.get(order.id) ?? transfer.id) === transfer.id,
      );
      if (found !== undefined) return this.#created(transfer, found);
      if (page.length < PAGE) return 'undone';
    }
  }

  async find(id: string): Promise<OrderStatus | undefined> {
    const [order] = await this.#service.getTransactions({ id });
    return order;
  }

  async #request({ data }: Step): Promise<CreatedOrder> {
    const extraId = textMaybe(data, 'payoutMemo');
    const refundExtraId = textMaybe(data, 'refundMemo');
    const request = {
      from: textIn(data, 'from'),
      to: textIn(data, 'to'),
      amountFrom: decimalIn(data, 'amount'),
      address: textIn(data, 'payout'),
      refundAddress: textIn(data, 'refund'),
      extraId,
      refundExtraId,
    };
    const rateId = textMaybe(data, 'rateId');
    return rateId === undefined
      ? this.#service.createTransaction(request)
      : this.#service.createFixTransaction({ ...request, rateId });
  }

  /** An existing order: to be paid if it brings the agreed amount, and left to lapse if not. */
  #created(
    transfer: TransferRecord,
    { id, payin, amountExpectedTo, networkFee, payTill }: CreatedOrder,
  ): TransferChange {
    const net = amountExpectedTo.minus(networkFee);
    if (net.lessThan(transfer.least)) {
      const reason = `The order would bring ${net.toFixed()} and not ${transfer.least.toFixed()}.`;
      return { state: 'planned', reason };
    }
    this.#claimed.set(id, transfer.id);
    return {
      state: 'created',
      data: { order: id, payinAddress: payin.address, payinExtraId: payin.extraId ?? null },
      expiresAt: this.#payBefore(payTill),
    };
  }

  #payBefore(payTill: string | undefined): Micros {
    const deadline = payTill === undefined ? undefined : parseIsoTime(payTill);
    return micros(deadline === undefined ? this.#scheduler.now() + FLOAT_US : deadline - SAFETY_US);
  }
}

const isUnpaid = ({ status }: OrderStatus): boolean => status === 'waiting' || status === 'new';
