import { isRejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  AgreedTerms,
  ApprovalOrder,
  IssuedApproval,
  ResolverKeys,
} from '../../../src/swaps/approvals/approval.ts';
import { issueApproval } from '../../../src/swaps/approvals/issue.ts';
import { FAMILIES } from '../../../src/swaps/chains/families/families.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import type { NetworkFamily, NetworkTerms, TokenTerms } from '../../../src/swaps/tokens.ts';

/** 32 bytes that are a private key on every network. */
export const secretOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

export const addressOf = (family: NetworkFamily, number: number): string =>
  FAMILIES[family].addressOf(secretOf(number));

const network = (
  id: number,
  code: string,
  family: NetworkFamily,
  chainId?: number,
): NetworkTerms => ({
  id,
  code,
  name: code,
  family,
  chainId,
  blockUs: 1_000_000,
  confirmations: 1,
  customTokens: false,
});

const NETWORKS: Readonly<Record<NetworkFamily, NetworkTerms>> = {
  evm: network(1, 'ethereum', 'evm', 1),
  tron: network(2, 'tron', 'tron', 728_126_428),
  bitcoin: network(3, 'bitcoin', 'bitcoin'),
  solana: network(4, 'solana', 'solana'),
};

const CONTRACTS: Readonly<Record<NetworkFamily, string>> = {
  evm: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  bitcoin: 'BTC',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
};

const token = (family: NetworkFamily): TokenTerms => ({
  id: 10 + NETWORKS[family].id,
  network: NETWORKS[family].code,
  asset: family === 'bitcoin' ? 'BTC' : 'USDT',
  name: family,
  contract: CONTRACTS[family],
  decimals: family === 'bitcoin' ? 8 : 6,
  ticker: family,
  listed: true,
});

/** The user; escrow, resolver and others have other numbers. */
export const USER = 1;
export const ESCROW = 2;
export const RESOLVER = 3;
export const BACKEND = 4;
export const STRANGER = 5;

/** The second and the third suffice only together. */
const OUTPUTS = [
  { txid: 'aa'.repeat(32), index: 0, lots: 3_000_000n },
  { txid: 'bb'.repeat(32), index: 7, lots: 1_999_000n },
  { txid: 'cc'.repeat(32), index: 1, lots: 4_000_000n },
];

/** An order to sign for five million smallest units, on a network of a family. */
export function orderOn(
  family: NetworkFamily,
  changes: Partial<ApprovalOrder> = {},
): ApprovalOrder {
  const from = addressOf(family, USER);
  const publicKey = keySigner(family, secretOf(USER)).publicKey;
  return {
    publicKey,
    ...(family === 'bitcoin' ? { outputs: OUTPUTS } : {}),
    intent: '7a4e6f0e-9d6e-4b0c-8f59-000000000001',
    network: NETWORKS[family],
    token: token(family),
    lots: 5_000_000n,
    from,
    escrow: addressOf(family, ESCROW),
    resolver: addressOf(family, RESOLVER),
    nonce: 2n ** 200n + 7n,
    deadline: micros(1_780_078_455_000_000),
    secretHash: `0x${'22'.repeat(32)}`,
    destination: {
      network: 2,
      token: CONTRACTS.tron,
      address: addressOf('tron', USER),
      leastLots: 4_990_000n,
    },
    ...changes,
  };
}

/** What the user of that order has agreed to. */
export const agreedTo = (
  order: ApprovalOrder,
  changes: Partial<AgreedTerms> = {},
): AgreedTerms => ({
  network: order.network,
  token: order.token.contract,
  lots: order.lots,
  from: order.from,
  destination: order.destination,
  deadline: order.deadline,
  ...changes,
});

/** What is handed out for an order. Throws where it is refused. */
export function issuedFor(order: ApprovalOrder, keys?: ResolverKeys): IssuedApproval {
  const issued = issueApproval(order, keys);
  if (isRejection(issued)) throw new Error(issued.message);
  return issued;
}
