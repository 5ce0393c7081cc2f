import { isRejection } from '../../../../model/rejections.ts';
import type { accountCalls } from '../../../../wire/trading/v2/calls/account.ts';
import {
  addressView,
  balanceView,
  transactionView,
  usedAddressView,
} from '../../views/v2/wallet.ts';
import { pageQuery, transactionsOf } from '../../wallet/transaction-page.ts';
import { answer, answerOf, rejected, type RestHandlers } from '../handler.ts';
import { subAccountHandlers } from './sub-account.ts';

type Handlers = Omit<RestHandlers<typeof accountCalls>, keyof typeof subAccountHandlers>;

const records: Pick<
  Handlers,
  | 'getAccountBalances'
  | 'getAddress'
  | 'createAddress'
  | 'getAddresses'
  | 'getUsedAddresses'
  | 'isMine'
  | 'getTransactions'
  | 'getTransaction'
> = {
  getAccountBalances: (service, { account }) => {
    const balances = service.act(({ wallet }) => wallet.balances(account));
    return answer(balances.map(balanceView));
  },
  getAddress: (service, { account, path }) => {
    const current = service.act(({ wallet }, at) => wallet.address(account, path.currency, at));
    return answerOf(current, 2, addressView);
  },
  createAddress: (service, { account, path }) => {
    const made = service.act(({ wallet }, at) => wallet.newAddress(account, path.currency, at));
    return answerOf(made, 2, addressView);
  },
  getAddresses: ({ exchange: { wallet } }, { account, path }) => {
    const known = wallet.currency(path.currency);
    if (isRejection(known)) return rejected(known, 2);
    return answer(wallet.recentDeposit(account, path.currency).map(addressView));
  },
  getUsedAddresses: ({ exchange: { wallet } }, { account, path }) => {
    const known = wallet.currency(path.currency);
    if (isRejection(known)) return rejected(known, 2);
    return answer(wallet.recentWithdraw(account, path.currency).map(usedAddressView));
  },
  isMine: ({ exchange: { wallet } }, { account, path }) =>
    answer({ result: wallet.isMine(account, path.address) }),
  getTransactions: (service, { account, params }) => {
    const query = pageQuery(params);
    if (query.kind === 'fault') return query;
    const found = transactionsOf(service, account, query.value);
    return answerOf(found, 2, (each) =>
      each.map((one) => transactionView(one, params.showSenders)),
    );
  },
  getTransaction: (service, { account, path, params }) => {
    const found = service.act(({ wallet }) => wallet.transaction(account, path.id));
    return answerOf(found, 2, (one) => transactionView(one, params.showSenders));
  },
};

const transfers: Omit<Handlers, keyof typeof records> = {
  withdraw: (service, { account, params }) => {
    const { paymentId, publicComment, ...request } = params;
    const id = service.act(({ wallet }, at) =>
      wallet.withdraw(
        account,
        {
          ...request,
          ...(paymentId === undefined ? {} : { paymentId }),
          ...(publicComment === undefined ? {} : { publicComment }),
        },
        at,
      ),
    );
    return answerOf(id, 2, (txId) => ({ id: txId }));
  },
  commitWithdrawal: (service, { account, path }) => {
    const done = service.act(({ wallet }, at) => wallet.commit(account, path.id, at));
    return answerOf(done, 2, (result) => ({ result }));
  },
  rollBackWithdrawal: (service, { account, path }) => {
    const done = service.act(({ wallet }, at) => wallet.rollback(account, path.id, at));
    return answerOf(done, 2, (result) => ({ result }));
  },
  convert: (service, { account, params }) => {
    const request = { from: params.fromCurrency, to: params.toCurrency, amount: params.amount };
    const ids = service.act(({ wallet }, at) => wallet.convert(account, request, at));
    return answerOf(ids, 2, (result) => ({ result }));
  },
  estimateFee: ({ exchange: { wallet } }, { params }) =>
    answerOf(wallet.fee(params), 2, (fee) => ({ fee })),
  transfer: (service, { account, params: { currency, amount, type } }) => {
    const [source, destination] =
      type === 'bankToExchange' ? (['wallet', 'spot'] as const) : (['spot', 'wallet'] as const);
    const request = { currency, amount, source, destination };
    const ids = service.act(({ wallet }, at) => wallet.transfer(account, request, at));
    return answerOf(ids, 2, ([id = '']) => ({ id }));
  },
  transferInternally: (service, { account, params }) => {
    const id = service.act(({ wallet }, at) => wallet.sendInternally(account, params, at));
    return answerOf(id, 2, (result) => ({ result }));
  },
};

/** Handlers of the account's and sub-accounts' calls. */
export const accountHandlers: RestHandlers<typeof accountCalls> = {
  ...records,
  ...transfers,
  ...subAccountHandlers,
};
