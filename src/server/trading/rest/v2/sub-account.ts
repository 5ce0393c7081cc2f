import type { accountCalls } from '../../../../wire/trading/v2/calls/account.ts';
import { addressView, rightsView, subAccountView, subBalancesView } from '../../views/v2/wallet.ts';
import { freeze } from '../../accounts/stopping.ts';
import { subAccountId, subAccountIds } from '../../wallet/sub-account-ids.ts';
import { answer, answerOf, type RestHandlers } from '../handler.ts';

type Handlers = Pick<
  RestHandlers<typeof accountCalls>,
  | 'getSubAccounts'
  | 'freezeSubAccounts'
  | 'activateSubAccounts'
  | 'transferWithSubAccount'
  | 'getSubAccountRights'
  | 'setSubAccountRights'
  | 'getSubAccountBalances'
  | 'getSubAccountAddress'
>;

const done = (result: boolean) => ({ result });

/** Handlers of the sub-account calls. */
export const subAccountHandlers: Handlers = {
  getSubAccounts: (service, { account }) => {
    const subs = service.act(({ subAccounts }) => subAccounts.list(account));
    return answer({ result: subs.map(subAccountView) });
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
    return answerOf(rights, 2, (each) => ({ result: each.map(rightsView) }));
  },
  setSubAccountRights: (service, { account, path, params }) => {
    const id = subAccountId(path.subAccountUserId, 'subAccountUserId');
    if (id.kind === 'fault') return id;
    const { isPayoutEnabled: withdrawEnabled, description } = params;
    const change = {
      ...(withdrawEnabled === undefined ? {} : { withdrawEnabled }),
      ...(description === undefined ? {} : { description }),
    };
    const rights = service.act(({ subAccounts }, at) =>
      subAccounts.permit(account, [id.value], change, at),
    );
    return answerOf(rights, 2, (each) => ({ result: each.map(rightsView) }));
  },
  getSubAccountBalances: (service, { account, path }) => {
    const id = subAccountId(path.subAccountUserID, 'subAccountUserID');
    if (id.kind === 'fault') return id;
    const balances = service.act(({ subAccounts }) => subAccounts.balances(account, id.value));
    return answerOf(balances, 2, (each) => ({ result: subBalancesView(each) }));
  },
  getSubAccountAddress: (service, { account, path }) => {
    const id = subAccountId(path.subAccountUserID, 'subAccountUserID');
    if (id.kind === 'fault') return id;
    const address = service.act(({ subAccounts }, at) =>
      subAccounts.address(account, id.value, path.currency, at),
    );
    return answerOf(address, 2, (each) => ({ result: addressView(each) }));
  },
};
