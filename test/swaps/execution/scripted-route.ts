import type { Decimal } from '../../../src/model/decimal.ts';
import type { TransferState, HoldingKey } from '../../../src/model/portfolio.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../../src/swaps/execution/transfer-route.ts';
import { SECOND, type ScriptedIntent, type ScriptedService } from './service.ts';

/** What becomes of a request: `late` is done ten seconds after it was taken for lost. */
export type Outcome = 'answered' | 'answerLost' | 'requestLost' | 'late';

const STATES: Readonly<Record<ScriptedIntent['state'], TransferState>> = {
  Created: 'created',
  Approved: 'approved',
  Deposited: 'deposited',
  Finished: 'fulfilled',
  Refunded: 'refunded',
  Expired: 'expired',
  Failed: 'failed',
};

/** Carries by the scripted service. */
export class ScriptedRoute implements TransferRoute {
  readonly name = 'scripted';
  readonly kind = 'swap';
  /** What becomes of requests, in turn; answered where it is at its end. */
  readonly fates: Outcome[] = [];
  /** Every request, in order: `approve intent-1`. */
  readonly requests: string[] = [];
  /** Refuses to make an offer. */
  rejection: Rejection | undefined;
  readonly #service: ScriptedService;
  readonly #scheduler: VirtualScheduler;

  constructor(service: ScriptedService, scheduler: VirtualScheduler) {
    this.#service = service;
    this.#scheduler = scheduler;
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    return [];
  }

  offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    if (this.rejection !== undefined) return Promise.resolve(this.rejection);
    return this.#ask('quote', () => this.quote(from, to, send));
  }

  /** The offer that it would make now. */
  quote(from: HoldingKey, to: HoldingKey, send: Decimal): Offer {
    const least = send.times(this.#service.rate).minus(this.#service.fee);
    return {
      route: this.name,
      kind: this.kind,
      from,
      to,
      send,
      least,
      expected: least.times('1.005'),
      expiresAt: micros(this.#scheduler.now() + this.#service.quoteUs),
      durationUs: 10 * SECOND,
      terms: { quote: 'q' },
    };
  }

  next(transfer: TransferRecord): Step | undefined {
    if (transfer.state === 'quoted') return { name: 'createIntent', data: {}, pays: false };
    if (transfer.state !== 'created') return undefined;
    return { name: 'approve', data: { intent: intentOf(transfer) }, pays: true };
  }

  perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    if (step.name === 'createIntent') {
      return this.#ask(`create for ${transfer.id}`, () => {
        const { from, to, send, least } = transfer;
        const intent = this.#service.create({ transfer: transfer.id, from, to, send, least });
        return { state: 'created', data: { intent: intent.id }, expiresAt: intent.deadline };
      });
    }
    const intent = String(step.data['intent']);
    return this.#ask(`approve ${intent}`, () =>
      this.#service.approve(intent) ? { state: 'approved' } : this.#standing(intent),
    );
  }

  recall(_: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    if (step.name === 'createIntent') return Promise.resolve('undone');
    const intent = String(step.data['intent']);
    return this.#ask(`recall ${intent}`, () => {
      const change = this.#standing(intent);
      return change.state === 'created' ? 'undone' : change;
    });
  }

  observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    const intent = intentOf(transfer);
    return this.#ask(`observe ${intent}`, () => {
      const change = this.#standing(intent);
      return change.state === transfer.state ? undefined : change;
    });
  }

  #standing(id: string): TransferChange {
    const { state, arrived } = this.#service.find(id);
    const change: TransferChange = { state: STATES[state] };
    if (state === 'Failed') return { ...change, reason: 'The resolver declined it.' };
    if (arrived === undefined) return change;
    return state === 'Refunded' ? { ...change, refunded: arrived } : { ...change, arrived };
  }

  #ask<T>(request: string, work: () => T): Promise<T> {
    this.requests.push(request);
    const outcome = this.fates.shift() ?? 'answered';
    if (outcome === 'answered') return Promise.resolve(work());
    if (outcome === 'answerLost') work();
    // What pays each time must not be on its way while it is taken for undone: that is its route's part.
    if (outcome === 'late' && this.#service.paysOnce) {
      this.#scheduler.at(micros(this.#scheduler.now() + 10 * SECOND), () => void work());
    }
    return Promise.reject(new Error(`no answer to ${request}`));
  }
}

const intentOf = (transfer: TransferRecord): string => String(transfer.data['intent']);
