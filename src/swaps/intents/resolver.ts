import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { drawn, type Span } from '../../platform/span.ts';
import { micros } from '../../platform/time.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import type { Counter } from './counter.ts';
import type { Escrow } from './escrow.ts';
import { isFinal, type Intent, type IntentState, type Stage } from './intent.ts';
import { wrongState, type IntentIndex } from './intent-index.ts';
import type { ResolverTerms } from './terms.ts';

export interface ResolverSetup {
  readonly chains: ChainWorld;
  readonly counter: Counter;
  readonly escrow: Escrow;
  readonly register: IntentIndex;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly terms: ResolverTerms;
}

/**
 * Executes intents: accepts or declines them, takes the user's money into escrow, pays the user from its
 * own, collects the escrow, and refunds it if it cannot pay. Each step is due some time after the previous
 * one; a failed movement out of escrow is retried.
 */
export class Resolver {
  readonly #setup: ResolverSetup;
  readonly #due = new Map<string, Cancel>();
  readonly #deadlines = new Map<string, Cancel>();
  readonly #held = new Set<string>();
  /** Intents with a pending transaction on a live chain. */
  readonly #onChain = new Set<string>();
  readonly #leave: Cancel;

  constructor(setup: ResolverSetup) {
    this.#setup = setup;
    this.#leave = setup.register.follow((intent) => {
      this.#received(intent);
    });
  }

  /** Executes the next step of an intent now, or returns why it cannot; a state without one is rejected. */
  advance(id: string): Rejection | undefined {
    const intent = this.#setup.register.find(id);
    if (isRejection(intent)) return intent;
    const step = this.#onChain.has(id) ? undefined : this.#stepFrom(intent);
    return step === undefined ? wrongState(intent, 'advanced') : step.act(intent);
  }

  /** Declines an intent whose money is not taken yet. */
  decline(id: string, reason: string): Rejection | undefined {
    return this.#by(id, ['approved', 'verified'], 'declined', () => {
      this.#setup.register.move(id, 'failed', { reason });
    });
  }

  /** Requests a refund of escrowed money. */
  requestRefund(id: string, reason: string): Rejection | undefined {
    return this.#by(id, ['deposited'], 'refunded', () => {
      this.#setup.register.move(id, 'refundRequested', { reason });
    });
  }

  /** Pauses an intent, or resumes it. Its deadline stays. */
  hold(id: string, isHeld: boolean): Rejection | undefined {
    const intent = this.#setup.register.find(id);
    if (isRejection(intent)) return intent;
    if (isHeld) this.#held.add(id);
    else this.#held.delete(id);
    this.#plan(intent);
    return undefined;
  }

  /** Nothing happens by time any more. */
  close(): void {
    this.#leave();
    for (const cancel of [...this.#due.values(), ...this.#deadlines.values()]) cancel();
  }

  #by(
    id: string,
    states: readonly IntentState[],
    what: string,
    act: () => void,
  ): Rejection | undefined {
    const intent = this.#setup.register.find(id);
    if (isRejection(intent)) return intent;
    if (!states.includes(intent.state) || this.#onChain.has(id)) return wrongState(intent, what);
    act();
    return undefined;
  }

  #received(intent: Intent): void {
    const { id, state, deadline } = intent;
    if (state === 'created') {
      const cancel = this.#setup.scheduler.at(deadline, () => {
        this.#end(id);
      });
      this.#deadlines.set(id, cancel);
    }
    this.#plan(intent);
    if (!isFinal(state)) return;
    this.#deadlines.get(id)?.();
    this.#deadlines.delete(id);
    this.#held.delete(id);
  }

  /** At the deadline nothing more is started, and escrowed money goes back. */
  #end(id: string): void {
    const { register } = this.#setup;
    this.#deadlines.delete(id);
    const intent = register.find(id);
    // Its pending transaction ends it.
    if (isRejection(intent) || this.#onChain.has(id)) return;
    if (intent.state === 'deposited') {
      register.move(id, 'refundRequested', { reason: LATE });
    } else if (intent.state !== 'refundRequested') {
      register.move(id, 'expired');
    }
  }

  #plan(intent: Intent): void {
    const { id } = intent;
    this.#due.get(id)?.();
    this.#due.delete(id);
    const step = this.#stepFrom(intent);
    const { scheduler, register, terms, random } = this.#setup;
    if (step === undefined || terms.byHand || this.#held.has(id) || this.#onChain.has(id)) return;
    const cancel = scheduler.at(micros(scheduler.now() + drawn(step.afterUs, random)), () => {
      this.#due.delete(id);
      const now = register.find(id);
      if (!isRejection(now) && !this.#onChain.has(id)) step.act(now);
    });
    this.#due.set(id, cancel);
  }

  #stepFrom({ state, swap }: Intent): Step | undefined {
    const { acceptUs, depositUs, fulfilUs, refundUs } = this.#setup.terms;
    switch (state) {
      case 'approved':
        return { afterUs: acceptUs, act: (intent) => this.#accept(intent) };
      case 'verified':
        return { afterUs: depositUs, act: (intent) => this.#deposit(intent) };
      case 'deposited':
        return { afterUs: fulfilUs, act: (intent) => this.#fulfil(intent) };
      case 'refundRequested':
        return { afterUs: refundUs, act: (intent) => this.#refund(intent) };
      case 'finished':
        // The user has been paid; what the resolver has not got yet waits in escrow.
        if (swap !== undefined) return undefined;
        return { afterUs: fulfilUs, act: (intent) => this.#claim(intent) };
      default:
        return undefined;
    }
  }

  #accept(intent: Intent): undefined {
    const { register, random, terms } = this.#setup;
    const isUnlucky = random.chance(terms.declineShare);
    const payout = isUnlucky ? 'The resolver did not want it.' : this.#payout(intent);
    if (typeof payout === 'string') register.move(intent.id, 'failed', { reason: payout });
    else register.move(intent.id, 'verified', { payoutLots: payout });
  }

  /**
   * The resolver's payout: the present value, but no more than quoted, and nothing if that is below the
   * least. Returns the reason as a sentence.
   */
  #payout({ quote, order }: Intent): bigint | string {
    const { chains, counter, escrow } = this.#setup;
    const { from, fromLots, to, outcome } = quote;
    if (chains.balance(from.id, order.from) < fromLots) return 'The user does not hold so much.';
    const now = counter.converted(from, fromLots, to);
    if (isRejection(now)) return now.message;
    if (now < outcome.leastLots) return 'The price has moved beyond the slippage.';
    const lots = now < outcome.mostLots ? now : outcome.mostLots;
    const inventory = chains.balance(to.id, escrow.resolverAt(to.network));
    return inventory < lots ? 'The resolver does not hold so much.' : lots;
  }

  #deposit(intent: Intent): undefined {
    const { register, escrow } = this.#setup;
    const { id, order } = intent;
    this.#begin(id, (done) => {
      escrow.deposit(intent, (deposit) => {
        done();
        if (isRejection(deposit)) {
          // On a live chain the deadline may have passed meanwhile.
          const state = this.#isOver(intent) ? 'expired' : 'failed';
          register.move(id, state, { reason: deposit.message });
          return;
        }
        register.move(id, 'deposited', { deposit });
        const isShort = deposit.lots !== undefined && deposit.lots < order.lots;
        const reason = isShort ? SHORT : this.#isOver(intent) ? LATE : undefined;
        if (reason !== undefined) register.move(id, 'refundRequested', { reason });
      });
    });
  }

  #fulfil(intent: Intent): undefined {
    const { register, escrow, random, terms } = this.#setup;
    const { id, payoutLots } = intent;
    const isUnlucky = random.chance(terms.failShare);
    if (isUnlucky || payoutLots === undefined) {
      register.move(id, 'refundRequested', { reason: 'The resolver could not pay.' });
      return;
    }
    this.#begin(id, (done) => {
      escrow.fulfil(intent, payoutLots, (fulfilment) => {
        done();
        if (isRejection(fulfilment)) {
          register.move(id, 'refundRequested', { reason: fulfilment.message });
        } else this.#finish(intent, fulfilment);
      });
    });
  }

  /** The user is paid. On a live chain the escrow is collected by the next step, which takes blocks. */
  #finish(intent: Intent, fulfilment: Stage): void {
    const { register, escrow, chains } = this.#setup;
    const { id, order } = intent;
    if (chains.isReal(order.network.code)) {
      register.move(id, 'finished', { fulfilment });
      return;
    }
    escrow.claim(intent, (swap) => {
      const claimed = isRejection(swap) ? { reason: waits('taken', swap) } : { swap };
      register.move(id, 'finished', { fulfilment, ...claimed });
    });
  }

  #claim(intent: Intent): Rejection | undefined {
    const { register, escrow } = this.#setup;
    return this.#begin(intent.id, (done) => {
      escrow.claim(intent, (swap) => {
        done(isRejection(swap) ? swap : undefined);
        const { reason: _, ...rest } = intent;
        if (!isRejection(swap)) register.amend(rest, { swap });
        else register.amend(intent, { reason: waits('taken', swap) });
      });
    });
  }

  #refund(intent: Intent): Rejection | undefined {
    const { register, escrow } = this.#setup;
    return this.#begin(intent.id, (done) => {
      escrow.refund(intent, (refund) => {
        done(isRejection(refund) ? refund : undefined);
        if (!isRejection(refund)) register.move(intent.id, 'refunded', { refund });
        else register.amend(intent, { reason: waits('given back', refund) });
      });
    });
  }

  /**
   * Starts a step with a later result on a live chain; meanwhile the intent has no other step. Returns why
   * it was not done, if that is known at once.
   */
  #begin(id: string, step: (done: (why?: Rejection) => void) => void): Rejection | undefined {
    let found: Rejection | undefined;
    this.#due.get(id)?.();
    this.#due.delete(id);
    this.#onChain.add(id);
    step((why) => {
      this.#onChain.delete(id);
      found = why;
    });
    return found;
  }

  #isOver({ deadline }: Intent): boolean {
    return this.#setup.scheduler.now() >= deadline;
  }
}

interface Step {
  readonly afterUs: Span;
  /** Returns why it was not done, if it is retried. */
  readonly act: (intent: Intent) => Rejection | undefined;
}

const LATE = 'The user was not paid in time.';
const SHORT = 'Less arrived in escrow than was agreed.';

const waits = (what: string, { message }: Rejection): string =>
  `What is in escrow could not be ${what}, and is tried again: ${message}`;
