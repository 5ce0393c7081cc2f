import { networks } from 'bitcoinjs-lib';
import { expect, onTestFinished } from 'vitest';
import { GENESIS } from '../../../../src/gateways/chains/bitcoin/addresses.ts';
import { BitcoinNode } from '../../../../src/gateways/chains/bitcoin/bitcoin-node.ts';
import type { BitcoinNodeOptions } from '../../../../src/gateways/chains/bitcoin/options.ts';
import { granted, rejectedWith } from '../../../swaps/chains/harness.ts';
import { BitcoinChain } from '../bitcoin-chain.ts';
import { EsploraServer } from '../esplora.ts';
import { COIN, NETWORK, optionsOf, SIGNER, TOKEN } from './bitcoin-node-of.ts';
import { openFaultProxy } from './fault-proxy.ts';
import type { ChainHarness, ChainUnderTest, Exemption, NodeChanges } from './harness.ts';
import { freshFolder, transferOf } from './suite.ts';

const OWNER = SIGNER.address;
const OTHER = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';
const BTC = 100_000_000n;

/** What is mined has paid all that it says. */
const WHOLE: Exemption = {
  reason: 'what Bitcoin mines pays what it says',
  instead: async (chain) => {
    const node = chain.open();
    const made = granted(await node.prepare(transferOf(chain), chain.owner.sign));
    granted(await node.send(chain.network, made.raw));
    await chain.finalize();
    const transaction = { hash: made.id, lots: chain.lots, to: chain.other };
    expect(await node.outcome(chain.network, [made])).toMatchObject({ kind: 'made', isFinal: true, transaction }); // prettier-ignore
    expect(await chain.held(chain.token, chain.other)).toBe(chain.lots);
  },
};

const COIN_ALONE: Exemption = {
  reason: 'its coin has 8 decimals on each chain',
  instead: async (chain) => {
    const open = async (): Promise<unknown> => Promise.resolve(chain.open({ isWrongDecimals: true })); // prettier-ignore
    const message = expect.stringContaining(TOKEN.asset) as string;
    await expect(open()).rejects.toMatchObject({ code: 'config-invalid', message });
  },
};

const NO_PERMIT: Exemption = {
  reason: 'there is no permit2',
  instead: async (chain) => {
    const node = chain.open();
    const { network, token, owner } = chain;
    expect(await node.allowance(token, owner.address)).toBe(0n);
    const order = { network, token, owner: owner.address, lots: 5n, nonce: 'approval' };
    expect(rejectedWith(await node.prepare(order, owner.sign))).toBe('transfer-invalid');
  },
};

export const bitcoinHarness: ChainHarness = {
  name: 'a node of Bitcoin before an Esplora of the tests',
  exempt: { decimals: COIN_ALONE, failed: WHOLE, arrived: WHOLE, allowance: NO_PERMIT },
  start: startBitcoin,
};

/** Starts an Esplora of mainnet, where the owner has 40 coins in as many outputs. */
async function startBitcoin(): Promise<ChainUnderTest> {
  const chain = new BitcoinChain(networks.bitcoin, GENESIS.mainnet);
  const server = await new EsploraServer(chain).listen();
  for (let at = 0; at < 40; at += 1) chain.fund(OWNER, BTC);
  chain.mine(6);
  const proxy = await openFaultProxy(server.url);
  const listing = (members: object): string => JSON.stringify([{ txid: 'a'.repeat(64), vout: 0, value: 5, status: { confirmed: false }, ...members }]); // prettier-ignore
  const refusal = JSON.stringify({ code: -26, message: 'bad-txns-in-belowout' });
  const seen = { confirmed: true, block_height: 1, block_hash: 'b'.repeat(64), block_time: 1 };
  const act = async (does: () => void): Promise<void> => {
    does();
    return Promise.resolve();
  };
  return {
    ...{ network: NETWORK.code, coin: COIN, token: COIN, other: OTHER, lots: 30_000_000n, proxy },
    owner: { address: OWNER, sign: async (digest) => (await SIGNER.signTransfer?.(digest)) ?? '' },
    asks: { send: 'POST /tx', balance: /^GET \/address\// },
    malformed: ['null', '{}', listing({ value: '5x' }), listing({ value: -5 }), listing({ txid: 'x' }), listing({ value: 0.5 })].map((body) => ({ status: 200, body })), // prettier-ignore
    inflated: { status: 200, body: listing({ value: 21e14, status: seen }) },
    refusal: { status: 400, body: `sendrawtransaction RPC error: ${refusal}` },
    wrongAddresses: ['0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc', OTHER.replace('5c', '5d'), 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'], // prettier-ignore
    open: (changes = {}) => {
      const node = new BitcoinNode({
        ...optionsOf(proxy.url, freshFolder()),
        ...optionsIn(changes),
      });
      onTestFinished(async () => node.close());
      return node;
    },
    held: async (_, address) => Promise.resolve(chain.held(address)),
    hasMined: async (id) => Promise.resolve(chain.heightOf(id) !== undefined),
    mine: async (blocks = 1) => act(() => { chain.mine(blocks); }), // prettier-ignore
    finalize: async () => act(() => { chain.mine(3); }), // prettier-ignore
    reorganise: async (blocks) => act(() => { chain.reorganise(blocks); }), // prettier-ignore
    drop: async () => act(() => { chain.drop(); }), // prettier-ignore
    displace: async (raw) => act(() => void chain.displace(raw)),
    raiseFees: async () =>
      act(() => {
        server.estimates = { '2': 50 };
        chain.leastRate = 20n;
      }),
    payer: {
      module: new URL('./bitcoin-node-of.ts', import.meta.url).href,
      settings: { url: proxy.url },
    },
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

/** The changes of the suite as options of a node. */
function optionsIn(changes: NodeChanges): Partial<BitcoinNodeOptions> {
  const { isWrongNetwork, isWrongDecimals, folder, timeoutUs, feeBound, dayBound, urls } = changes;
  return {
    ...(isWrongNetwork === true && { chain: 'signet' }),
    ...(isWrongDecimals === true && { tokens: [{ ...TOKEN, decimals: 6 }] }),
    ...(folder !== undefined && { inputs: `${folder}/inputs` }),
    ...(timeoutUs !== undefined && { http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs } }), // prettier-ignore
    ...(feeBound !== undefined && { feeBound }),
    ...(dayBound !== undefined && { dayBound }),
    ...(urls !== undefined && { urls }),
  };
}
