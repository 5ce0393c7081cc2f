import { createPublicKey } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { ExchangeOrdersClient } from '../../../../src/gateways/exchange-orders/client.ts';
import { generateKeyPair } from '../../../../src/gateways/http/key-pair.ts';
import { AccountPayer } from '../../../../src/gateways/rebalancing/account/withdrawing.ts';
import { ExchangeOrderRoute } from '../../../../src/gateways/rebalancing/exchange-order-route.ts';
import { ExchangeClients } from '../../../../src/server/exchange-orders/clients.ts';
import { mountExchangeOrders } from '../../../../src/server/exchange-orders/mount.ts';
import { ExchangeOrderService } from '../../../../src/swaps/orders/service.ts';
import { defaultCurrencies, defaultExchangeTerms } from '../../../../src/swaps/orders/terms.ts';
import { BTC, granted, TOKENS, USDC_ETHEREUM } from '../../../swaps/chains/harness.ts';
import { d } from '../../trading/kit/values.ts';
import { runTransfer } from './lead.ts';
import { openLinkedAccount, type LinkedAccount } from './linked-account.ts';

const KEYS = await generateKeyPair();
const VALUE: Readonly<Record<string, string>> = {
  USDC: '1',
  BTC: '100000',
  ETH: '4000',
  SOL: '200',
};

export interface ExchangeSubscriptions extends Omit<LinkedAccount, 'route' | 'lead'> {
  readonly service: ExchangeOrderService;
  readonly orders: ExchangeOrdersClient;
  readonly route: ExchangeOrderRoute;
  readonly lead: LinkedAccount['lead'];
}

/** Ann's account and wallets, and an exchange order service that is full of money. */
export async function openExchangeSubscriptions(
  rate: 'fixed' | 'float',
): Promise<ExchangeSubscriptions> {
  let service: ExchangeOrderService | undefined;
  const account = await openLinkedAccount('wallet', (app, { chains, scheduler }) => {
    const currencies = defaultCurrencies(chains, () => d('0.0001'));
    const terms = defaultExchangeTerms(currencies, 'usdceth');
    const priceOf = (asset: string) => (VALUE[asset] === undefined ? undefined : d(VALUE[asset]));
    service = new ExchangeOrderService({ chains, priceOf, scheduler, terms });
    const publicKey = createPublicKey(KEYS.publicKey);
    const clients = new ExchangeClients([{ name: 'ann', publicKey }]);
    mountExchangeOrders(app, { service, clients });
  });
  if (service === undefined) throw new Error('it was mounted');
  const { venue, relay, client, payer, address } = account;
  const { chains, scheduler } = venue;
  for (const { id, network } of TOKENS) {
    const inventory = chains.addressOf(network, 'exchange orders: inventory');
    granted(chains.mint(id, inventory, 10n ** 15n));
  }
  const settings = { url: relay.url, scheduler, privateKey: KEYS.privateKey };
  const orders = new ExchangeOrdersClient({ ...settings, retries: { attempts: 1 } });
  onTestFinished(() => orders.close());
  const usdc = { currency: 'USDC', network: 'ETH' };
  const route = new ExchangeOrderRoute({
    name: 'orders',
    service: orders,
    scheduler,
    rate,
    tolerance: d('0.01'),
    sources: [
      {
        holding: { asset: 'USDC', location: 'ethereum' },
        ticker: 'usdceth',
        payer: payer('ethereum', USDC_ETHEREUM),
        refund: { address: address('ethereum') },
      },
      {
        holding: { asset: 'BTC', location: 'bitcoin' },
        ticker: 'btc',
        payer: payer('bitcoin', BTC),
        refund: { address: address('bitcoin') },
      },
      {
        holding: { asset: 'USDC', location: 'trading' },
        ticker: 'usdceth',
        payer: new AccountPayer(client.rest, usdc),
        refund: { address: address('ethereum') },
      },
    ],
    targets: [
      {
        holding: { asset: 'BTC', location: 'bitcoin' },
        ticker: 'btc',
        payout: { address: address('bitcoin') },
        decimals: 8,
      },
      {
        holding: { asset: 'USDC', location: 'solana' },
        ticker: 'usdcsol',
        payout: { address: address('solana') },
        decimals: 6,
      },
    ],
  });
  return {
    ...account,
    service,
    orders,
    route,
    lead: (transfer) =>
      runTransfer(
        route,
        transfer,
        () => scheduler.now(),
        () => {
          venue.pass(15_000_000);
        },
        400,
      ),
  };
}
