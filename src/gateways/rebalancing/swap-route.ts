import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type TransferState, type HoldingKey } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { minerFee } from '../../swaps/approvals/htlc/fee.ts';
import type { AgreedTerms } from '../../swaps/approvals/approval.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../swaps/execution/transfer-route.ts';
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
import type { SwapWallet, SwapPath } from './swap/wallet.ts';
import type { SwapOffer, SwapService } from './swap/service.ts';
import { swapStatusOf } from './swap/status.ts';

export interface SwapRouteOptions {
  readonly name: string;
  /** The swap service, by one of its surfaces. */
  readonly service: SwapService;
  readonly wallets: readonly SwapWallet[];
  /** How much less than quoted may arrive, in basis points; 50 if absent. */
  readonly slippageBps?: number;
}

const SLIPPAGE_BPS = 50;
/** States of a transfer whose money has left. */
const TAKEN: ReadonlySet<TransferState> = new Set(['deposited', 'fulfilled', 'refunded']);
/** Usual time of a resolver, besides the blocks of the two networks. */
const RESOLVER_US = 20 * US_PER_SECOND;
/** Least remaining time of an intent that may still be approved. */
const MARGIN_US = 2 * US_PER_SECOND;

/**
 * Transfers inventory by swap intents: a quote, an intent on it, and one approval, by which the resolver
 * takes the money. An unapproved intent moves nothing and lapses, so one whose answer was lost is dropped;
 * a sent approval is never sent for another intent, and an intent takes one.
 */
export class SwapRoute implements TransferRoute {
  readonly name: string;
  readonly kind = 'swap';
  readonly #options: SwapRouteOptions;

  constructor(options: SwapRouteOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Between all locations, but for coins that have to be wrapped first. */
  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    const holdings = this.#options.wallets
      .filter(({ token }) => token.wrapped === undefined)
      .map(({ holding }) => holding);
    return holdings.flatMap((from) =>
      holdings.filter((to) => to !== from).map((to) => [from, to] as const),
    );
  }

  /**
   * At least the lower bound of the quote arrives; the expected amount is the middle of its bounds, rounded
   * down. The sent amount is rounded down to the token's units.
   */
  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    const path = this.#path(from, to);
    if (path === undefined) return noPair(`${this.name} does not swap ${holdingName(from)} for ${holdingName(to)}.`); // prettier-ignore
    const { token } = path.from;
    const amount = send.toDecimalPlaces(token.decimals, Decimal.ROUND_DOWN);
    if (!amount.greaterThan(0)) {
      const message = `${send.toFixed()} ${token.asset} is less than can be sent.`;
      return { code: 'amount-below-minimum', field: 'amount', message };
    }
    const quote = await this.#quote(path, amount);
    if ('code' in quote) return quote;
    const fee = await permitFee(amount, path.from);
    if (isRejection(fee)) return fee;
    const { leastLots, mostLots, expiresAt } = quote;
    const { decimals } = path.to.token;
    return {
      route: this.name,
      kind: this.kind,
      from,
      to,
      send: amount,
      least: amountOf(leastLots, decimals),
      expected: amountOf((leastLots + mostLots) / 2n, decimals),
      expiresAt,
      durationUs: durationOf(path),
      networkFee: fee,
      terms: { quote: quote.id, slippage: this.#slippage },
    };
  }

  next(transfer: TransferRecord, now: Micros): Step | undefined {
    const { state, data, expiresAt } = transfer;
    if (state === 'quoted') {
      return { name: 'createIntent', data: { quote: textIn(data, 'quote') }, pays: false };
    }
    if (state !== 'created') return undefined;
    if (data['permit'] === 'missing') return permitStep(transfer, this.#pathOf(transfer).from);
    if (data['permit'] === 'sent') return undefined;
    // The service decides whether it was approved in time.
    if (now + MARGIN_US >= expiresAt && transfer.paying) return undefined;
    return { name: 'approve', data: { intent: textIn(data, 'intent') }, pays: true };
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    switch (step.name) {
      case 'createIntent':
        return this.#create(transfer);
      case 'preparePermit':
        return preparePermit(transfer, this.#pathOf(transfer).from, step);
      case 'permit':
        return permit(transfer, this.#pathOf(transfer).from, step);
      default:
        return this.#approve(transfer);
    }
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    switch (step.name) {
      case 'createIntent':
      case 'preparePermit':
        return 'undone';
      case 'permit':
        return recallPermit(transfer, this.#pathOf(transfer).from);
      default: {
        const change = await this.#status(transfer);
        return change.state === 'created' ? 'undone' : change;
      }
    }
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    if (transfer.state === 'created' && transfer.data['permit'] === 'sent') {
      return observePermit(transfer, this.#pathOf(transfer).from);
    }
    const change = await this.#status(transfer);
    return change.state === transfer.state && change.reason === transfer.reason
      ? undefined
      : change;
  }

  async #create(transfer: TransferRecord): Promise<TransferChange> {
    const { service } = this.#options;
    const slippage = textIn(transfer.data, 'slippage');
    const asked = { path: this.#pathOf(transfer), amount: transfer.send, slippage };
    try {
      const made = await service.createIntent(asked, textIn(transfer.data, 'quote'));
      const { intent, form, params, deadline: expiresAt = transfer.expiresAt } = made;
      const data = { intent, form, toSign: JSON.stringify(params), deadline: expiresAt };
      return { state: 'created', data, expiresAt };
    } catch (error) {
      if (!isRefused(error)) throw error;
      // An expired or used quote is replaced by another one; a wrong request is not.
      const state = error.class === 'refused' ? 'planned' : 'failed';
      return { state, reason: error.serviceMessage };
    }
  }

  async #approve(transfer: TransferRecord): Promise<TransferChange> {
    const path = this.#pathOf(transfer);
    const intent = {
      intent: textIn(transfer.data, 'intent'),
      form: textIn(transfer.data, 'form'),
      params: readJson(textIn(transfer.data, 'toSign')) as Readonly<Record<string, unknown>>,
      deadline: micros(numberIn(transfer.data, 'deadline')),
    };
    try {
      await this.#options.service.approve(intent, agreedTerms(transfer, path), path.from.signer);
      return { state: 'approved' };
    } catch (error) {
      if (error instanceof MillraceError && error.code === 'approval-refused') {
        return { state: 'failed', reason: error.message };
      }
      if (!isRefused(error)) throw error;
      return this.#refused(transfer, error);
    }
  }

  /** An approval that the service rejected: it has one already, it lacks a permit, or it is wrong. */
  async #refused(
    transfer: TransferRecord,
    { serviceMessage }: ServiceError,
  ): Promise<TransferChange> {
    const change = await this.#status(transfer);
    if (change.state !== 'created') return change;
    const { from } = this.#pathOf(transfer);
    const isPermit2 = textIn(transfer.data, 'form') === 'permit2';
    if (isPermit2 && !(await isGiven(transfer, from))) return UNPERMITTED;
    return { state: 'failed', reason: serviceMessage };
  }

  async #status(transfer: TransferRecord): Promise<TransferChange> {
    const status = await this.#options.service.status(textIn(transfer.data, 'intent'));
    const path = this.#pathOf(transfer);
    const change = await swapStatusOf(status, path);
    const sent = TAKEN.has(change.state) ? sentBy(transfer, path.from.token) : undefined;
    return sent === undefined ? change : { ...change, sent };
  }

  async #quote(path: SwapPath, amount: Decimal): Promise<SwapOffer | Rejection> {
    try {
      return await this.#options.service.quote({ path, amount, slippage: this.#slippage });
    } catch (error) {
      if (!isRefused(error) || error.class === 'authorization') throw error;
      return noPair(error.serviceMessage);
    }
  }

  get #slippage(): string {
    return String(this.#options.slippageBps ?? SLIPPAGE_BPS);
  }

  #path(from: HoldingKey, to: HoldingKey): SwapPath | undefined {
    const walletOf = (holding: HoldingKey): SwapWallet | undefined =>
      this.#options.wallets.find((one) => holdingName(one.holding) === holdingName(holding));
    const [first, last] = [walletOf(from), walletOf(to)];
    return first === undefined || last === undefined ? undefined : { from: first, to: last };
  }

  #pathOf({ id, from, to }: TransferRecord): SwapPath {
    const path = this.#path(from, to);
    if (path !== undefined) return path;
    throw new MillraceError(
      'config-invalid',
      `The transfer ${id} goes from ${holdingName(from)} to ${holdingName(to)}, and ${this.name} no longer has both; put them back until it has ended.`,
    );
  }
}

/** What may be signed: the offer's sent amount, and the least received amount. */
const agreedTerms = ({ send, least }: TransferRecord, { from, to }: SwapPath): AgreedTerms => ({
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

/** Exact sent amount with the miner fee; nothing if there is no fee on top. */
function sentBy({ send, data }: TransferRecord, { decimals }: TokenTerms): Decimal | undefined {
  const params = readJson(textIn(data, 'toSign')) as { readonly psbt?: unknown };
  const fee = typeof params.psbt === 'string' ? minerFee(params.psbt) : undefined;
  return fee === undefined ? undefined : send.plus(amountOf(fee, decimals));
}

const durationOf = ({ from, to }: SwapPath): number =>
  [from, to].reduce(
    (sum, { network }) => sum + network.blockUs * Math.max(1, network.confirmations),
    RESOLVER_US,
  );

/** True if the service itself rejected the request, which is its final outcome. */
const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code === 'service-refused' &&
  error.serviceCode !== undefined &&
  error.class !== 'outcome-unknown';

const noPair = (message: string): Rejection => ({ code: 'pair-unavailable', message });
