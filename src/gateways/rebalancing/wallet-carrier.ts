import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { slotName, type Slot } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MINUTE } from '../../platform/time.ts';
import { isSameAddress } from '../../swaps/approvals/same-address.ts';
import type {
  Carrier,
  MoveChange,
  MoveRecord,
  Offer,
  Step,
} from '../../swaps/execution/carrier.ts';
import { amountOf, isOneChain } from '../../swaps/tokens.ts';
import type { ChainNode } from '../chains/node.ts';
import { textIn } from './data.ts';
import { ChainPayer, type ChainWallet } from './payments/chain-payer.ts';
import { changeOfMove, ifChanged, paymentOf } from './payments/of-move.ts';
import type { PaymentChange } from './payments/payment.ts';

/** A token in a wallet of a place, and the node that it is reached by. */
export interface WalletPlace extends ChainWallet {
  readonly slot: Slot;
  readonly node: ChainNode;
}

export interface WalletCarrierOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly places: readonly WalletPlace[];
}

/** A transfer by the wallet itself is offered for so long; only its network fee may change. */
const OFFER_US = 10 * US_PER_MINUTE;

/**
 * Moves a token between two own wallets of one chain by a transfer of its own. What has arrived is
 * read at the wallet that it went to.
 */
export class WalletCarrier implements Carrier {
  readonly name: string;
  readonly kind = 'wallet';
  readonly #options: WalletCarrierOptions;

  constructor(options: WalletCarrierOptions) {
    this.name = options.name;
    this.#options = options;
  }

  pairs(): readonly (readonly [Slot, Slot])[] {
    const { places } = this.#options;
    return places.flatMap((from) =>
      places.filter((to) => isOneToken(from, to)).map((to) => [from.slot, to.slot] as const),
    );
  }

  async offer(from: Slot, to: Slot, send: Decimal): Promise<Offer | Rejection> {
    const [source, target] = [this.#place(from), this.#place(to)];
    if (source === undefined || target === undefined || !isOneToken(source, target)) {
      const message = `${this.name} does not move ${slotName(from)} to ${slotName(to)}.`;
      return { code: 'pair-unavailable', message };
    }
    const paid = await payerOf(source).terms(send);
    if (isRejection(paid)) return paid;
    const { arrives, leaves, durationUs, networkFee } = paid;
    return {
      carrier: this.name,
      kind: this.kind,
      from,
      to,
      send: leaves,
      least: arrives,
      expected: arrives,
      expiresAt: micros(this.#options.scheduler.now() + OFFER_US),
      durationUs,
      networkFee,
      terms: { address: target.signer.address, amount: arrives.toFixed() },
    };
  }

  next(move: MoveRecord): Step | undefined {
    return payerOf(this.#ends(move).source).next(paymentOf(move), move.data);
  }

  async perform(move: MoveRecord, step: Step): Promise<MoveChange> {
    const payer = payerOf(this.#ends(move).source);
    return this.#changed(move, await payer.perform(paymentOf(move), move.data, step));
  }

  async recall(move: MoveRecord, step: Step): Promise<MoveChange | 'undone'> {
    const payer = payerOf(this.#ends(move).source);
    const change = await payer.recall(paymentOf(move), move.data, step);
    return change === 'undone' ? change : this.#changed(move, change);
  }

  async observe(move: MoveRecord): Promise<MoveChange | undefined> {
    const payer = payerOf(this.#ends(move).source);
    if (payer.next(paymentOf(move), move.data) !== undefined) return undefined;
    return ifChanged(move, await this.#changed(move, await payer.observe(paymentOf(move), move.data))); // prettier-ignore
  }

  async #changed(move: MoveRecord, change: PaymentChange): Promise<MoveChange> {
    if (change.stage !== 'arrived') return changeOfMove(move, STATES, change);
    const arrived = await arrival({ ...move.data, ...change.data }, this.#ends(move).target);
    const sent = { ...change, stage: 'sent' as const };
    if (arrived === undefined) return changeOfMove(move, STATES, sent);
    return { ...changeOfMove(move, STATES, change), arrived };
  }

  #ends({ from, to }: MoveRecord): { readonly source: WalletPlace; readonly target: WalletPlace } {
    const [source, target] = [this.#place(from), this.#place(to)];
    if (source !== undefined && target !== undefined) return { source, target };
    const sentence = `${this.name} does not move ${slotName(from)} to ${slotName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }

  #place(slot: Slot): WalletPlace | undefined {
    return this.#options.places.find((one) => slotName(one.slot) === slotName(slot));
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'fulfilled',
} as const;

const payerOf = ({ node, ...wallet }: WalletPlace): ChainPayer => new ChainPayer(node, wallet);

/** Whether two wallets of one chain have the same token; a wallet sends nothing to itself. */
function isOneToken(one: WalletPlace, other: WalletPlace): boolean {
  return (
    isOneChain(one.network, other.network) &&
    isSameAddress(one.token.contract, other.token.contract) &&
    !isSameAddress(one.signer.address, other.signer.address)
  );
}

/** What a transaction paid to the wallet; nothing where its node does not know it yet. */
async function arrival(
  data: MoveRecord['data'],
  { node, network, token, signer }: WalletPlace,
): Promise<Decimal | undefined> {
  const hash = textIn(data, 'payHash');
  const made = await node.transaction(network.code, hash);
  if (made === undefined) return undefined;
  if (made.token === token.id && isSameAddress(made.to, signer.address)) {
    return amountOf(made.lots, token.decimals);
  }
  const sentence = `The node of ${network.name} says that ${hash} pays something else than what was sent.`;
  throw new MillraceError('answer-invalid', sentence);
}
