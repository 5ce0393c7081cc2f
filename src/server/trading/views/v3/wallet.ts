import type {
  DepositAddress,
  TrustedAddress,
  UsedAddress,
} from '../../../../exchange/wallet/addresses.ts';
import type { AmountLock } from '../../../../exchange/wallet/bank.ts';
import type { Transaction } from '../../../../exchange/wallet/transaction.ts';
import type { Balance } from '../../../../exchange/wallet/account-ledgers.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import type { walletBalance } from '../../../../wire/trading/v3/records/balance.ts';
import type * as wire from '../../../../wire/trading/v3/records/wallet.ts';
import type { Airdrop } from '../../wallet/airdrops.ts';
import { operationType } from '../../wallet/operation-type.ts';

export const walletBalanceView = (balance: Balance): Writable<typeof walletBalance> => ({
  currency: balance.currency,
  available: balance.available,
  reserved: balance.reserved,
});

/** A deposit address; none of the simulated chains has public keys. */
export const addressView = (address: DepositAddress): Writable<typeof wire.address> => ({
  currency: address.currency,
  address: address.address,
  payment_id: address.paymentId,
  public_key: undefined,
  network_code: address.network,
});

/** An external address that a currency was sent to. */
export const usedAddressView = (
  currency: string,
  { address, paymentId, network }: UsedAddress,
): Writable<typeof wire.address> => ({
  currency,
  address,
  payment_id: paymentId,
  public_key: undefined,
  network_code: network,
});

export const trustedAddressView = ({
  address,
  currency,
  name,
  network,
}: TrustedAddress): Writable<typeof wire.whiteAddress> => ({ address, currency, name, network });

/** A transaction of a wallet as version 3 shows it. */
export function transactionView(transaction: Transaction): Writable<typeof wire.transaction> {
  const { commitRisk: risk } = transaction;
  return {
    id: transaction.id,
    status: transaction.status,
    type: transaction.type,
    subtype: transaction.subtype,
    created_at: transaction.createdAt,
    updated_at: transaction.updatedAt,
    last_activity_at: transaction.lastActivityAt,
    native: {
      tx_id: transaction.txId,
      index: transaction.index,
      currency: transaction.currency,
      amount: transaction.amount,
      fee: transaction.fee,
      address: transaction.address,
      payment_id: transaction.paymentId,
      hash: transaction.hash,
      offchain_id: transaction.offchainId,
      confirmations: transaction.confirmations,
      public_comment: transaction.publicComment,
      error_code: transaction.errorCode,
      senders: transaction.senders,
      network_code: transaction.network,
    },
    operation_id: transaction.operationId,
    operation_type: operationType(transaction),
    attempt_hashes: transaction.attemptHashes ?? [],
    commit_risk:
      risk === undefined ? undefined : { score: risk.score, rbf: risk.rbf, low_fee: risk.lowFee },
  };
}

export const lockView = (lock: AmountLock): Writable<typeof wire.amountLock> => ({
  id: lock.id,
  currency: lock.currency,
  amount: lock.amount,
  date_end: lock.endsAt,
  description: lock.description,
  cancelled: lock.cancelled,
  cancelled_at: lock.cancelledAt,
  cancel_description: lock.cancelDescription,
  created_at: lock.createdAt,
});

export const airdropView = (airdrop: Airdrop): Writable<typeof wire.airdrop> => ({
  id: airdrop.id,
  currency: airdrop.currency,
  amount: airdrop.amount,
  status: airdrop.claimed ? 'claimed' : 'available',
  created_at: airdrop.createdAt,
});
