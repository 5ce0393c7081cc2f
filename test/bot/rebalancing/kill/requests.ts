import type { ManagedOrder } from './errand.ts';

/**
 * One for each way in which a route pays. What the order brings is brought to the account, and what
 * is bought there is withdrawn; neither finds the other's money in the wallet of the account.
 */
export const MANAGED_ORDERS: readonly ManagedOrder[] = [
  { id: 'swap', by: 'swaps', from: 'USDC@ethereum', to: 'USDC@tron', send: '1000.000001' },
  { id: 'order', by: 'exchange-orders', from: 'BTC@bitcoin', to: 'USDC@ethereum', send: '0.05' },
  {
    id: 'deposit',
    by: 'account',
    from: 'USDC@ethereum',
    to: 'USDC@trading',
    send: '2500',
    after: 'order',
  },
  { id: 'trade', by: 'account', from: 'USDC@trading', to: 'BTC@trading', send: '400' },
  {
    id: 'withdrawal',
    by: 'account',
    from: 'BTC@trading',
    to: 'BTC@bitcoin',
    send: '0.0061',
    after: 'trade',
  },
];
