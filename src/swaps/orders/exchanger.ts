import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { drawn } from '../../platform/span.ts';
import { micros } from '../../platform/time.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import { amountOf } from '../tokens.ts';
import type { OrderCurrencies, OrderCurrency } from './currencies.ts';
import { isDenial, type Denial } from './denials.ts';
import { isStopped, type ExchangeOrder, type Payin, type Yield } from './order.ts';
import { yieldOf, type Price, type Rates } from './rates.ts';
import { wrongState, type ExchangeOrderIndex } from './order-index.ts';
import type { ExchangeOrderTerms } from './terms.ts';
import type { ServiceFunds } from './service-funds.ts';

export interface ExchangerSetup {
  readonly chains: ChainWorld;
  readonly currencies: OrderCurrencies;
  readonly rates: Rates;
  readonly register: ExchangeOrderIndex;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly serviceFunds: ServiceFunds;
  readonly terms: ExchangeOrderTerms;
}

/**
 * Moves orders from their payment to their end, each step some time after the previous one. The payment
 * stays at the payin address until the payout has been sent, so that it can be refunded.
 */
export class Exchanger {
  readonly #setup: ExchangerSetup;
  readonly #due = new Map<string, Cancel>();

  constructor(setup: ExchangerSetup) {
    this.#setup = setup;
  }

  /** Ends an order that is not paid in time. */
  await({ id, kind, payTill }: ExchangeOrder): void {
    this.#at(id, payTill, () => {
      this.#setup.register.move(id, kind === 'fixed' ? 'expired' : 'overdue');
    });
  }

  /** The payment of an order that waits for it is on the chain. */
  paid({ id }: ExchangeOrder, payin: Payin): void {
    this.#cancel(id);
    this.confirmed(this.#setup.register.move(id, 'confirming', { payin }), payin);
  }

  /** A payment has one confirmation more. */
  confirmed({ id, from }: ExchangeOrder, payin: Payin): void {
    const { register, currencies, scheduler } = this.#setup;
    const order = register.note(id, { payin });
    const isEnough = payin.confirmations >= currencies.of(from).payinConfirmations;
    if (!isEnough || order.receivedAt !== undefined) return;
    const received = register.note(id, { receivedAt: scheduler.now() });
    if (received.state === 'confirming') this.#exchange(received);
  }

  /** Holds a paid order that is not exchanged yet. */
  hold(id: string): Rejection | undefined {
    return this.#by(id, 'held', ({ state }) => {
      if (state !== 'confirming' && state !== 'exchanging') return false;
      this.#cancel(id);
      this.#setup.register.move(id, 'hold', { reason: 'It is held for a check.' });
      return true;
    });
  }

  /** Resumes a held order, once its payment has its confirmations. */
  release(id: string): Rejection | undefined {
    return this.#by(id, 'released', (order) => {
      if (order.state !== 'hold' || order.receivedAt === undefined) return false;
      this.#exchange(order);
      return true;
    });
  }

  /** Fails a paid order that is not exchanged yet. */
  fail(id: string, reason: string): Rejection | undefined {
    return this.#by(id, 'failed', (order) => {
      const { state } = order;
      if (state !== 'confirming' && state !== 'exchanging' && state !== 'hold') return false;
      this.#fail(order, reason);
      return true;
    });
  }

  /** Refunds a held or failed order, to its refund address or another. */
  refund(id: string, address?: string, memo?: string): Rejection | undefined {
    const { register, serviceFunds, currencies } = this.#setup;
    const order = register.find(id);
    if (isRejection(order)) return order;
    const { payin, refundAddress, refundExtraId } = order;
    if (payin === undefined || !isStopped(order)) return wrongState(order, 'refunded');
    const to = address ?? refundAddress;
    if (to === undefined) {
      const message = `The order ${id} has no refund address.`;
      return { code: 'address-missing', field: 'address', message };
    }
    const extraId = address === undefined ? refundExtraId : memo;
    const { terms } = currencies.of(order.from);
    const money = { token: terms.id, lots: payin.lots };
    const made = serviceFunds.giveBack(money, order.payinAddress, to, extraId);
    if (isRejection(made)) return made;
    this.#cancel(id);
    register.move(id, 'refunded', { refundHash: made.hash });
    return undefined;
  }

  /** Nothing happens by time any more. */
  close(): void {
    for (const cancel of this.#due.values()) cancel();
    this.#due.clear();
  }

  /** Payout of an order for its payment: the fixed one, or the present value. */
  #yield(order: ExchangeOrder, pair: readonly [OrderCurrency, OrderCurrency]): Yield | Denial {
    if (order.kind === 'fixed') return order.expected;
    const price = this.#setup.rates.price(pair, order.extraFee);
    return isDenial(price) ? price : yieldOf(price, this.#paidAmount(order));
  }

  #paidAmount({ from, payin }: ExchangeOrder) {
    return amountOf(payin?.lots ?? 0n, this.#setup.currencies.of(from).terms.decimals);
  }

  /** Exchanges an order whose payment is confirmed, unless the amount is wrong. */
  #exchange(order: ExchangeOrder): void {
    const { register, terms, random } = this.#setup;
    const wrong = this.#wrongAmount(order);
    if (wrong !== undefined) {
      this.#fail(order, wrong);
      if (order.kind === 'fixed') this.#refundLater(order);
      return;
    }
    register.move(order.id, 'exchanging');
    this.#after(order.id, drawn(terms.exchangeUs, random), () => {
      const { failShare = 0 } = terms;
      if (failShare > 0 && random.chance(failShare)) {
        this.#fail(order, 'The exchange could not be made.');
        this.#refundLater(order);
      } else this.#pay(register.of(order.id));
    });
  }

  #wrongAmount(order: ExchangeOrder): string | undefined {
    const { rates } = this.#setup;
    const amount = this.#paidAmount(order);
    if (order.kind === 'fixed') {
      if (amount.equals(order.amountExpectedFrom)) return undefined;
      return `${amount.toFixed()} was paid and not ${order.amountExpectedFrom.toFixed()}.`;
    }
    const price = rates.price(this.#pair(order), order.extraFee);
    return isDenial(price) ? price.message : this.#whyNot(price, order);
  }

  #whyNot(price: Price, order: ExchangeOrder): string | undefined {
    return this.#setup.rates.check(price, this.#paidAmount(order))?.message;
  }

  #pay(order: ExchangeOrder): void {
    const { register, serviceFunds, scheduler, terms } = this.#setup;
    const pair = this.#pair(order);
    const paid = this.#yield(order, pair);
    const payout = isDenial(paid) ? paid : serviceFunds.settle(order, pair, paid);
    if (isDenial(paid) || isRejection(payout)) {
      this.#fail(order, isRejection(payout) ? payout.message : '');
      return;
    }
    const made = { hash: payout.hash, at: scheduler.now(), yield: paid };
    register.move(order.id, 'sending', { payout: made });
    this.#after(order.id, terms.sendUs, () => {
      register.move(order.id, 'finished');
    });
  }

  #fail({ id }: ExchangeOrder, reason: string): void {
    this.#cancel(id);
    this.#setup.register.move(id, 'failed', { reason });
  }

  #refundLater({ id, refundAddress }: ExchangeOrder): void {
    if (refundAddress === undefined) return;
    this.#after(id, this.#setup.terms.refundUs, () => {
      this.refund(id);
    });
  }

  #pair({ from, to }: ExchangeOrder): readonly [OrderCurrency, OrderCurrency] {
    const { currencies } = this.#setup;
    return [currencies.of(from), currencies.of(to)];
  }

  #by(id: string, what: string, act: (order: ExchangeOrder) => boolean): Rejection | undefined {
    const order = this.#setup.register.find(id);
    if (isRejection(order)) return order;
    return act(order) ? undefined : wrongState(order, what);
  }

  #after(id: string, us: number, act: () => void): void {
    this.#at(id, micros(this.#setup.scheduler.now() + us), act);
  }

  #at(id: string, at: ReturnType<typeof micros>, act: () => void): void {
    this.#cancel(id);
    const cancel = this.#setup.scheduler.at(at, () => {
      this.#due.delete(id);
      act();
    });
    this.#due.set(id, cancel);
  }

  #cancel(id: string): void {
    this.#due.get(id)?.();
    this.#due.delete(id);
  }
}
