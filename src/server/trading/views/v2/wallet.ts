import type { DepositAddress, UsedAddress } from '../../../../exchange/wallet/addresses.ts';
import type { SubAccount, SubPermission } from '../../../../exchange/requests/sub-accounts.ts';
import type { Transaction } from '../../../../exchange/wallet/transaction.ts';
import type { Balance } from '../../../../exchange/wallet/account-ledgers.ts';
import { ZERO } from '../../../../model/decimal.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import type * as wire from '../../../../wire/trading/v2/records/account.ts';
import type { balance } from '../../../../wire/trading/v2/records/trading.ts';

type WireTransaction = Writable<typeof wire.transaction>;

export const balanceView = (each: Balance): Writable<typeof balance> => ({
  currency: each.currency,
  available: each.available,
  reserved: each.reserved,
});

/** A deposit address; none of the simulated chains has public keys. */
export const addressView = ({
  address,
  paymentId,
}: DepositAddress): Writable<typeof wire.address> => ({ address, paymentId, publicKey: undefined });

export const usedAddressView = ({
  address,
  paymentId,
}: UsedAddress): Writable<typeof wire.usedAddress> => ({ address, paymentId });

/** Version 2 has no status for rolled back. */
const STATUSES = {
  CREATED: 'created',
  PENDING: 'pending',
  SUCCESS: 'success',
  FAILED: 'failed',
  ROLLED_BACK: 'failed',
} as const satisfies Readonly<Record<Transaction['status'], WireTransaction['status']>>;

/**
 * Transactions by chain, or replacing one; all other incoming and outgoing ones have the two other types.
 */
const BY_CHAIN: ReadonlySet<Transaction['subtype']> = new Set(['BLOCKCHAIN', 'OFFCHAIN']);

/** Version 2's type of a transaction; it has no derivatives balance, which counts as external. */
function typeOf({ subtype, direction }: Transaction): WireTransaction['type'] {
  if (subtype === 'WALLET_TO_SPOT') return 'bankToExchange';
  if (subtype === 'SPOT_TO_WALLET') return 'exchangeToBank';
  if (BY_CHAIN.has(subtype)) return direction === 'in' ? 'payin' : 'payout';
  return direction === 'in' ? 'deposit' : 'withdraw';
}

const subTypeOf = ({ type, subtype }: Transaction): string | undefined => {
  if (type === 'SWAP') return 'swap';
  return subtype === 'OFFCHAIN' ? 'offchain' : undefined;
};

/** A transaction of a wallet in version 2's form, its senders only if requested. */
export const transactionView = (
  transaction: Transaction,
  showSenders = false,
): WireTransaction => ({
  id: transaction.txId,
  index: transaction.index,
  currency: transaction.currency,
  amount: transaction.amount,
  fee: transaction.fee ?? ZERO,
  address: transaction.address,
  paymentId: transaction.paymentId,
  hash: transaction.hash,
  status: STATUSES[transaction.status],
  type: typeOf(transaction),
  subType: subTypeOf(transaction),
  senders: showSenders ? transaction.senders : undefined,
  offchainId: transaction.offchainId === undefined ? undefined : [transaction.offchainId],
  confirmations: transaction.confirmations,
  publicComment: transaction.publicComment,
  errorCode: transaction.errorCode,
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
});

export const subAccountView = (sub: SubAccount): Writable<typeof wire.subAccount> => ({
  id: sub.account,
  email: sub.email,
  status: sub.status,
});

/** Permissions of a sub-account. */
export const rightsView = (permission: SubPermission): Writable<typeof wire.subAccountRights> => ({
  subAccountId: permission.account,
  isPayoutEnabled: permission.withdrawEnabled,
  description: permission.description,
});

export const subBalancesView = (balances: {
  readonly wallet: readonly Balance[];
  readonly spot: readonly Balance[];
}): Writable<typeof wire.subAccountBalances> => ({
  main: balances.wallet.map(balanceView),
  trading: balances.spot.map(balanceView),
});
