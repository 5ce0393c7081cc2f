import { isRejection } from '../../../../model/rejections.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import { rejectionFault } from '../../../../wire/trading/rejections.ts';
import { WALLET_METHODS } from '../../../../wire/trading/v3/streams/wallet.ts';
import { transactionView, walletBalanceView } from '../../views/v3/wallet.ts';
import { transactionQuery } from '../../wallet/transaction-filter.ts';
import { part, reply, type MethodHandlers } from '../part.ts';
import { WalletMethods } from './wallet-methods.ts';

type Handlers = MethodHandlers<typeof WALLET_METHODS, WalletMethods>;

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
  handlers: {
    subscribe_transactions: (methods) => {
      methods.followTransactions();
      return reply(true);
    },
    unsubscribe_transactions: (methods) => {
      methods.unfollowTransactions();
      return reply(true);
    },
    subscribe_wallet_balances: (methods) => {
      methods.followBalances();
      return reply(true, () => {
        methods.emitBalances();
      });
    },
    unsubscribe_wallet_balances: (methods) => {
      methods.unfollowBalances();
      return reply(true);
    },
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
  Handler: WalletMethods,
});
