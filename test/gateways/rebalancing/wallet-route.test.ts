import { expect, onTestFinished, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { WalletRoute, type TokenWallet } from '../../../src/gateways/rebalancing/wallet-route.ts';
import { micros } from '../../../src/platform/time.ts';
import { mountChains } from '../../../src/server/chains/mount.ts';
import type { NetworkTerms } from '../../../src/swaps/tokens.ts';
import { openVenue } from '../../server/kit.ts';
import {
  granted,
  isConserved,
  rejectedWith,
  STARTED,
  USDC_ETHEREUM,
  WETH,
  world,
} from '../../swaps/chains/harness.ts';
import { d } from '../trading/kit/values.ts';
import { chainSigner } from './kit/chain-signer.ts';
import { runTransfer, transferOf, offerFrom } from './kit/lead.ts';
import { openLossyRelay } from './kit/lossy-relay.ts';

const ANNA = { asset: 'USDC', location: 'anna' };
const BERT = { asset: 'USDC', location: 'bert' };

/** Wallets of anna, with 100 USDC, and of bert on one chain, and its node over HTTP. */
async function open(change: (wallet: TokenWallet) => TokenWallet = (wallet) => wallet) {
  const { chains, scheduler } = world();
  granted(chains.mint(USDC_ETHEREUM, chains.addressOf('ethereum', 'anna'), 100_000_000n));
  const mount = {
    services: [(app: Parameters<typeof mountChains>[0]) => mountChains(app, chains)],
  };
  const { base } = await openVenue({ setup: mount });
  const relay = await openLossyRelay(base);
  const node = new SimulatedNode({ url: relay.url, scheduler, retries: { attempts: 1 } });
  onTestFinished(() => node.close());
  const network = chains.networks.find(({ code }) => code === 'ethereum');
  if (network === undefined) throw new Error('there is one');
  const walletOf = (owner: string, id: number): TokenWallet => {
    const token = chains.tokens.find((one) => one.id === id);
    if (token === undefined) throw new Error('there is one');
    const signer = chainSigner(chains, 'ethereum', owner);
    return { holding: { asset: token.asset, location: owner }, network, token, signer, node };
  };
  const [anna, bert] = [walletOf('anna', USDC_ETHEREUM), change(walletOf('bert', USDC_ETHEREUM))];
  const wallets = [anna, bert, walletOf('bert', WETH)];
  const route = new WalletRoute({ name: 'wallets', scheduler, wallets });
  const held = (): readonly bigint[] =>
    ['anna', 'bert'].map((name) => chains.balance(USDC_ETHEREUM, chains.addressOf('ethereum', name))); // prettier-ignore
  const lead = async () => {
    const offer = await offerFrom(route, ANNA, BERT, '30');
    const pass = (): void => {
      scheduler.advanceTo(micros(scheduler.now() + 20_000_000));
    };
    return runTransfer(route, transferOf(offer, STARTED), () => scheduler.now(), pass);
  };
  return { anna, bert, scheduler, route, chains, relay, held, lead };
}

test('one token goes between two wallets of a chain, and arrives when it is read there', async () => {
  const { route, chains, held, lead } = await open();
  expect(route.pairs()).toEqual([
    [ANNA, BERT],
    [BERT, ANNA],
  ]);
  const { transfer, log } = await lead();
  expect(log).toEqual(['prepare', 'payIn']);
  expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('30') });
  expect(held()).toEqual([70_000_000n, 30_000_000n]);
  expect(isConserved(chains)).toBe(true);
});

test.each(['answer', 'request'] as const)(
  'a transfer whose %s is lost is made once',
  async (what) => {
    const { relay, held, lead } = await open();
    relay.lose(what, 'POST');
    const { transfer } = await lead();
    expect(relay.hasLostAll).toBe(true);
    expect(transfer).toMatchObject({ state: 'fulfilled', arrived: d('30') });
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
  },
);

test.each<[string, (wallet: TokenWallet, anna: TokenWallet['signer']) => TokenWallet]>([
  ['on another chain', (wallet) => ({ ...wallet, network: { ...wallet.network, chainId: 10 } })],
  ['on a chain without an id', ({ network: { chainId: _, ...network }, ...location }) => ({ ...location, network })], // prettier-ignore
  ['of another contract', (wallet) => ({ ...wallet, token: { ...wallet.token, contract: `0x${'1'.repeat(40)}` } })], // prettier-ignore
  ['of one key', (wallet, signer) => ({ ...wallet, signer })],
])('between wallets %s nothing goes', async (_, change) => {
  const { chains } = world();
  const { route } = await open((wallet) => change(wallet, chainSigner(chains, 'ethereum', 'anna')));
  expect(route.pairs()).toEqual([]);
  expect(rejectedWith(await route.offer(ANNA, BERT, d('1')))).toBe('pair-unavailable');
});

test.each<[string, boolean, Partial<NetworkTerms>, Partial<NetworkTerms>]>([
  ['one chain of Bitcoin', true, { family: 'bitcoin', chain: 'regtest' }, { family: 'bitcoin', chain: 'regtest' }],
  ['two chains of Bitcoin', false, { family: 'bitcoin', chain: 'signet' }, { family: 'bitcoin', chain: 'testnet' }],
  ['one cluster of Solana', true, { family: 'solana', chain: '5eykt4' }, { family: 'solana', chain: '5eykt4' }],
  ['two clusters of Solana', false, { family: 'solana', chain: '5eykt4' }, { family: 'solana', chain: 'EtWTRA' }],
  ['two families that name their chains alike', false, { family: 'solana', chain: 'regtest' }, { family: 'bitcoin', chain: 'regtest' }],
  ['networks that do not say which chain they are', false, { family: 'bitcoin' }, { family: 'bitcoin' }],
])('wallets on %s are joined: %s', async (_, isJoined, ...given) => {
  const { anna, bert, scheduler } = await open();
  const wallets = [anna, bert].map((wallet, at) => {
    const { chainId: _chainId, ...network } = wallet.network;
    return { ...wallet, network: { ...network, ...given[at] } };
  });
  const route = new WalletRoute({ name: 'wallets', scheduler, wallets });
  expect(route.pairs()).toEqual(isJoined ? [[ANNA, BERT], [BERT, ANNA]] : []);
}); // prettier-ignore

test('a node that shows another payment than the one that was sent is not believed', async () => {
  const { route, lead } = await open((wallet) => ({
    ...wallet,
    node: Object.assign(Object.create(wallet.node) as TokenWallet['node'], {
      transaction: async (network: string, hash: string) => {
        const made = await wallet.node.transaction(network, hash);
        return made && { ...made, to: `0x${'2'.repeat(40)}` };
      },
    }),
  }));
  const { transfer } = await lead();
  expect(transfer.state).toBe('deposited');
  await expect(route.observe(transfer)).rejects.toMatchObject({ code: 'answer-invalid' });
});
