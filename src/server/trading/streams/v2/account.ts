import { isRefusal } from '../../../../model/refusals.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import type { Bound } from '../../../../wire/trading/paging.ts';
import { refusalFault } from '../../../../wire/trading/refusals.ts';
import { ACCOUNT_METHODS } from '../../../../wire/trading/v2/streams/account.ts';
import { balanceView, transactionView } from '../../views/v2/wallet.ts';
import { pageQuery, transactionsOf, type PageParams } from '../../wallet/transaction-page.ts';
import { part, reply } from '../part.ts';
import { AccountDesk } from './account-desk.ts';

/** The transactions of a page, or what is wrong with it. */
function listed({ seat }: AccountDesk, page: PageParams & { readonly showSenders: boolean }) {
  const query = pageQuery(page);
  if (query.kind === 'fault') return query;
  const found = transactionsOf(seat.service, seat.account, query.value);
  if (isRefusal(found)) return undecoded(refusalFault(found, 2));
  return reply(found.map((each) => transactionView(each, page.showSenders)));
}

/** A bound that is a number. */
const index = (value: number | undefined): Bound | undefined =>
  value === undefined ? undefined : { kind: 'number', value };

/** The account socket of version 2. */
export const v2Account = part({
  methods: ACCOUNT_METHODS,
  handlers: {
    getBalance: ({ seat: { service, account } }) => {
      const balances = service.act(({ wallet }) => wallet.balances(account));
      return reply(balances.map(balanceView));
    },
    findTransactions: (desk, params) => {
      const [from, till] = [params.from, params.till].map((at): Bound | undefined =>
        at === undefined ? undefined : { kind: 'time', at },
      );
      return listed(desk, { ...params, by: 'timestamp', from, till });
    },
    loadTransactions: (desk, params) =>
      listed(desk, {
        ...params,
        by: 'index',
        from: index(params.from),
        till: index(params.till),
      }),
    subscribeTransactions: (desk) => {
      desk.followTransactions();
      return reply(true);
    },
    unsubscribeTransactions: (desk) => {
      desk.unfollowTransactions();
      return reply(true);
    },
    subscribeBalance: (desk) => {
      desk.followBalances();
      return reply(true, () => {
        desk.tellBalances();
      });
    },
    unsubscribeBalance: (desk) => {
      desk.unfollowBalances();
      return reply(true);
    },
  },
  Desk: AccountDesk,
});
