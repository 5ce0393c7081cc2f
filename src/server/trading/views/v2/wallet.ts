import type { DepositAddress, UsedAddress } from '../../../../exchange/wallet/addresses.ts';
import type { SubAccount, SubPermission } from '../../../../exchange/requests/sub-accounts.ts';
import type { Transaction } from '../../../../exchange/wallet/transaction.ts';
import type { Balance } from '../../../../exchange/wallet/account-ledgers.ts';
import { ZERO } from '../../../../model/decimal.ts';
import type { Written } from '../../../../wire/trading/decoding.ts';
import type * as wire from '../../../../wire/trading/v2/records/account.ts';
import type { balance } from '../../../../wire/trading/v2/records/trading.ts';

type WireTransaction = Written<typeof wire.transaction>;

export const balanceView = (each: Balance): Written<typeof balance> => ({
  currency: each.currency,
  available: each.available,
  reserved: each.reserved,
});

/** A deposit address; none of the simulated chains has public keys. */
export const addressView = ({
  address,
  paymentId,
}: DepositAddress): Written<typeof wire.address> => ({ address, paymentId, publicKey: undefined });

export const usedAddressView = ({
  address,
  paymentId,
}: UsedAddress): Written<typeof wire.usedAddress> => ({ address, paymentId });

/** Version 2 has no word for rolled back. */
const STATUSES = {
  CREATED: 'created',
  PENDING: 'pending',
  SUCCESS: 'success',
  FAILED: 'failed',
  ROLLED_BACK: 'failed',
} as const satisfies Readonly<Record<Transaction['status'], WireTransaction['status']>>;

/** Transactions by chain, or in its stead; all others that come in or leave are of the other two types. */
const BY_CHAIN: ReadonlySet<Transaction['subtype']> = new Set(['BLOCKCHAIN', 'OFFCHAIN']);

/** What version 2 calls a transaction; it knows no derivatives, which are to it as good as outside. */
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

/** A transaction of a wallet as version 2 shows it, its senders only where they are asked for. */
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

export const subAccountView = (sub: SubAccount): Written<typeof wire.subAccount> => ({
  id: sub.account,
  email: sub.email,
  status: sub.status,
});

/** What a sub-account may do. */
export const rightsView = (permission: SubPermission): Written<typeof wire.subAccountRights> => ({
  subAccountId: permission.account,
  isPayoutEnabled: permission.withdrawEnabled,
  description: permission.description,
});

export const subBalancesView = (balances: {
  readonly wallet: readonly Balance[];
  readonly spot: readonly Balance[];
}): Written<typeof wire.subAccountBalances> => ({
  main: balances.wallet.map(balanceView),
  trading: balances.spot.map(balanceView),
});
