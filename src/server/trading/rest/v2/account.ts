import { isRejection } from '../../../../model/rejections.ts';
import type { accountCalls } from '../../../../wire/trading/v2/calls/account.ts';
import { freeze } from '../../accounts/stopping.ts';
import * as views from '../../views/v2/wallet.ts';
import { subAccountId, subAccountIds } from '../../wallet/sub-account-ids.ts';
import { pageQuery, transactionsOf } from '../../wallet/transaction-page.ts';
import { answer, answerOf, rejected, type RestHandlers } from '../handler.ts';

type Handlers = RestHandlers<typeof accountCalls>;

const records = {
  getAccountBalances: (service, { account }) => {
    const balances = service.act(({ wallet }) => wallet.balances(account));
    return answer(balances.map(views.balanceView));
  },
  getAddress: (service, { account, path }) => {
    const current = service.act(({ wallet }, at) => wallet.address(account, path.currency, at));
    return answerOf(current, 2, views.addressView);
  },
  createAddress: (service, { account, path }) => {
    const made = service.act(({ wallet }, at) => wallet.newAddress(account, path.currency, at));
    return answerOf(made, 2, views.addressView);
  },
  getAddresses: ({ exchange: { wallet } }, { account, path }) => {
    const known = wallet.currency(path.currency);
    if (isRejection(known)) return rejected(known, 2);
    return answer(wallet.recentDeposit(account, path.currency).map(views.addressView));
  },
  getUsedAddresses: ({ exchange: { wallet } }, { account, path }) => {
    const known = wallet.currency(path.currency);
    if (isRejection(known)) return rejected(known, 2);
    return answer(wallet.recentWithdraw(account, path.currency).map(views.usedAddressView));
  },
  isMine: ({ exchange: { wallet } }, { account, path }) =>
    answer({ result: wallet.isMine(account, path.address) }),
  getTransactions: (service, { account, params }) => {
    const query = pageQuery(params);
    if (query.kind === 'fault') return query;
    const found = transactionsOf(service, account, query.value);
    return answerOf(found, 2, (each) =>
      each.map((one) => views.transactionView(one, params.showSenders)),
    );
  },
  getTransaction: (service, { account, path, params }) => {
    const found = service.act(({ wallet }) => wallet.transaction(account, path.id));
    return answerOf(found, 2, (one) => views.transactionView(one, params.showSenders));
  },
} satisfies Partial<Handlers>;

const transfers = {
  withdraw: (service, { account, params }) => {
    const id = service.act(({ wallet }, at) => wallet.withdraw(account, params, at));
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
} satisfies Partial<Handlers>;

const done = (result: boolean) => ({ result });

const subAccounts = {
  getSubAccounts: (service, { account }) => {
    const subs = service.act(({ subAccounts }) => subAccounts.list(account));
    return answer({ result: subs.map(views.subAccountView) });
  },
  freezeSubAccounts: (service, { account, params }) => {
    const ids = subAccountIds(params.ids, 'ids');
    if (ids.kind === 'fault') return ids;
    const frozen = freeze(service, account, ids.value);
    return answerOf(frozen, 2, done);
  },
  activateSubAccounts: (service, { account, params }) => {
    const ids = subAccountIds(params.ids, 'ids');
    if (ids.kind === 'fault') return ids;
    const active = service.act(({ subAccounts }, at) =>
      subAccounts.activate(account, ids.value, at),
    );
    return answerOf(active, 2, done);
  },
  transferWithSubAccount: (service, { account, params }) => {
    const { subAccountId: subAccount, currency, amount, type } = params;
    const direction = type === 'deposit' ? 'to' : 'from';
    const transfer = { subAccount, currency, amount, direction } as const;
    const id = service.act(({ subAccounts }, at) => subAccounts.transfer(account, transfer, at));
    return answerOf(id, 2, (result) => ({ result }));
  },
  getSubAccountRights: (service, { account, params }) => {
    const ids = subAccountIds(params.subAccountIds, 'subAccountIds');
    if (ids.kind === 'fault') return ids;
    const rights = service.act(({ subAccounts }) => subAccounts.permissions(account, ids.value));
    return answerOf(rights, 2, (each) => ({ result: each.map(views.rightsView) }));
  },
  setSubAccountRights: (service, { account, path, params }) => {
    const id = subAccountId(path.subAccountUserId, 'subAccountUserId');
    if (id.kind === 'fault') return id;
    const change = { withdrawEnabled: params.isPayoutEnabled, description: params.description };
    const rights = service.act(({ subAccounts }, at) =>
      subAccounts.permit(account, [id.value], change, at),
    );
    return answerOf(rights, 2, (each) => ({ result: each.map(views.rightsView) }));
  },
  getSubAccountBalances: (service, { account, path }) => {
    const id = subAccountId(path.subAccountUserID, 'subAccountUserID');
    if (id.kind === 'fault') return id;
    const balances = service.act(({ subAccounts }) => subAccounts.balances(account, id.value));
    return answerOf(balances, 2, (each) => ({ result: views.subBalancesView(each) }));
  },
  getSubAccountAddress: (service, { account, path }) => {
    const id = subAccountId(path.subAccountUserID, 'subAccountUserID');
    if (id.kind === 'fault') return id;
    const address = service.act(({ subAccounts }, at) =>
      subAccounts.address(account, id.value, path.currency, at),
    );
    return answerOf(address, 2, (each) => ({ result: views.addressView(each) }));
  },
} satisfies Partial<Handlers>;

/** What the calls of the account and of its sub-accounts do. */
export const accountHandlers: Handlers = { ...records, ...transfers, ...subAccounts };
