import { isRejection } from '../../../../model/rejections.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import type { Bound } from '../../../../wire/trading/paging.ts';
import { rejectionFault } from '../../../../wire/trading/rejections.ts';
import {
  ACCOUNT_METHODS,
  ACCOUNT_NOTIFICATIONS,
} from '../../../../wire/trading/v2/streams/account.ts';
import { balanceView, transactionView } from '../../views/v2/wallet.ts';
import { pageQuery, transactionsOf, type PageParams } from '../../wallet/transaction-page.ts';
import { noticesOf } from '../notices.ts';
import { part, reply, type ClientSession } from '../part.ts';
import { WalletFeed, type WalletFrames } from '../wallet-feed.ts';

const notice = noticesOf(ACCOUNT_NOTIFICATIONS);

/** Every balance that is not zero; one that is missing has become zero. */
const balances = ({ service, account }: ClientSession): string =>
  notice('balance', service.exchange.wallet.balances(account).map(balanceView));

const FRAMES: WalletFrames = {
  transaction: (transaction) => notice('updateTransaction', transactionView(transaction)),
  change: balances,
  balances,
};

/** The transactions of a page, or what is wrong with it. */
function listed({ session }: WalletFeed, page: PageParams & { readonly showSenders: boolean }) {
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
  open: (session: ClientSession) => new WalletFeed(session, FRAMES),
  handlers: {
    getBalance: ({ session: { service, account } }) => {
      const found = service.act(({ wallet }) => wallet.balances(account));
      return reply(found.map(balanceView));
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
    subscribeTransactions: (feed) => feed.followTransactions(),
    unsubscribeTransactions: (feed) => feed.unfollowTransactions(),
    subscribeBalance: (feed) => feed.followBalances(),
    unsubscribeBalance: (feed) => feed.unfollowBalances(),
  },
});
