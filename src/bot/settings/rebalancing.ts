import type { TradeLimits } from '../../gateways/rebalancing/account/limits.ts';
import type { NodeModule } from '../../gateways/chains/node-factory.ts';
import type { RealNode } from '../../gateways/chains/real-node.ts';
import type { TradingAddress } from '../../gateways/trading/client/address.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { PortfolioTargets } from '../../model/portfolio.ts';
import type { PrivateKey } from '../../model/private-key.ts';
import type { ApprovalSigner } from '../../swaps/approvals/approval.ts';
import type { SigningPolicy } from '../../swaps/approvals/policy/policy.ts';

/** A configured portfolio over chains and a trading account. */
export interface RebalancingSettings {
  /** Shown in reports and ids of plans. */
  readonly name: string;
  /** Folder of the journal. */
  readonly data: string;
  /** Prices of assets: a number, or the symbol at the account whose last price is used. */
  readonly prices: ReadonlyMap<string, Decimal | { readonly symbol: string }>;
  readonly account?: AccountLocationSettings | undefined;
  readonly chains: readonly ChainLocationSettings[];
  readonly swaps?: SwapServiceSettings | undefined;
  readonly affiliateSwaps?: AffiliateServiceSettings | undefined;
  readonly exchangeOrders?: KeyPairServiceSettings | undefined;
  readonly targets: PortfolioTargets;
}

/** A trading account as a location. */
export interface AccountLocationSettings {
  readonly location: string;
  readonly address: TradingAddress;
  readonly credentials: { readonly key: string; readonly secret: string };
  /** The trading service's names of the chains, by location. */
  readonly networks: ReadonlyMap<string, string>;
  /** How far a trade's limit may be from the best price, as a fraction. */
  readonly tolerance: Decimal;
  /** Largest size of one order; unlimited if absent. */
  readonly limits?: TradeLimits | undefined;
}

/** A wallet on a chain as a location, which has the code of the chain for its name. */
export interface ChainLocationSettings {
  readonly location: string;
  /** Address of a node of simulated chains, a module that makes a node, or a live node. */
  readonly node: string | NodeModule | RealNode;
  readonly signer: ApprovalSigner;
}

/** The Affiliate surface of the swap service, which knows its clients by a key. */
export interface AffiliateServiceSettings {
  readonly url: string;
  readonly apiKey: string;
}

/** A service that knows its clients by RSA key pairs. */
export interface KeyPairServiceSettings {
  readonly url: string;
  readonly privateKey: PrivateKey;
}

/** The swap service. */
export interface SwapServiceSettings extends KeyPairServiceSettings {
  /** What may be signed for it; its reader warns of loosened rules. */
  readonly signing?: SigningPolicy | undefined;
}
