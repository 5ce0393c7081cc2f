import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { SimulatedNode } from '../../../../src/gateways/chains/simulated-node.ts';
import { AccountRoute } from '../../../../src/gateways/rebalancing/account-route.ts';
import { ChainPayer } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import { mountChains } from '../../../../src/server/chains/mount.ts';
import { Venue } from '../../../../src/server/venue.ts';
import { ALL_RIGHTS } from '../../../server/kit.ts';
import { LinkedVenue } from '../../../server/chains/linked.ts';
import { BTC, granted, USDC_ETHEREUM, USDC_TRON } from '../../../swaps/chains/harness.ts';
import { d } from '../../trading/kit/values.ts';
import { chainSigner } from './chain-signer.ts';
import { runTransfer } from './lead.ts';
import { openLossyRelay, type LossyRelay } from './lossy-relay.ts';

/** Ann's account, whose wallets are on the chains, and wallets of hers there. */
export interface LinkedAccount {
  readonly venue: LinkedVenue;
  readonly relay: LossyRelay;
  readonly client: TradingClient;
  readonly route: AccountRoute;
  /** Her address on a chain, and what she holds of a token there. */
  readonly address: (chain: string) => string;
  readonly held: (token: number) => bigint;
  readonly payer: (chain: string, token: number) => ChainPayer;
  readonly lead: (transfer: Parameters<typeof runTransfer>[1]) => ReturnType<typeof runTransfer>;
}

const OWNER = 'ann outside';
const CHAINS = [
  { asset: 'USDC', location: 'ethereum', network: 'ETH', token: USDC_ETHEREUM },
  { asset: 'USDC', location: 'tron', network: 'TRX', token: USDC_TRON },
  { asset: 'BTC', location: 'bitcoin', network: 'BTC', token: BTC },
] as const;

/** Opens it for the test that asks; she holds 1000 USDC on each chain and 10 BTC, all outside. */
export async function openLinkedAccount(
  home: 'spot' | 'wallet',
  mountMore: (app: FastifyInstance, venue: LinkedVenue) => void = () => undefined,
): Promise<LinkedAccount> {
  const venue = new LinkedVenue();
  const { chains, trading, scheduler } = venue;
  trading.members.join({ name: 'ann', email: 'ann@example.com', account: venue.ann });
  const grant = { key: 'ann', secret: 'ann-secret', account: venue.ann };
  trading.members.grant({ ...grant, rights: new Set(ALL_RIGHTS) });
  const doors = await Venue.open({
    trading,
    port: 0,
    services: [
      (app) => {
        mountChains(app, chains);
        mountMore(app, venue);
      },
    ],
  });
  onTestFinished(() => doors.close());
  const relay = await openLossyRelay(`http://127.0.0.1:${doors.port}`);
  const settings = { url: relay.url, scheduler, retries: { attempts: 1 } };
  const client = new TradingClient({
    ...settings,
    credentials: { key: 'ann', secret: 'ann-secret', scheme: 'hs256' },
  });
  const node = new SimulatedNode(settings);
  onTestFinished(async () => {
    await Promise.all([client.close(), node.close()]);
  });
  const address = (chain: string): string => chains.addressOf(chain, OWNER);
  const payer = (chain: string, id: number): ChainPayer => {
    const network = chains.networks.find(({ code }) => code === chain);
    const token = chains.tokens.find((each) => each.id === id);
    if (network === undefined || token === undefined) throw new Error(`there is no ${chain}`);
    return new ChainPayer(node, { network, token, signer: chainSigner(chains, chain, OWNER) });
  };
  for (const { location, token } of CHAINS)
    granted(chains.mint(token, address(location), 1_000_000_000n));
  const route = new AccountRoute({
    name: 'account',
    rest: client.rest,
    scheduler,
    location: 'trading',
    chains: CHAINS.map(({ asset, location, network, token }) => ({
      asset,
      location,
      network,
      wallet: { address: address(location) },
      payer: payer(location, token),
    })),
    symbols: [],
    tolerance: d('0.002'),
    home,
  });
  return {
    venue,
    relay,
    client,
    route,
    address,
    payer,
    held: (token) =>
      chains.balance(token, address(CHAINS.find((chain) => chain.token === token)?.location ?? '')),
    lead: (transfer) =>
      runTransfer(
        route,
        transfer,
        () => scheduler.now(),
        () => {
          venue.pass(10_000_000);
        },
        400,
      ),
  };
}
