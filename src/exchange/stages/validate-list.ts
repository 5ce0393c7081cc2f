import { Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import { fundsRefusal } from '../../rules/funds.ts';
import type { NewOrder } from '../../model/order.ts';
import type { ListTerms } from '../../rules/order-list.ts';
import { quoted } from '../../rules/quoted.ts';
import type { Reach } from './fill-estimate.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { OrderLists } from '../orders/lists.ts';
import { BUY, sideCode } from '../orders/side.ts';
import { listRefusal, type Passed } from './guard.ts';
import type { Intake } from './validate.ts';
import type { Means } from './buying-power.ts';

/** An order list as it reaches the exchange. */
export interface NewList extends ListTerms {
  readonly orders: readonly NewOrder[];
}

/** Decides whether an order list is taken on, as one; changes nothing. */
export class ListIntake {
  readonly #intake: Intake;
  readonly #lists: OrderLists;
  readonly #means: Means;
  readonly #ledger: Ledger;
  readonly #tariffs: readonly FeeSchedule[];
  readonly #reach: Reach;

  constructor(setup: {
    readonly intake: Intake;
    readonly lists: OrderLists;
    readonly means: Means;
    readonly ledger: Ledger;
    readonly tariffs: readonly FeeSchedule[];
    readonly reach: Reach;
  }) {
    this.#intake = setup.intake;
    this.#lists = setup.lists;
    this.#means = setup.means;
    this.#ledger = setup.ledger;
    this.#tariffs = setup.tariffs;
    this.#reach = setup.reach;
  }

  /** Why a list is not taken; `instruments` are those of its orders, found already. */
  refusal(
    account: number,
    instruments: readonly number[],
    list: NewList,
    at: Micros,
    passed?: Passed,
  ): Refusal | undefined {
    return (
      listRefusal(list, passed) ??
      this.#idRefusal(account, list) ??
      this.#memberRefusal(account, instruments, list, at, passed) ??
      this.#limitRefusal(account, instruments) ??
      this.#fundsRefusal(account, instruments, list, passed)
    );
  }

  #idRefusal(account: number, { orders }: NewList): Refusal | undefined {
    const id: unknown = orders[0].clientOrderId;
    // What is no text is refused as the id of its order.
    if (typeof id !== 'string' || !this.#lists.has(account, id)) return undefined;
    return {
      code: 'order-list-id-invalid',
      field: 'orderListId',
      message: `A list with active orders has the id ${quoted(id)}; choose another first client order id.`,
    };
  }

  #memberRefusal(
    account: number,
    instruments: readonly number[],
    { contingencyType, orders }: NewList,
    at: Micros,
    passed?: Passed,
  ): Refusal | undefined {
    const triggers = contingencyType.startsWith('oneTrigger');
    for (const [index, order] of orders.entries()) {
      const waits = triggers && index > 0;
      const refusal = this.#intake.memberRefusal(
        account,
        instruments[index],
        order,
        at,
        waits,
        passed,
      );
      if (refusal !== undefined) return inList(refusal, index);
    }
    return undefined;
  }

  #limitRefusal(account: number, instruments: readonly number[]): Refusal | undefined {
    for (const instrument of new Set(instruments)) {
      const on = instruments.filter((other) => other === instrument).length;
      const refusal = this.#intake.limitRefusal(account, instrument, instruments.length, on);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** All of an allOrNone, the dearest leg of an oneCancelOther, the primary of the others. */
  #fundsRefusal(
    account: number,
    instruments: readonly number[],
    { contingencyType, orders }: NewList,
    passed?: Passed,
  ): Refusal | undefined {
    if (contingencyType === 'allOrNone') return this.#sumRefusal(account, instruments, orders);
    const count = contingencyType === 'oneCancelOther' ? orders.length : 1;
    for (const [index, order] of orders.entries()) {
      if (index >= count) break;
      const refusal = this.#means.refusal(account, instruments[index], order, passed);
      if (refusal !== undefined) return inList(refusal, index);
    }
    return undefined;
  }

  /** No order of an allOrNone pays with what another brings. */
  #sumRefusal(
    account: number,
    instruments: readonly number[],
    orders: NewList['orders'],
  ): Refusal | undefined {
    const sums = new Map<number, { amount: Decimal; buys: boolean }>();
    for (const [index, order] of orders.entries()) {
      const instrument = instruments[index];
      const side = sideCode(order.side);
      const { baseIndex, quoteIndex } = this.#tariffs[instrument];
      const currency = side === BUY ? quoteIndex : baseIndex;
      const sum = sums.get(currency) ?? { amount: new Decimal(0), buys: false };
      sum.amount = sum.amount.plus(this.#need(account, instrument, order, index));
      sum.buys ||= side === BUY;
      sums.set(currency, sum);
    }
    for (const [currency, { amount, buys }] of sums) {
      const available = this.#ledger.available(account, currency);
      const name = this.#ledger.purses[currency].currency;
      const refusal = fundsRefusal(buys ? 'buy' : 'sell', name, amount, available);
      if (refusal !== undefined) return { ...refusal, field: 'orders' };
    }
    return undefined;
  }

  /** What an order of an allOrNone needs, measured after those before it. */
  #need(account: number, instrument: number, order: NewOrder, index: number): Decimal {
    const { side, ticks, lots } = order;
    const terms = [account, instrument, sideCode(side), ticks ?? 0, lots] as const;
    if (index === 0) this.#reach.measure(...terms);
    else this.#reach.measureOn(...terms);
    return side === 'buy' && ticks === undefined
      ? this.#means.measuredNeed(account, instrument, order)
      : this.#means.need(account, instrument, order);
  }
}

/** A refusal of one order, told as one of the list. */
const inList = (refusal: Refusal, index: number): Refusal =>
  refusal.field === undefined
    ? refusal
    : { ...refusal, field: `orders[${index}].${refusal.field}` };
