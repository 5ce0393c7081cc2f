import { isRejection } from '../../../../model/rejections.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import type { Bound } from '../../../../wire/trading/paging.ts';
import { rejectionFault } from '../../../../wire/trading/rejections.ts';
import { ACCOUNT_METHODS } from '../../../../wire/trading/v2/streams/account.ts';
import { balanceView, transactionView } from '../../views/v2/wallet.ts';
import { pageQuery, transactionsOf, type PageParams } from '../../wallet/transaction-page.ts';
import { part, reply } from '../part.ts';
import { AccountMethods } from './account-methods.ts';

/** The transactions of a page, or a fault. */
function listed({ session }: AccountMethods, page: PageParams & { readonly showSenders: boolean }) {
  const query = pageQuery(page);
  if (query.kind === 'fault') return query;
  const found = transactionsOf(session.service, session.account, query.value);
  if (isRejection(found)) return undecoded(rejectionFault(found, 2));
  return reply(found.map((each) => transactionView(each, page.showSenders)));
}

/** A bound that is a number. */
const index = (value: number | undefined): Bound | undefined =>
  value === undefined ? undefined : { kind: 'number', value };

/** The account socket of version 2. */
export const v2Account = part({
  methods: ACCOUNT_METHODS,
  handlers: {
    getBalance: ({ session: { service, account } }) => {
      const balances = service.act(({ wallet }) => wallet.balances(account));
      return reply(balances.map(balanceView));
    },
    findTransactions: (methods, params) => {
      const [from, till] = [params.from, params.till].map((at): Bound | undefined =>
        at === undefined ? undefined : { kind: 'time', at },
      );
      return listed(methods, { ...params, by: 'timestamp', from, till });
    },
    loadTransactions: (methods, params) =>
      listed(methods, {
        ...params,
        by: 'index',
        from: index(params.from),
        till: index(params.till),
      }),
    subscribeTransactions: (methods) => {
      methods.followTransactions();
      return reply(true);
    },
    unsubscribeTransactions: (methods) => {
      methods.unfollowTransactions();
      return reply(true);
    },
    subscribeBalance: (methods) => {
      methods.followBalances();
      return reply(true, () => {
        methods.emitBalances();
      });
    },
    unsubscribeBalance: (methods) => {
      methods.unfollowBalances();
      return reply(true);
    },
  },
  Handler: AccountMethods,
});
