import type { DepositAddress } from '../../../../exchange/wallet/addresses.ts';
import { isRejection, type Rejection } from '../../../../model/rejections.ts';
import { decoded } from '../../../../wire/trading/faults.ts';
import type { walletCalls } from '../../../../wire/trading/v3/calls/wallet.ts';
import {
  addressView,
  airdropView,
  lockView,
  transactionView,
  trustedAddressView,
  usedAddressView,
  walletBalanceView,
} from '../../views/v3/wallet.ts';
import type { TradingService } from '../../service.ts';
import { conversionPairs } from '../../wallet/conversion-pairs.ts';
import { feeLevelOf } from '../../wallet/fee-levels.ts';
import { lastMicroOf } from '../../wallet/last-micro.ts';
import { transactionQuery } from '../../wallet/transaction-filter.ts';
import { answer, answerOf, refuse, rejected, type RestHandlers } from '../handler.ts';

type Handlers = RestHandlers<typeof walletCalls>;

const records = {
  getWalletBalances: (service, { account }) => {
    const balances = service.act(({ wallet }) => wallet.balances(account));
    return answer(balances.map(walletBalanceView));
  },
  getWalletBalance: (service, { account, path }) => {
    const balance = service.act(({ wallet }) => wallet.balance(account, path.currency));
    return answerOf(balance, 3, walletBalanceView);
  },
  getTransactions: (service, { account, params }) => {
    const query = transactionQuery(service.exchange.wallet, params);
    if (query.kind === 'fault') return query;
    const found = service.act(({ wallet }) => wallet.transactions(account, query.value));
    return answerOf(found, 3, (each) => each.map(transactionView));
  },
  getTransaction: (service, { account, path }) => {
    const found = service.act(({ wallet }) => wallet.transaction(account, path.tx_id));
    return answerOf(found, 3, transactionView);
  },
  getAmountLocks: (service, { account, params }) => {
    const { currency, active, from, till, limit, offset } = params;
    const last = till === undefined ? undefined : lastMicroOf(till);
    const query = { currency, active, from, till: last, limit, offset };
    const locks = service.act(({ wallet }) => {
      const known = currency === undefined ? undefined : wallet.currency(currency);
      return isRejection(known) ? known : wallet.locks(account, query);
    });
    return answerOf(locks, 3, (each) => each.map(lockView));
  },
  getAirdrops: (service, { account }) => answer(service.airdrops.of(account).map(airdropView)),
  claimAirdrop: (service, { account, path }) => {
    const airdrop = service.airdrops.find(account, Number(path.id));
    if (airdrop === undefined) return refuse(20004, `There is no airdrop ${path.id}`, 'id');
    if (airdrop.claimed) return answer({ result: false });
    const { currency, amount } = airdrop;
    const credit = { currency, amount, subtype: 'AIRDROP' } as const;
    const credited = service.act(({ wallet }, at) => wallet.credit(account, credit, at));
    if (isRejection(credited)) return rejected(credited, 3);
    service.airdrops.take(airdrop);
    return answer({ result: true });
  },
} satisfies Partial<Handlers>;

/** Addresses of a currency and network, if given. */
const addressesOf = (
  all: readonly DepositAddress[],
  currency: string | undefined,
  network: string | undefined,
): readonly DepositAddress[] =>
  all.filter(
    (each) =>
      (currency === undefined || each.currency === currency) &&
      (network === undefined || each.network === network),
  );

/** The latest address of each network; for a given currency, that of its network is made if missing. */
function currentAddresses(
  service: TradingService,
  account: number,
  currency: string | undefined,
  network: string | undefined,
): readonly DepositAddress[] | Rejection {
  return service.act(({ wallet }, at) => {
    if (currency === undefined) return addressesOf(wallet.addresses(account), currency, network);
    const current = wallet.address(account, currency, at, network);
    if (isRejection(current)) return current;
    const others = addressesOf(wallet.addresses(account), currency, network);
    // The requested one comes first: some clients read no other.
    return [current, ...others.filter((each) => each.network !== current.network)];
  });
}

const addresses = {
  getAddresses: (service, { account, params: { currency, network_code } }) => {
    const found = currentAddresses(service, account, currency, network_code);
    return answerOf(found, 3, (each) => each.map(addressView));
  },
  createAddress: (service, { account, params: { currency, network_code } }) => {
    const made = service.act(({ wallet }, at) =>
      wallet.newAddress(account, currency, at, network_code),
    );
    return answerOf(made, 3, addressView);
  },
  getRecentDepositAddresses: (service, { account, params: { currency, network_code } }) => {
    const { wallet } = service.exchange;
    const known = wallet.currency(currency);
    if (isRejection(known)) return rejected(known, 3);
    const recent = addressesOf(wallet.recentDeposit(account, currency), currency, network_code);
    return answer(recent.map(addressView));
  },
  getRecentWithdrawAddresses: (service, { account, params: { currency, network_code } }) => {
    const { wallet } = service.exchange;
    const known = wallet.currency(currency);
    if (isRejection(known)) return rejected(known, 3);
    const recent = wallet
      .recentWithdraw(account, currency)
      .filter(({ network }) => network_code === undefined || network === network_code);
    return answer(recent.map((each) => usedAddressView(currency, each)));
  },
  checkMine: (service, { account, params: { address, network_code } }) =>
    answer({ result: service.exchange.wallet.isMine(account, address, network_code) }),
  getWhiteList: (service, { account }) =>
    answer(service.exchange.wallet.whiteList(account).map(trustedAddressView)),
  checkOffchain: (service, { account, params }) => {
    const { currency, address, payment_id, network_code } = params;
    const available = service.exchange.wallet.offchainAvailable(account, {
      currency,
      address,
      paymentId: payment_id,
      network: network_code,
    });
    return answerOf(available, 3, (result) => ({ result }));
  },
} satisfies Partial<Handlers>;

const transfers = {
  withdraw: (service, { account, params }) => {
    const { payment_id: paymentId = params.paymentId, network_code: network } = params;
    const feeLevel = feeLevelOf(params.fee_level_id);
    const { public_comment: publicComment } = params;
    const id = service.act(({ wallet }, at) =>
      wallet.withdraw(
        account,
        {
          currency: params.currency,
          amount: params.amount,
          address: params.address,
          paymentId,
          network,
          feeLevel,
          publicComment,
          includeFee: params.include_fee,
          autoCommit: params.auto_commit,
          offchain: params.use_offchain,
        },
        at,
      ),
    );
    return answerOf(id, 3, (txId) => ({ id: txId }));
  },
  commitWithdrawal: (service, { account, path }) => {
    const done = service.act(({ wallet }, at) => wallet.commit(account, path.id, at));
    return answerOf(done, 3, (result) => ({ result }));
  },
  rollBackWithdrawal: (service, { account, path }) => {
    const done = service.act(({ wallet }, at) => wallet.rollback(account, path.id, at));
    return answerOf(done, 3, (result) => ({ result }));
  },
  convert: (service, { account, params }) => {
    const request = { from: params.from_currency, to: params.to_currency, amount: params.amount };
    const ids = service.act(({ wallet }, at) => wallet.convert(account, request, at));
    return answerOf(ids, 3, (result) => ({ result }));
  },
  transfer: (service, { account, params }) => {
    const ids = service.act(({ wallet }, at) => wallet.transfer(account, params, at));
    return answerOf(ids, 3, (moved) => moved);
  },
  withdrawInternally: (service, { account, params }) => {
    const { currency, amount, by, identifier, public_comment: publicComment } = params;
    const request = { currency, amount, by, identifier, publicComment };
    const id = service.act(({ wallet }, at) => wallet.sendInternally(account, request, at));
    return answerOf(id, 3, (result) => ({ result }));
  },
  getConvertConfig: (service) =>
    decoded({ pairs: service.act(({ wallet }) => conversionPairs(wallet)) }),
} satisfies Partial<Handlers>;

/** Handlers of the wallet calls. */
export const walletHandlers: Handlers = { ...records, ...addresses, ...transfers };
