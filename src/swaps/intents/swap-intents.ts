import type { PriceOf } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { Random } from '../../platform/random.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { ApprovalOrder, SignedApproval } from '../approvals/approval.ts';
import { issueApproval } from '../approvals/issue.ts';
import { verifyApproval } from '../approvals/verify.ts';
import type { ChainWorld } from '../chains/chain-world.ts';
import type { NetworkTerms, TokenTerms } from '../tokens.ts';
import { Counter } from './counter.ts';
import { Escrow, unapproved } from './escrow.ts';
import { historyOf, type HistoryFilter } from './history.ts';
import { IntentIds, type IntentNames } from './identity.ts';
import type { Intent } from './intent.ts';
import type { Quote, SwapRequest } from './quote.ts';
import { Quotes } from './quotes.ts';
import { IntentIndex, wrongState, type IntentListener } from './intent-index.ts';
import { Resolver } from './resolver.ts';
import type { SwapTerms } from './terms.ts';

export interface SwapIntentsSetup {
  readonly chains: ChainWorld;
  /** Present prices of assets. */
  readonly priceOf: PriceOf;
  readonly scheduler: Scheduler;
  readonly terms: SwapTerms;
  /** Seed of ids, secrets and chance; 0 if absent. */
  readonly seed?: number;
}

/** A request for an intent. */
export interface IntentRequest {
  /** The quote to attach; if absent one is made of the request. */
  readonly quote?: string | undefined;
  /** Compared with the quote if both are given. */
  readonly managedOrder?: SwapRequest | undefined;
  readonly from: string;
  /** Hexadecimal or as the network writes keys; of Bitcoin and Solana. */
  readonly publicKey?: string | undefined;
  readonly to: string;
  readonly refundTo: string;
  readonly retailUser?: string | undefined;
}

/**
 * The swap service without its wire: quotes, intents and approvals of partners, and the resolver. A
 * rejected request changes nothing. A partner sees only its own quotes and intents.
 */
export class SwapIntents {
  readonly chains: ChainWorld;
  readonly terms: SwapTerms;
  /** False makes the service report issues. */
  isHealthy = true;
  readonly #scheduler: Scheduler;
  readonly #identity: IntentIds;
  readonly #escrow: Escrow;
  readonly #counter: Counter;
  readonly #quotes: Quotes;
  readonly #register = new IntentIndex();
  readonly #resolver: Resolver;

  constructor({ chains, priceOf, scheduler, terms, seed = 0 }: SwapIntentsSetup) {
    this.chains = chains;
    this.terms = terms;
    this.#scheduler = scheduler;
    this.#identity = new IntentIds(seed);
    this.#escrow = new Escrow(chains);
    const resolverAt = (network: string): string => this.#escrow.resolverAt(network);
    this.#counter = new Counter({ chains, priceOf, terms, resolverAt });
    this.#quotes = new Quotes(this.#counter, this.#identity, () => this.now());
    this.#resolver = new Resolver({
      chains,
      counter: this.#counter,
      escrow: this.#escrow,
      register: this.#register,
      scheduler,
      random: new Random(seed),
      terms: terms.resolver,
    });
  }

  now(): Micros {
    return this.#scheduler.now();
  }

  get networks(): readonly NetworkTerms[] {
    return this.chains.networks;
  }

  /** The tokens of the list; networks that allow it have others too. */
  get tokens(): readonly TokenTerms[] {
    return this.chains.tokens.filter(({ listed }) => listed);
  }

  networkOf(token: TokenTerms): NetworkTerms {
    return this.#counter.networkOf(token);
  }

  /** Address of the resolver's funds; the venue fills it. */
  resolverAt(network: string): string {
    return this.#escrow.resolverAt(network);
  }

  /** Address of users' escrowed money. */
  escrowAt(network: string): string {
    return this.#escrow.at(network);
  }

  quote(partner: string, managedOrder: SwapRequest): Quote | Rejection {
    return this.#quotes.make(partner, managedOrder);
  }

  /** Makes an intent on one quote, with the data to sign. */
  createIntent(partner: string, managedOrder: IntentRequest): Intent | Rejection {
    const names = this.#identity.next;
    const quote = this.#quoteFor(partner, managedOrder, names.quote);
    if (isRejection(quote)) return quote;
    const order = this.#orderOf(quote, managedOrder, names);
    if (isRejection(order)) return order;
    const refundTo = this.#address(order.network, managedOrder.refundTo, 'refund_address');
    if (isRejection(refundTo)) return refundTo;
    const issued = issueApproval(order, { resolver: this.#escrow.resolverKey(order.network.code) });
    if (isRejection(issued)) return issued;
    this.#identity.take();
    this.#quotes.use(quote.id);
    const retailUser = managedOrder.retailUser ?? quote.retailUser;
    const intent: Intent = {
      id: order.intent,
      partner,
      quote,
      from: order.from,
      to: order.destination.address,
      refundTo,
      retailUser,
      state: 'created',
      createdAt: this.now(),
      deadline: order.deadline,
      order,
      issued,
    };
    this.#register.add(intent);
    return intent;
  }

  /** Attaches the user's signed data; an intent takes one. */
  approve(partner: string, id: string, signed: SignedApproval): Intent | Rejection {
    const intent = this.intent(partner, id);
    if (isRejection(intent)) return intent;
    if (intent.approvedAt !== undefined) {
      const message = `The intent ${id} has an approval already.`;
      return { code: 'approval-taken', field: 'intent', message };
    }
    if (intent.state !== 'created' || this.now() >= intent.deadline) {
      return wrongState(intent, 'approved any more');
    }
    const verified = verifyApproval(intent.order, intent.issued, signed);
    if (isRejection(verified)) return verified;
    const { token, from, lots } = intent.order;
    if (signed.form === 'permit2' && !this.chains.hasApproved(token.id, from, lots)) {
      return unapproved(token.asset, from);
    }
    return this.#register.move(id, 'approved', {
      approvedAt: this.now(),
      transaction: verified.transaction,
      signature: signed.form === 'permit2' ? signed.signature : undefined,
    });
  }

  intent(partner: string, id: string): Intent | Rejection {
    const intent = this.#register.find(id);
    if (isRejection(intent) || intent.partner === partner) return intent;
    return { code: 'intent-unknown', field: 'intent', message: `There is no intent ${id}.` };
  }

  /** Intents of a partner, newest first. */
  history(partner: string, filter: HistoryFilter): readonly Intent[] {
    return historyOf(this.#register.all(), partner, filter, this.chains);
  }

  /** All intents of all partners, oldest first. */
  intents(): readonly Intent[] {
    return [...this.#register.all()];
  }

  /** Called for each new intent, and when its state or other members have changed. */
  follow(listener: IntentListener): Cancel {
    return this.#register.follow(listener);
  }

  /** Manual actions on an intent; each returns why it cannot be done. */
  get manualActions(): Pick<Resolver, 'advance' | 'decline' | 'requestRefund' | 'hold'> {
    return this.#resolver;
  }

  /** Stops: nothing happens by time any more. */
  close(): void {
    this.#resolver.close();
  }

  #quoteFor(
    partner: string,
    { quote, managedOrder }: IntentRequest,
    id: string,
  ): Quote | Rejection {
    if (quote !== undefined) return this.#quotes.find(partner, quote, managedOrder);
    const field = 'quote';
    if (managedOrder === undefined) {
      return { code: 'quote-unknown', field, message: 'The intent names no quote.' };
    }
    const from = this.#counter.token(managedOrder.from);
    if (isRejection(from)) return from;
    if (this.terms.quoteRequired.includes(from.network)) {
      const message = `Intents from ${from.network} need a quote.`;
      return { code: 'quote-unknown', field, message };
    }
    return this.#quotes.own(partner, id, managedOrder);
  }

  #orderOf(
    quote: Quote,
    managedOrder: IntentRequest,
    names: IntentNames,
  ): ApprovalOrder | Rejection {
    const network = this.networkOf(quote.from);
    const from = this.#address(network, managedOrder.from, 'from');
    if (isRejection(from)) return from;
    const address = this.#address(this.networkOf(quote.to), managedOrder.to, 'to');
    if (isRejection(address)) return address;
    const needsKey = network.family === 'bitcoin' || network.family === 'solana';
    if (needsKey && managedOrder.publicKey === undefined) {
      const message = `Money on ${network.name} needs the public key of its owner.`;
      return { code: 'public-key-missing', field: 'public_key', message };
    }
    const seconds = Math.ceil((this.now() + this.terms.intentUs) / US_PER_SECOND);
    return {
      intent: names.id,
      network,
      token: quote.from,
      lots: quote.fromLots,
      from,
      ...(needsKey && managedOrder.publicKey !== undefined
        ? { publicKey: managedOrder.publicKey }
        : {}),
      escrow: this.#escrow.at(network.code),
      resolver: this.#escrow.resolverAt(network.code),
      nonce: names.nonce,
      deadline: micros(seconds * US_PER_SECOND),
      secretHash: names.secretHash,
      destination: {
        network: this.networkOf(quote.to).id,
        token: quote.to.contract,
        address,
        leastLots: quote.outcome.leastLots,
      },
      ...(network.family === 'bitcoin' ? { outputs: this.chains.outputs(from) } : {}),
    };
  }

  #address(network: NetworkTerms, given: string, field: string): string | Rejection {
    const address = this.chains.canonical(network.code, given);
    if (address !== undefined) return address;
    const message = `${given} is no address of ${network.name}.`;
    return { code: 'address-invalid', field, message };
  }
}
