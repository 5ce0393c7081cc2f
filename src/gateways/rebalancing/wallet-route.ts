import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { holdingName, type HoldingKey } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MINUTE } from '../../platform/time.ts';
import { isSameAddress } from '../../swaps/approvals/same-address.ts';
import type {
  TransferRoute,
  TransferChange,
  TransferRecord,
  Offer,
  Step,
} from '../../swaps/execution/transfer-route.ts';
import { amountOf, isOneChain } from '../../swaps/tokens.ts';
import type { ChainNode } from '../chains/node.ts';
import { textIn } from './data.ts';
import { ChainPayer, type ChainWallet } from './payments/chain-payer.ts';
import { changeOfTransfer, ifChanged, paymentOf } from './payments/of-transfer.ts';
import type { PaymentChange } from './payments/payment.ts';

/** A token in a wallet of a location, and the node that it is reached by. */
export interface TokenWallet extends ChainWallet {
  readonly holding: HoldingKey;
  readonly node: ChainNode;
}

export interface WalletRouteOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly wallets: readonly TokenWallet[];
}

/** How long a wallet transfer is offered; only its network fee may change. */
const OFFER_US = 10 * US_PER_MINUTE;

/**
 * Transfers a token between two own wallets of one chain. The arrived amount is read at the receiving
 * wallet.
 */
export class WalletRoute implements TransferRoute {
  readonly name: string;
  readonly kind = 'wallet';
  readonly #options: WalletRouteOptions;

  constructor(options: WalletRouteOptions) {
    this.name = options.name;
    this.#options = options;
  }

  pairs(): readonly (readonly [HoldingKey, HoldingKey])[] {
    const { wallets } = this.#options;
    return wallets.flatMap((from) =>
      wallets.filter((to) => isOneToken(from, to)).map((to) => [from.holding, to.holding] as const),
    );
  }

  async offer(from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> {
    const [source, target] = [this.#wallet(from), this.#wallet(to)];
    if (source === undefined || target === undefined || !isOneToken(source, target)) {
      const message = `${this.name} does not transfer ${holdingName(from)} to ${holdingName(to)}.`;
      return { code: 'pair-unavailable', message };
    }
    const paid = await payerOf(source).terms(send);
    if (isRejection(paid)) return paid;
    const { arrives, leaves, durationUs, networkFee } = paid;
    return {
      route: this.name,
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

  next(transfer: TransferRecord): Step | undefined {
    return payerOf(this.#ends(transfer).source).next(paymentOf(transfer), transfer.data);
  }

  async perform(transfer: TransferRecord, step: Step): Promise<TransferChange> {
    const payer = payerOf(this.#ends(transfer).source);
    return this.#changed(transfer, await payer.perform(paymentOf(transfer), transfer.data, step));
  }

  async recall(transfer: TransferRecord, step: Step): Promise<TransferChange | 'undone'> {
    const payer = payerOf(this.#ends(transfer).source);
    const change = await payer.recall(paymentOf(transfer), transfer.data, step);
    return change === 'undone' ? change : this.#changed(transfer, change);
  }

  async observe(transfer: TransferRecord): Promise<TransferChange | undefined> {
    const payer = payerOf(this.#ends(transfer).source);
    if (payer.next(paymentOf(transfer), transfer.data) !== undefined) return undefined;
    return ifChanged(transfer, await this.#changed(transfer, await payer.observe(paymentOf(transfer), transfer.data))); // prettier-ignore
  }

  async #changed(transfer: TransferRecord, change: PaymentChange): Promise<TransferChange> {
    if (change.stage !== 'arrived') return changeOfTransfer(transfer, STATES, change);
    const arrived = await arrival(
      { ...transfer.data, ...change.data },
      this.#ends(transfer).target,
    );
    const sent = { ...change, stage: 'sent' as const };
    if (arrived === undefined) return changeOfTransfer(transfer, STATES, sent);
    return { ...changeOfTransfer(transfer, STATES, change), arrived };
  }

  #ends({ from, to }: TransferRecord): {
    readonly source: TokenWallet;
    readonly target: TokenWallet;
  } {
    const [source, target] = [this.#wallet(from), this.#wallet(to)];
    if (source !== undefined && target !== undefined) return { source, target };
    const sentence = `${this.name} does not transfer ${holdingName(from)} to ${holdingName(to)} any more.`;
    throw new MillraceError('config-invalid', sentence, { field: this.name });
  }

  #wallet(holding: HoldingKey): TokenWallet | undefined {
    return this.#options.wallets.find((one) => holdingName(one.holding) === holdingName(holding));
  }
}

const STATES = {
  prepared: 'created',
  committed: 'approved',
  sent: 'deposited',
  arrived: 'fulfilled',
} as const;

const payerOf = ({ node, ...wallet }: TokenWallet): ChainPayer => new ChainPayer(node, wallet);

/** True if two wallets of one chain have the same token; a wallet sends nothing to itself. */
function isOneToken(one: TokenWallet, other: TokenWallet): boolean {
  return (
    isOneChain(one.network, other.network) &&
    isSameAddress(one.token.contract, other.token.contract) &&
    !isSameAddress(one.signer.address, other.signer.address)
  );
}

/** A transaction's payment to the wallet; nothing if its node does not know it yet. */
async function arrival(
  data: TransferRecord['data'],
  { node, network, token, signer }: TokenWallet,
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
