import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type MoveState, type Slot } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { minerFee } from '../../swaps/approvals/htlc/fee.ts';
import type { AgreedTerms } from '../../swaps/approvals/approval.ts';
import type {
  Carrier,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../swaps/execution/carrier.ts';
import { amountOf, lotsOf, type TokenTerms } from '../../swaps/tokens.ts';
import { readJson } from '../../wire/json.ts';
import { ServiceError } from '../http/service-error.ts';
import { numberIn, textIn } from './data.ts';
import {
  isGiven,
  observePermit,
  permit,
  permitFee,
  permitStep,
  preparePermit,
  recallPermit,
  UNPERMITTED,
} from './swap/permit.ts';
import type { SwapPlace, SwapPath } from './swap/place.ts';
import type { SwapOffer, SwapService } from './swap/service.ts';
import { swapStatusOf } from './swap/status.ts';

export interface SwapCarrierOptions {
  readonly name: string;
  /** The swap service, by one of its surfaces. */
  readonly service: SwapService;
  readonly places: readonly SwapPlace[];
  /** How much less than quoted may arrive, in basis points; 50 where absent. */
  readonly slippageBps?: number;
}

const SLIPPAGE_BPS = 50;
/** States of a move whose money has left. */
const TAKEN: ReadonlySet<MoveState> = new Set(['deposited', 'fulfilled', 'refunded']);
/** What a resolver takes beside the blocks of the two networks. */
const RESOLVER_US = 20 * US_PER_SECOND;
/** What is left of an intent when it may still be approved. */
const MARGIN_US = 2 * US_PER_SECOND;

/**
 * Moves inventory by swap intents: a quote, an intent on it, and one approval, by which the resolver
 * takes the money. An intent that nobody approves moves nothing and lapses, so one whose answer was
 * lost is let go; an approval that was sent is never sent for another intent, and an intent takes
 * one.
 */
export class SwapCarrier implements Carrier {
  readonly name: string;
  readonly kind = 'swap';
  readonly #options: SwapCarrierOptions;

  constructor(options: SwapCarrierOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Between all places, but for coins that have to be wrapped first. */
  pairs(): readonly (readonly [Slot, Slot])[] {
    const slots = this.#options.places
      .filter(({ token }) => token.wrapped === undefined)
      .map(({ slot }) => slot);
    return slots.flatMap((from) =>
      slots.filter((to) => to !== from).map((to) => [from, to] as const),
    );
  }

  /**
   * At the least the lower bound of the quote arrives; expected is the middle of its bounds, rounded
   * down. What is finer than the token is left out of what is sent.
   */
  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    const route = this.#route(from, to);
    if (route === undefined) return noPair(`${this.name} does not swap ${slotName(from)} for ${slotName(to)}.`); // prettier-ignore
    const { token } = route.from;
    const amount = send.toDecimalPlaces(token.decimals, Decimal.ROUND_DOWN);
    if (!amount.greaterThan(0)) {
      const message = `${send.toFixed()} ${token.asset} is less than can be sent.`;
      return { code: 'amount-below-minimum', field: 'amount', message };
    }
    const quote = await this.#quote(route, amount);
    if ('code' in quote) return quote;
    const fee = await permitFee(amount, route.from);
    if (isRejection(fee)) return fee;
    const { leastLots, mostLots, expiresAt } = quote;
    const { decimals } = route.to.token;
    return {
      carrier: this.name,
      kind: this.kind,
      from,
      to,
      send: amount,
      least: amountOf(leastLots, decimals),
      expected: amountOf((leastLots + mostLots) / 2n, decimals),
      expiresAt,
      durationUs: durationOf(route),
      networkFee: fee,
      terms: { quote: quote.id, slippage: this.#slippage },
    };
  }

  next(move: MoveRecord, now: Micros): Step | undefined {
    const { state, data, expiresAt } = move;
    if (state === 'quoted') {
      return { name: 'createIntent', data: { quote: textIn(data, 'quote') }, pays: false };
    }
    if (state !== 'created') return undefined;
    if (data['permit'] === 'missing') return permitStep(move, this.#routeOf(move).from);
    if (data['permit'] === 'sent') return undefined;
    // Whether it was approved in time is for the service to say.
    if (now + MARGIN_US >= expiresAt && move.paying) return undefined;
    return { name: 'approve', data: { intent: textIn(data, 'intent') }, pays: true };
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    switch (step.name) {
      case 'createIntent':
        return this.#create(move);
      case 'preparePermit':
        return preparePermit(move, this.#routeOf(move).from, step);
      case 'permit':
        return permit(move, this.#routeOf(move).from, step);
      default:
        return this.#approve(move);
    }
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    switch (step.name) {
      case 'createIntent':
      case 'preparePermit':
        return 'undone';
      case 'permit':
        return recallPermit(move, this.#routeOf(move).from);
      default: {
        const change = await this.#status(move);
        return change.state === 'created' ? 'undone' : change;
      }
    }
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    if (move.state === 'created' && move.data['permit'] === 'sent') {
      return observePermit(move, this.#routeOf(move).from);
    }
    const change = await this.#status(move);
    return change.state === move.state && change.reason === move.reason ? undefined : change;
  }

  async #create(move: MoveRecord): Promise<MoveChange> {
    const { service } = this.#options;
    const slippage = textIn(move.data, 'slippage');
    const asked = { route: this.#routeOf(move), amount: move.send, slippage };
    try {
      const made = await service.createIntent(asked, textIn(move.data, 'quote'));
      const { intent, form, params, deadline: expiresAt = move.expiresAt } = made;
      const data = { intent, form, toSign: JSON.stringify(params), deadline: expiresAt };
      return { state: 'created', data, expiresAt };
    } catch (error) {
      if (!isRefused(error)) throw error;
      // A quote that has expired or served is made good by another one, a wrong request is not.
      const state = error.class === 'refused' ? 'planned' : 'failed';
      return { state, reason: error.serviceMessage };
    }
  }

  async #approve(move: MoveRecord): Promise<MoveChange> {
    const route = this.#routeOf(move);
    const intent = {
      intent: textIn(move.data, 'intent'),
      form: textIn(move.data, 'form'),
      params: readJson(textIn(move.data, 'toSign')) as Readonly<Record<string, unknown>>,
      deadline: micros(numberIn(move.data, 'deadline')),
    };
    try {
      await this.#options.service.approve(intent, agreedTerms(move, route), route.from.signer);
      return { state: 'approved' };
    } catch (error) {
      if (error instanceof MillraceError && error.code === 'approval-refused') {
        return { state: 'failed', reason: error.message };
      }
      if (!isRefused(error)) throw error;
      return this.#refused(move, error);
    }
  }

  /** An approval that the service refused: it has one already, it lacks a permit, or it is wrong. */
  async #refused(move: MoveRecord, { serviceMessage }: ServiceError): Promise<MoveChange> {
    const change = await this.#status(move);
    if (change.state !== 'created') return change;
    const { from } = this.#routeOf(move);
    const isPermit2 = textIn(move.data, 'form') === 'permit2';
    if (isPermit2 && !(await isGiven(move, from))) return UNPERMITTED;
    return { state: 'failed', reason: serviceMessage };
  }

  async #status(move: MoveRecord): Promise<MoveChange> {
    const status = await this.#options.service.status(textIn(move.data, 'intent'));
    const route = this.#routeOf(move);
    const change = await swapStatusOf(status, route);
    const sent = TAKEN.has(change.state) ? sentBy(move, route.from.token) : undefined;
    return sent === undefined ? change : { ...change, sent };
  }

  async #quote(route: SwapPath, amount: Decimal): Promise<SwapOffer | Rejection> {
    try {
      return await this.#options.service.quote({ route, amount, slippage: this.#slippage });
    } catch (error) {
      if (!isRefused(error) || error.class === 'authorization') throw error;
      return noPair(error.serviceMessage);
    }
  }

  get #slippage(): string {
    return String(this.#options.slippageBps ?? SLIPPAGE_BPS);
  }

  #route(from: Slot, to: Slot): SwapPath | undefined {
    const place = (slot: Slot): SwapPlace | undefined =>
      this.#options.places.find((one) => slotName(one.slot) === slotName(slot));
    const [first, last] = [place(from), place(to)];
    return first === undefined || last === undefined ? undefined : { from: first, to: last };
  }

  #routeOf({ id, from, to }: MoveRecord): SwapPath {
    const route = this.#route(from, to);
    if (route !== undefined) return route;
    throw new MillraceError(
      'config-invalid',
      `The move ${id} goes from ${slotName(from)} to ${slotName(to)}, and ${this.name} no longer has both; put them back until it has ended.`,
    );
  }
}

/** What may be signed: what the offer says that leaves, and what must arrive for it. */
const agreedTerms = ({ send, least }: MoveRecord, { from, to }: SwapPath): AgreedTerms => ({
  network: from.network,
  token: from.token.contract,
  lots: lotsOf(send, from.token.decimals) ?? 0n,
  from: from.signer.address,
  destination: {
    network: to.network.id,
    token: to.token.contract,
    address: to.signer.address,
    leastLots: lotsOf(least, to.token.decimals) ?? 0n,
  },
});

/** What left with the fee of the miner, exactly; nothing where nobody takes one on top. */
function sentBy({ send, data }: MoveRecord, { decimals }: TokenTerms): Decimal | undefined {
  const params = readJson(textIn(data, 'toSign')) as { readonly psbt?: unknown };
  const fee = typeof params.psbt === 'string' ? minerFee(params.psbt) : undefined;
  return fee === undefined ? undefined : send.plus(amountOf(fee, decimals));
}

const durationOf = ({ from, to }: SwapPath): number =>
  [from, to].reduce(
    (sum, { network }) => sum + network.blockUs * Math.max(1, network.confirmations),
    RESOLVER_US,
  );

/** True where the service itself said no, and that is all that became of the request. */
const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code === 'service-refused' &&
  error.serviceCode !== undefined &&
  error.class !== 'outcome-unknown';

const noPair = (message: string): Rejection => ({ code: 'pair-unavailable', message });
