import { isRejection } from '../../../../model/rejections.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import { rejectionFault } from '../../../../wire/trading/rejections.ts';
import {
  WALLET_METHODS,
  WALLET_NOTIFICATIONS,
} from '../../../../wire/trading/v3/streams/wallet.ts';
import { transactionView, walletBalanceView } from '../../views/v3/wallet.ts';
import { transactionQuery } from '../../wallet/transaction-filter.ts';
import { noticesOf } from '../notices.ts';
import { part, reply, type MethodHandlers, type ClientSession } from '../part.ts';
import { WalletFeed, type WalletFrames } from '../wallet-feed.ts';

type Handlers = MethodHandlers<typeof WALLET_METHODS, WalletFeed>;

const notice = noticesOf(WALLET_NOTIFICATIONS);

const FRAMES: WalletFrames = {
  transaction: (transaction) => notice('transaction_update', transactionView(transaction)),
  change: ({ service, account }, currency) => {
    const balance = service.exchange.wallet.balance(account, service.currencies[currency]);
    return isRejection(balance)
      ? undefined
      : notice('wallet_balance_update', [walletBalanceView(balance)]);
  },
  balances: ({ service, account }) => {
    const balances = service.act(({ wallet }) => wallet.balances(account));
    return notice('wallet_balances', balances.map(walletBalanceView));
  },
};

const transactions: Handlers['transactions'] = ({ session: { service, account } }, params) => {
  const query = transactionQuery(service.exchange.wallet, params);
  if (query.kind === 'fault') return query;
  const found = service.act(({ wallet }) => wallet.transactions(account, query.value));
  return isRejection(found)
    ? undecoded(rejectionFault(found, 3))
    : reply(found.map((each) => transactionView(each)));
};

/** The wallet socket of version 3. */
export const v3Wallet = part({
  methods: WALLET_METHODS,
  open: (session: ClientSession) => new WalletFeed(session, FRAMES),
  handlers: {
    subscribe_transactions: (feed) => feed.followTransactions(),
    unsubscribe_transactions: (feed) => feed.unfollowTransactions(),
    subscribe_wallet_balances: (feed) => feed.followBalances(),
    unsubscribe_wallet_balances: (feed) => feed.unfollowBalances(),
    wallet_balances: ({ session: { service, account } }) => {
      const balances = service.act(({ wallet }) => wallet.balances(account));
      return reply(balances.map(walletBalanceView));
    },
    wallet_balance: ({ session: { service, account } }, { currency }) => {
      const balance = service.act(({ wallet }) => wallet.balance(account, currency));
      return isRejection(balance)
        ? undecoded(rejectionFault(balance, 3))
        : reply(walletBalanceView(balance));
    },
    transactions,
    get_transactions: transactions,
  },
});
