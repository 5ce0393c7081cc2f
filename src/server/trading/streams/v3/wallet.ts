import { isRefusal } from '../../../../model/refusals.ts';
import { undecoded } from '../../../../wire/trading/faults.ts';
import { refusalFault } from '../../../../wire/trading/refusals.ts';
import { WALLET_METHODS } from '../../../../wire/trading/v3/streams/wallet.ts';
import { transactionView, walletBalanceView } from '../../views/v3/wallet.ts';
import { transactionQuery } from '../../wallet/transaction-filter.ts';
import { part, reply, type MethodHandlers } from '../part.ts';
import { WalletDesk } from './wallet-desk.ts';

type Handlers = MethodHandlers<typeof WALLET_METHODS, WalletDesk>;

const transactions: Handlers['transactions'] = ({ seat: { service, account } }, params) => {
  const query = transactionQuery(service.exchange.wallet, params);
  if (query.kind === 'fault') return query;
  const found = service.act(({ wallet }) => wallet.transactions(account, query.value));
  return isRefusal(found)
    ? undecoded(refusalFault(found, 3))
    : reply(found.map((each) => transactionView(each)));
};

/** The wallet socket of version 3. */
export const v3Wallet = part({
  methods: WALLET_METHODS,
  handlers: {
    subscribe_transactions: (desk) => {
      desk.followTransactions();
      return reply(true);
    },
    unsubscribe_transactions: (desk) => {
      desk.unfollowTransactions();
      return reply(true);
    },
    subscribe_wallet_balances: (desk) => {
      desk.followBalances();
      return reply(true, () => {
        desk.tellBalances();
      });
    },
    unsubscribe_wallet_balances: (desk) => {
      desk.unfollowBalances();
      return reply(true);
    },
    wallet_balances: ({ seat: { service, account } }) => {
      const balances = service.act(({ wallet }) => wallet.balances(account));
      return reply(balances.map(walletBalanceView));
    },
    wallet_balance: ({ seat: { service, account } }, { currency }) => {
      const balance = service.act(({ wallet }) => wallet.balance(account, currency));
      return isRefusal(balance)
        ? undecoded(refusalFault(balance, 3))
        : reply(walletBalanceView(balance));
    },
    transactions,
    get_transactions: transactions,
  },
  Desk: WalletDesk,
});
