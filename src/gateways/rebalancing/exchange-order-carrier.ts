import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type Slot } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type {
  Carrier,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../swaps/execution/carrier.ts';
import { textIn, textMaybe } from './data.ts';
import type { OrderSource, OrderTarget } from './exchange-order/ends.ts';
import { ExchangeOrders, type OrderService } from './exchange-order/orders.ts';
import { changeByStatus } from './exchange-order/progress.ts';
import { quoteOrder, type RateKind } from './exchange-order/quote.ts';
import { changeOfMove, ifChanged } from './payments/of-move.ts';
import type { Payment } from './payments/payment.ts';

export interface ExchangeOrderCarrierOptions {
  readonly name: string;
  readonly service: OrderService;
  readonly scheduler: Scheduler;
  /** At a rate that is promised for a while, or at that of the moment of the exchange. */
  readonly rate: RateKind;
  /** How much less a float rate may bring than it was estimated to, as a fraction. */
  readonly tolerance: Decimal;
  readonly sources: readonly OrderSource[];
  readonly targets: readonly OrderTarget[];
}

/**
 * Moves inventory by exchange orders: an order is created, its payin address is paid, and the
 * service pays out. Creating moves no money, so an order whose answer was lost is looked for by its
 * payout address, amount and time, and one that is not found is created anew; what nobody pays for
 * lapses. The payment is made once by whoever pays.
 */
export class ExchangeOrderCarrier implements Carrier {
  readonly name: string;
  readonly kind = 'exchangeOrder';
  readonly #options: ExchangeOrderCarrierOptions;
  readonly #orders: ExchangeOrders;

  constructor(options: ExchangeOrderCarrierOptions) {
    this.name = options.name;
    this.#options = options;
    this.#orders = new ExchangeOrders(options.service, options.scheduler);
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    const { sources, targets } = this.#options;
    return sources.flatMap((source) =>
      targets
        .filter(({ ticker }) => ticker !== source.ticker)
        .map((target) => [source.slot, target.slot] as const),
    );
  }

  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
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
      carrier: this.name,
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

  next(move: MoveRecord, now: Micros): Step | undefined {
    this.#orders.claim(move);
    const { source, target } = this.#ends(move);
    if (textMaybe(move.data, 'order') !== undefined) {
      return source.payer.next(paymentOf(move), move.data);
    }
    const { address, memo } = target.payout;
    const { refund } = source;
    const order = {
      rate: textIn(move.data, 'rate'),
      rateId: textMaybe(move.data, 'rateId') ?? null,
      from: source.ticker,
      to: target.ticker,
      amount: textIn(move.data, 'amount'),
      payout: address,
      payoutMemo: memo ?? null,
      refund: refund.address,
      refundMemo: refund.memo ?? null,
      at: now,
    };
    return { name: 'createOrder', data: order, pays: false };
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    this.#orders.claim(move);
    if (step.name === 'createOrder') return this.#orders.create(move, step);
    const { payer } = this.#ends(move).source;
    return changeOfMove(move, STATES, await payer.perform(paymentOf(move), move.data, step));
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    this.#orders.claim(move);
    if (step.name === 'createOrder') return this.#orders.recall(move, step);
    const { payer } = this.#ends(move).source;
    const change = await payer.recall(paymentOf(move), move.data, step);
    return change === 'undone' ? change : changeOfMove(move, STATES, change);
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    this.#orders.claim(move);
    const { payer } = this.#ends(move).source;
    const id = textMaybe(move.data, 'order');
    if (id === undefined || payer.next(paymentOf(move), move.data) !== undefined) return undefined;
    const payment = await payer.observe(paymentOf(move), move.data);
    const paid = changeOfMove(move, STATES, payment);
    if (paid.state === 'expired' || paid.state === 'failed' || paid.state === 'refunded') {
      return paid;
    }
    const order = await this.#orders.find(id);
    if (order === undefined) return ifChanged(move, paid);
    const { sent, paidFee } = paid;
    return ifChanged(move, { ...changeByStatus(order, paid), sent, paidFee });
  }

  #ends({ from, to }: MoveRecord): { readonly source: OrderSource; readonly target: OrderTarget } {
    const source = this.#source(from);
    const target = this.#target(to);
    if (source !== undefined && target !== undefined) return { source, target };
    const sentence = `${this.name} does not move ${slotName(from)} to ${slotName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }

  #source(slot: Slot): OrderSource | undefined {
    return this.#options.sources.find((source) => slotName(source.slot) === slotName(slot));
  }

  #target(slot: Slot): OrderTarget | undefined {
    return this.#options.targets.find((target) => slotName(target.slot) === slotName(slot));
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'deposited',
} as const;

/** The payment of an order: to its payin address, with the id that this asks for. */
function paymentOf({ id, data, send, createdAt }: MoveRecord): Payment {
  const memo = textMaybe(data, 'payinExtraId');
  const to = { address: textIn(data, 'payinAddress'), memo };
  const amount = new Decimal(textIn(data, 'amount'));
  return { id, to, amount, most: send, since: micros(createdAt) };
}

const noPair = (name: string, from: Slot, to: Slot): Rejection => ({
  code: 'pair-unavailable',
  message: `${name} does not move ${slotName(from)} to ${slotName(to)}.`,
});
