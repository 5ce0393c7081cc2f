import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../swaps/execution/transfer-route.ts';
import { textIn, textMaybe } from './data.ts';
import type { OrderSource, OrderTarget } from './exchange-order/ends.ts';
import { ExchangeOrders, type OrderService } from './exchange-order/orders.ts';
import { changeByStatus } from './exchange-order/progress.ts';
import { quoteOrder, type RateKind } from './exchange-order/quote.ts';
import { changeOfTransfer, ifChanged } from './payments/of-transfer.ts';
import type { Payment } from './payments/payment.ts';

export interface ExchangeOrderRouteOptions {
  readonly name: string;
  readonly service: OrderService;
  readonly scheduler: Scheduler;
  /** At a rate that is promised for a while, or at that of the moment of the exchange. */
  readonly rate: RateKind;
  /** How much less than estimated a float rate may bring, as a fraction. */
  readonly tolerance: Decimal;
  readonly sources: readonly OrderSource[];
  readonly targets: readonly OrderTarget[];
}

/**
 * Transfers inventory by exchange orders: an order is created, its payin address is paid, and the service
 * pays out. Creating moves no money, so an order whose answer was lost is searched by its payout address,
 * amount and time, and one that is not found is created again; an unpaid one lapses. The payer makes the
 * payment once.
 */
export class ExchangeOrderRoute implements TransferRoute {
  readonly name: string;
  readonly kind = 'exchangeOrder';
  readonly #options: ExchangeOrderRouteOptions;
  readonly #orders: ExchangeOrders;

  constructor(options: ExchangeOrderRouteOptions) {
    this.name = options.name;
    this.#options = options;
    this.#orders = new ExchangeOrders(options.service, options.scheduler);
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    const { sources, targets } = this.#options;
    return sources.flatMap((source) =>
      targets
        .filter(({ ticker }) => ticker !== source.ticker)
        .map((target) => [source.holding, target.holding] as const),
    );
  }

  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    const { service, scheduler, rate, tolerance } = this.#options;
    const source = this.#source(from);
    const target = this.#target(to);
    if (source === undefined || target === undefined || source.ticker === target.ticker) {
      return noPair(this.name, from, to);
    }
    const paid = await source.payer.terms(send);
    if (isRejection(paid)) return paid;
    const now = scheduler.now();
    const question = { source, target, amount: paid.arrives, rate, tolerance, now };
    const quote = await quoteOrder(service, question);
    if (isRejection(quote)) return quote;
    const { least, expected, expiresAt, durationUs, rateId } = quote;
    return {
      route: this.name,
      kind: this.kind,
      from,
      to,
      send: paid.leaves,
      least,
      expected,
      expiresAt,
      durationUs: durationUs + paid.durationUs,
      networkFee: paid.networkFee,
      terms: { rate, amount: paid.arrives.toFixed(), rateId: rateId ?? null },
    };
  }

  next(transfer: TransferRecord, now: Micros): Step | undefined {
    this.#orders.claim(transfer);
    const { source, target } = this.#ends(transfer);
    if (textMaybe(transfer.data, 'order') !== undefined) {
      return source.payer.next(paymentOf(transfer), transfer.data);
    }
    const { address, memo } = target.payout;
    const { refund } = source;
    const order = {
      rate: textIn(transfer.data, 'rate'),
      rateId: textMaybe(transfer.data, 'rateId') ?? null,
      from: source.ticker,
      to: target.ticker,
      amount: textIn(transfer.data, 'amount'),
      payout: address,
      payoutMemo: memo ?? null,
      refund: refund.address,
      refundMemo: refund.memo ?? null,
      at: now,
    };
    return { name: 'createOrder', data: order, pays: false };
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    this.#orders.claim(transfer);
    if (step.name === 'createOrder') return this.#orders.create(transfer, step);
    const { payer } = this.#ends(transfer).source;
    return changeOfTransfer(
      transfer,
      STATES,
      await payer.perform(paymentOf(transfer), transfer.data, step),
    );
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    this.#orders.claim(transfer);
    if (step.name === 'createOrder') return this.#orders.recall(transfer, step);
    const { payer } = this.#ends(transfer).source;
    const change = await payer.recall(paymentOf(transfer), transfer.data, step);
    return change === 'undone' ? change : changeOfTransfer(transfer, STATES, change);
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    this.#orders.claim(transfer);
    const { payer } = this.#ends(transfer).source;
    const id = textMaybe(transfer.data, 'order');
    if (id === undefined || payer.next(paymentOf(transfer), transfer.data) !== undefined)
      return undefined;
    const payment = await payer.observe(paymentOf(transfer), transfer.data);
    const paid = changeOfTransfer(transfer, STATES, payment);
    if (paid.state === 'expired' || paid.state === 'failed' || paid.state === 'refunded') {
      return paid;
    }
    const order = await this.#orders.find(id);
    if (order === undefined) return ifChanged(transfer, paid);
    const { sent, paidFee } = paid;
    return ifChanged(transfer, { ...changeByStatus(order, paid), sent, paidFee });
  }

  #ends({ from, to }: TransferRecord): {
    readonly source: OrderSource;
    readonly target: OrderTarget;
  } {
    const source = this.#source(from);
    const target = this.#target(to);
    if (source !== undefined && target !== undefined) return { source, target };
    const sentence = `${this.name} does not transfer ${holdingName(from)} to ${holdingName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }

  #source(holding: HoldingKey): OrderSource | undefined {
    return this.#options.sources.find(
      (source) => holdingName(source.holding) === holdingName(holding),
    );
  }

  #target(holding: HoldingKey): OrderTarget | undefined {
    return this.#options.targets.find(
      (target) => holdingName(target.holding) === holdingName(holding),
    );
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'deposited',
} as const;

/** The payment of an order: to its payin address, with its extra id. */
function paymentOf({ id, data, send, createdAt }: TransferRecord): Payment {
  const memo = textMaybe(data, 'payinExtraId');
  const to = { address: textIn(data, 'payinAddress'), memo };
  const amount = new Decimal(textIn(data, 'amount'));
  return { id, to, amount, most: send, since: micros(createdAt) };
}

const noPair = (name: string, from: HoldingKey, to: HoldingKey): Rejection => ({
  code: 'pair-unavailable',
  message: `${name} does not transfer ${holdingName(from)} to ${holdingName(to)}.`,
});
