import type { HoldingKey } from '../../../model/portfolio.ts';
import type { ApprovalSigner } from '../../../swaps/approvals/approval.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type { ChainNode } from '../../chains/node.ts';

/** A token in a wallet on a network. */
export interface SwapWallet {
  readonly holding: HoldingKey;
  readonly network: NetworkTerms;
  readonly token: TokenTerms;
  /** The owner of the wallet. */
  readonly signer: ApprovalSigner;
  /** A node of the network. */
  readonly node: Pick<
    ChainNode,
    'allowance' | 'balance' | 'fee' | 'tokens' | 'prepare' | 'send' | 'outcome' | 'transaction'
  >;
}

/** Start and end of a transfer. */
export interface SwapPath {
  readonly from: SwapWallet;
  readonly to: SwapWallet;
}
