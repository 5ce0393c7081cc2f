import type { WalletRequests, FeeQuery } from '../../../../exchange/requests/wallet.ts';
import type { Decimal } from '../../../../model/decimal.ts';
import { isRejection, type Rejection } from '../../../../model/rejections.ts';
import type { walletFeeCalls } from '../../../../wire/trading/v3/calls/wallet-fees.ts';
import { depositFee, depositFeeHash, levelFees, withdrawFeeHash } from '../../wallet/fee-levels.ts';
import { answer, answerOf, type RestHandlers } from '../handler.ts';

/** One currency and amount of a request. */
interface FeeRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly network_code?: string | undefined;
}

/** A row of an answer to several. */
interface Row {
  readonly fee: Decimal;
  readonly networkFee: Decimal;
  readonly amount: Decimal;
  readonly currency: string;
}

type FeeOf = (wallet: WalletRequests, query: FeeQuery) => Decimal | Rejection;

const withdrawFee: FeeOf = (wallet, query) => wallet.fee(query);

const queryOf = ({ currency, amount, network_code: network }: FeeRequest): FeeQuery => ({
  currency,
  amount,
  network,
});

const one = (wallet: WalletRequests, asked: FeeRequest, feeOf: FeeOf) =>
  answerOf(feeOf(wallet, queryOf(asked)), 3, (fee) => ({ fee }));

/** A row for each request, or the fault of the first without one. */
function many(wallet: WalletRequests, asked: readonly FeeRequest[], feeOf: FeeOf) {
  return answerOf(rowsOf(wallet, asked, feeOf), 3, (rows) => rows);
}

function rowsOf(
  wallet: WalletRequests,
  asked: readonly FeeRequest[],
  feeOf: FeeOf,
): Row[] | Rejection {
  const rows: Row[] = [];
  for (const [index, each] of asked.entries()) {
    const fee = feeOf(wallet, queryOf(each));
    if (isRejection(fee)) return { ...fee, field: `[${index}].${fee.field ?? ''}` };
    // The whole fee is that of the network.
    rows.push({ fee, networkFee: fee, amount: each.amount, currency: each.currency });
  }
  return rows;
}

/** Handlers of the wallet fee calls. A label of deposits changes no fee. */
export const walletFeeHandlers: RestHandlers<typeof walletFeeCalls> = {
  estimateFee: ({ exchange }, { params }) => one(exchange.wallet, params, withdrawFee),
  estimateFees: ({ exchange }, { params }) => many(exchange.wallet, params, withdrawFee),
  estimateFeesByQuery: ({ exchange }, { params }) => many(exchange.wallet, [params], withdrawFee),
  estimateFeesInBulk: ({ exchange }, { params }) => many(exchange.wallet, params, withdrawFee),
  getFeeLevels: ({ exchange }, { params }) =>
    answerOf(levelFees(exchange.wallet, params.currency, params.network_code), 3, (rows) => rows),
  getWithdrawFeeHash: ({ exchange }) => answer({ hash: withdrawFeeHash(exchange.wallet) }),
  getDepositFeeHash: ({ exchange }) => answer({ hash: depositFeeHash(exchange.wallet) }),
  estimateDepositFee: ({ exchange }, { params }) => one(exchange.wallet, params, depositFee),
  estimateDepositFees: ({ exchange }, { params }) => many(exchange.wallet, params, depositFee),
  estimateLabelledDepositFee: ({ exchange }, { params }) =>
    one(exchange.wallet, params, depositFee),
  estimateLabelledDepositFees: ({ exchange }, { params }) =>
    many(exchange.wallet, params, depositFee),
};
