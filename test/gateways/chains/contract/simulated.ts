import { expect, onTestFinished } from 'vitest';
import type { SimulatedNode } from '../../../../src/gateways/chains/simulated-node.ts';
import { mountChains } from '../../../../src/server/chains/mount.ts';
import { micros } from '../../../../src/platform/time.ts';
import { openVenue } from '../../../server/kit.ts';
import {
  granted,
  rejectedWith,
  USDC_ETHEREUM,
  WETH,
  world,
} from '../../../swaps/chains/harness.ts';
import { chainSigner } from '../../rebalancing/kit/chain-signer.ts';
import { openFaultProxy } from './fault-proxy.ts';
import type { ChainHarness, ChainUnderTest, Exemption } from './harness.ts';
import { KEY_OF, simulatedNodeAt } from './simulated-node-of.ts';
import { transferOf } from './suite.ts';

/** Some chains of the simulation have no such thing, and their node says that there is none. */
const FREE: Exemption = {
  reason: 'simulated chains take no fee',
  instead: async (chain) => {
    const node = chain.open();
    expect(await node.fee(chain.token)).toEqual({ lots: 0n });
    const made = granted(await node.prepare(transferOf(chain), chain.owner.sign));
    granted(await node.send(chain.network, made.raw));
    await chain.finalize();
    expect(await node.outcome(chain.network, [made])).not.toHaveProperty('fee');
  },
};

/** What is taken by a simulated chain is in a block at once and stays there. */
const SURE: Exemption = {
  reason: 'simulated chains keep what they take',
  instead: async (chain) => {
    const node = chain.open();
    const made = granted(await node.prepare(transferOf(chain), chain.owner.sign));
    expect(await node.outcome(chain.network, [made])).toEqual({ kind: 'unseen' });
    granted(await node.send(chain.network, made.raw));
    expect(await node.outcome(chain.network, [made])).toMatchObject({ kind: 'made', isFinal: false }); // prettier-ignore
    await chain.finalize();
    expect(await node.outcome(chain.network, [made])).toMatchObject({
      kind: 'made',
      isFinal: true,
    });
  },
};

/** It takes networks and tokens from the node itself. */
const TOLD: Exemption = {
  reason: 'nothing is configured that could differ',
  instead: async (chain) => {
    const node = chain.open();
    expect((await node.networks()).map(({ code }) => code)).toContain(chain.network);
    expect((await node.tokens()).map(({ id }) => id)).toContain(chain.token);
  },
};

/** It signs for the chain, which judges when it is sent. */
const JUDGED: Exemption = {
  reason: 'the chain refuses when it is sent, which costs nothing',
  instead: async (chain) => {
    const node = chain.open();
    const send = async (changes: object): Promise<string> => {
      const order = { ...transferOf(chain), ...changes };
      const { raw } = granted(await node.prepare(order, chain.owner.sign));
      return rejectedWith(await node.send(chain.network, raw));
    };
    const all = await chain.held(chain.token, chain.owner.address);
    expect(await send({ lots: all + 1n })).toBe('funds-insufficient');
    for (const to of chain.wrongAddresses) expect(await send({ to })).toBe('address-invalid');
    expect(await chain.held(chain.token, chain.owner.address)).toBe(all);
  },
};

/** Permit2 of a simulated chain takes all of a token or nothing. */
const WHOLE: Exemption = {
  reason: 'an approval is no transaction of a simulated chain',
  instead: async (chain) => {
    const node = chain.open();
    const { network, token, owner } = chain;
    const allowed = async (lots: bigint, nonce: string): Promise<bigint> => {
      const order = { network, token, owner: owner.address, lots, nonce };
      granted(await node.send(network, granted(await node.prepare(order, owner.sign)).raw));
      return node.allowance(token, owner.address);
    };
    expect(await node.allowance(token, owner.address)).toBe(0n);
    expect(await allowed(5n, '1')).toBe(2n ** 256n - 1n);
    expect(await allowed(0n, '2')).toBe(0n);
  },
};

const ONE: Exemption = { reason: 'it has one provider, which does not lag', instead: SURE.instead };

export const simulatedHarness: ChainHarness = {
  name: 'the node of simulated chains',
  exempt: {
    ...{
      allowance: WHOLE,
      network: TOLD,
      decimals: TOLD,
      short: JUDGED,
      addresses: JUDGED,
      bound: FREE,
      fee: FREE,
    },
    ...{ stuck: FREE, failed: SURE, dropped: SURE, reorganised: SURE, arrived: SURE, lagging: ONE },
  },
  start: startSimulated,
};

async function startSimulated(): Promise<ChainUnderTest> {
  const { chains, scheduler } = world();
  const { base } = await openVenue({
    setup: {
      services: [
        (app) => {
          mountChains(app, chains);
        },
      ],
    },
  });
  const proxy = await openFaultProxy(base);
  const owner = chains.addressOf('ethereum', 'anna');
  granted(chains.mint(USDC_ETHEREUM, owner, 10n ** 20n + 1n));
  const signer = chainSigner(chains, 'ethereum', 'anna');
  const blockUs = chains.networks.find(({ code }) => code === 'ethereum')?.blockUs ?? 0;
  const mine = async (blocks = 1): Promise<void> => {
    scheduler.advanceTo(micros(scheduler.now() + blocks * blockUs));
    return Promise.resolve();
  };
  return {
    ...{ network: 'ethereum', coin: WETH, token: USDC_ETHEREUM, lots: 1_000n, proxy, mine },
    owner: { address: owner, sign: async (digest) => (await signer.signTransfer?.(digest)) ?? '' },
    other: chains.addressOf('ethereum', 'bert'),
    asks: { send: /^POST .*transfers$/, balance: /^GET .*balances/ },
    malformed: ['{}', '{"token":10,"lots":"-1","permitted":false}', '{"token":10,"lots":1.5}', ''].map((body) => ({ status: 200, body })), // prettier-ignore
    wrongAddresses: ['0x', chains.addressOf('bitcoin', 'bert')],
    open: ({ timeoutUs } = {}) => {
      const node: SimulatedNode = simulatedNodeAt(proxy.url, timeoutUs);
      onTestFinished(async () => node.close());
      return node;
    },
    held: async (token, address) => Promise.resolve(chains.balance(token, address)),
    hasMined: async (id) => Promise.resolve(chains.transaction('ethereum', id) !== undefined),
    finalize: async () => mine(5),
    payer: {
      module: new URL('./simulated-node-of.ts', import.meta.url).href,
      settings: { url: proxy.url, key: KEY_OF(chains) },
    },
    close: async () => proxy.close(),
  };
}
