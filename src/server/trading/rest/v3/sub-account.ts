import type { subAccountCalls } from '../../../../wire/trading/v3/calls/sub-account.ts';
import { rightsView, subAccountView, subBalancesView } from '../../views/v3/sub-account.ts';
import { addressView } from '../../views/v3/wallet.ts';
import { freeze } from '../../accounts/stopping.ts';
import { subAccountId, subAccountIds } from '../../wallet/sub-account-ids.ts';
import { answer, answerOf, type RestHandlers } from '../handler.ts';

const IDS = 'sub_account_ids';

const moved = (result: string) => ({ result });
const done = (result: boolean) => ({ result });

/** Handlers of the sub-account calls. The caller is the super account, or sends money. */
export const subAccountHandlers: RestHandlers<typeof subAccountCalls> = {
  getSubAccounts: (service, { account }) => {
    const subs = service.act(({ subAccounts }) => subAccounts.list(account));
    return answer({ result: subs.map(subAccountView) });
  },
  freezeSubAccounts: (service, { account, params }) => {
    const ids = subAccountIds(params.sub_account_ids, IDS);
    if (ids.kind === 'fault') return ids;
    const frozen = freeze(service, account, ids.value);
    return answerOf(frozen, 3, done);
  },
  activateSubAccounts: (service, { account, params }) => {
    const ids = subAccountIds(params.sub_account_ids, IDS);
    if (ids.kind === 'fault') return ids;
    const active = service.act(({ subAccounts }, at) =>
      subAccounts.activate(account, ids.value, at),
    );
    return answerOf(active, 3, done);
  },
  transferWithSubAccount: (service, { account, params }) => {
    const { sub_account_id: subAccount, currency, amount, type } = params;
    const direction = type === 'to_sub_account' ? 'to' : 'from';
    const transfer = { subAccount, currency, amount, direction } as const;
    const id = service.act(({ subAccounts }, at) => subAccounts.transfer(account, transfer, at));
    return answerOf(id, 3, moved);
  },
  transferToSuperAccount: (service, { account, params }) => {
    const id = service.act(({ subAccounts }, at) => subAccounts.giveToSuper(account, params, at));
    return answerOf(id, 3, moved);
  },
  transferBetweenSubAccounts: (service, { account, params }) => {
    const { sub_account_id: sibling, currency, amount } = params;
    const gift = { currency, amount };
    const id = service.act(({ subAccounts }, at) =>
      subAccounts.giveToSub(account, sibling, gift, at),
    );
    return answerOf(id, 3, moved);
  },
  getSubAccountRights: (service, { account, params }) => {
    const ids = subAccountIds(params.sub_account_ids, IDS);
    if (ids.kind === 'fault') return ids;
    const rights = service.act(({ subAccounts }) => subAccounts.permissions(account, ids.value));
    return answerOf(rights, 3, (each) => ({ result: each.map(rightsView) }));
  },
  setSubAccountRights: (service, { account, params }) => {
    const ids = subAccountIds(params.sub_account_ids, IDS);
    if (ids.kind === 'fault') return ids;
    const change = {
      depositAddressGenerationEnabled: params.deposit_address_generation_enabled,
      withdrawEnabled: params.withdraw_enabled,
      description: params.description,
    };
    const rights = service.act(({ subAccounts }, at) =>
      subAccounts.permit(account, ids.value, change, at),
    );
    return answerOf(rights, 3, (each) => ({ result: each.map(rightsView) }));
  },
  getSubAccountBalances: (service, { account, path }) => {
    const id = subAccountId(path.sub_account_id, 'sub_account_id');
    if (id.kind === 'fault') return id;
    const balances = service.act(({ subAccounts }) => subAccounts.balances(account, id.value));
    return answerOf(balances, 3, (each) => ({ result: subBalancesView(each) }));
  },
  getSubAccountAddress: (service, { account, path }) => {
    const id = subAccountId(path.sub_account_id, 'sub_account_id');
    if (id.kind === 'fault') return id;
    const address = service.act(({ subAccounts }, at) =>
      subAccounts.address(account, id.value, path.currency, at),
    );
    return answerOf(address, 3, (each) => ({ result: addressView(each) }));
  },
};
