import { expect, onTestFinished, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import {
  WalletCarrier,
  type WalletPlace,
} from '../../../src/gateways/rebalancing/wallet-carrier.ts';
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
import { leadMove, moveOf, offerFrom } from './kit/lead.ts';
import { openLossyRelay } from './kit/lossy-relay.ts';

const ANNA = { asset: 'USDC', place: 'anna' };
const BERT = { asset: 'USDC', place: 'bert' };

/** Wallets of anna, with 100 USDC, and of bert on one chain, and its node over HTTP. */
async function open(change: (place: WalletPlace) => WalletPlace = (place) => place) {
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
  const placeOf = (owner: string, id: number): WalletPlace => {
    const token = chains.tokens.find((one) => one.id === id);
    if (token === undefined) throw new Error('there is one');
    const signer = chainSigner(chains, 'ethereum', owner);
    return { slot: { asset: token.asset, place: owner }, network, token, signer, node };
  };
  const [anna, bert] = [placeOf('anna', USDC_ETHEREUM), change(placeOf('bert', USDC_ETHEREUM))];
  const places = [anna, bert, placeOf('bert', WETH)];
  const carrier = new WalletCarrier({ name: 'wallets', scheduler, places });
  const held = (): readonly bigint[] =>
    ['anna', 'bert'].map((name) => chains.balance(USDC_ETHEREUM, chains.addressOf('ethereum', name))); // prettier-ignore
  const lead = async () => {
    const offer = await offerFrom(carrier, ANNA, BERT, '30');
    const pass = (): void => {
      scheduler.advanceTo(micros(scheduler.now() + 20_000_000));
    };
    return leadMove(carrier, moveOf(offer, STARTED), () => scheduler.now(), pass);
  };
  return { anna, bert, scheduler, carrier, chains, relay, held, lead };
}

test('one token goes between two wallets of a chain, and arrives when it is read there', async () => {
  const { carrier, chains, held, lead } = await open();
  expect(carrier.pairs()).toEqual([
    [ANNA, BERT],
    [BERT, ANNA],
  ]);
  const { move, log } = await lead();
  expect(log).toEqual(['prepare', 'payIn']);
  expect(move).toMatchObject({ state: 'fulfilled', arrived: d('30') });
  expect(held()).toEqual([70_000_000n, 30_000_000n]);
  expect(isConserved(chains)).toBe(true);
});

test.each(['answer', 'request'] as const)(
  'a transfer whose %s is lost is made once',
  async (what) => {
    const { relay, held, lead } = await open();
    relay.lose(what, 'POST');
    const { move } = await lead();
    expect(relay.hasLostAll).toBe(true);
    expect(move).toMatchObject({ state: 'fulfilled', arrived: d('30') });
    expect(held()).toEqual([70_000_000n, 30_000_000n]);
  },
);

test.each<[string, (place: WalletPlace, anna: WalletPlace['signer']) => WalletPlace]>([
  ['on another chain', (place) => ({ ...place, network: { ...place.network, chainId: 10 } })],
  ['on a chain without an id', ({ network: { chainId: _, ...network }, ...place }) => ({ ...place, network })], // prettier-ignore
  ['of another contract', (place) => ({ ...place, token: { ...place.token, contract: `0x${'1'.repeat(40)}` } })], // prettier-ignore
  ['of one key', (place, signer) => ({ ...place, signer })],
])('between wallets %s nothing goes', async (_, change) => {
  const { chains } = world();
  const { carrier } = await open((place) => change(place, chainSigner(chains, 'ethereum', 'anna')));
  expect(carrier.pairs()).toEqual([]);
  expect(rejectedWith(await carrier.offer(ANNA, BERT, d('1')))).toBe('pair-unavailable');
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
  const places = [anna, bert].map((place, at) => {
    const { chainId: _chainId, ...network } = place.network;
    return { ...place, network: { ...network, ...given[at] } };
  });
  const carrier = new WalletCarrier({ name: 'wallets', scheduler, places });
  expect(carrier.pairs()).toEqual(isJoined ? [[ANNA, BERT], [BERT, ANNA]] : []);
}); // prettier-ignore

test('a node that shows another payment than the one that was sent is not believed', async () => {
  const { carrier, lead } = await open((place) => ({
    ...place,
    node: Object.assign(Object.create(place.node) as WalletPlace['node'], {
      transaction: async (network: string, hash: string) => {
        const made = await place.node.transaction(network, hash);
        return made && { ...made, to: `0x${'2'.repeat(40)}` };
      },
    }),
  }));
  const { move } = await lead();
  expect(move.state).toBe('deposited');
  await expect(carrier.observe(move)).rejects.toMatchObject({ code: 'answer-invalid' });
});
