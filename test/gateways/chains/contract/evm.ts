import { onTestFinished } from 'vitest';
import { EvmNode } from '../../../../src/gateways/chains/evm/evm-node.ts';
import { callData, readSigned, SELECTORS } from '../../../../src/gateways/chains/evm/encoding.ts';
import type { EvmNodeOptions } from '../../../../src/gateways/chains/evm/options.ts';
import { openAnvil, PERMIT2, permit2Code, tokenCode, type AnvilChain } from '../anvil.ts';
import { COIN, NETWORK, optionsOf, SIGNER, tokensOf, USD, type Contracts } from './evm-node-of.ts';
import type { ChainHarness, ChainUnderTest, NodeChanges } from './harness.ts';
import { freshFolder } from './suite.ts';

const OWNER = SIGNER.address;
/** Another account of anvil, which changes the token. */
const MINTER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
/** Selector of `set(uint256,bool)`. */
const SET = '0x62f46d56';
const GWEI = 10n ** 9n;

/** Anvil with a token of the rules of USDT and Permit2 as it was published. */
export interface EvmChain extends ChainUnderTest {
  readonly anvil: AnvilChain;
  readonly contracts: Contracts;
  /** A node with options of its own; the end of the test closes it. */
  openEvm(changes?: Partial<EvmNodeOptions>): EvmNode;
  /** Deploys a contract by its bytecode; gives its address. */
  deployed(code: string): Promise<string>;
  /** Sets what the token takes of a transfer, and whether transfers fail. */
  setToken(feeBps: bigint, isPaused: boolean): Promise<void>;
}

export const evmHarness: ChainHarness = {
  name: 'an EVM node before anvil',
  exempt: {},
  start: startEvm,
};

/** Starts anvil, which mines when it is told to, and deploys the contracts. */
export async function startEvm(...flags: readonly string[]): Promise<EvmChain> {
  const anvil = await openAnvil('--no-mining', '--slots-in-an-epoch', '1', ...flags);
  const { rpc, proxy } = anvil;
  const mine = async (blocks = 1): Promise<void> => {
    await rpc('anvil_mine', `0x${blocks.toString(16)}`);
  };
  const deployed = async (data: string): Promise<string> => {
    const hash = await rpc('eth_sendTransaction', { from: OWNER, data, gas: '0x300000', gasPrice: '0x77359400' }); // prettier-ignore
    await mine();
    const receipt = await rpc('eth_getTransactionReceipt', hash);
    return (receipt as { contractAddress: string }).contractAddress;
  };
  const contracts = { token: await deployed(tokenCode()), permit2: PERMIT2 };
  await rpc('anvil_setCode', PERMIT2, permit2Code());
  const openEvm = (changes: Partial<EvmNodeOptions> = {}): EvmNode => {
    const options = optionsOf(proxy.url, `${freshFolder()}/nonces`, contracts);
    const node = new EvmNode({ ...options, ...changes });
    onTestFinished(async () => node.close());
    return node;
  };
  const setToken = async (feeBps: bigint, isPaused: boolean): Promise<void> => {
    const data = callData(SET, feeBps, isPaused ? 1n : 0n);
    await rpc('eth_sendTransaction', { from: MINTER, to: contracts.token, data });
    await mine();
  };
  return {
    ...{ deployed, anvil, contracts, openEvm, setToken, proxy, mine },
    ...{ network: NETWORK.code, coin: COIN, token: USD, other: OTHER, lots: 1_000n },
    owner: { address: OWNER, sign: async (digest) => (await SIGNER.signTransfer?.(digest)) ?? '' },
    asks: { send: 'eth_sendRawTransaction', balance: 'eth_call' },
    malformed: ['0x', '0x00', 5, null, 'many'].map((result) => ({ result })),
    refusal: { error: 'insufficient funds for gas * price + value' },
    inflated: { result: `0x${'f'.repeat(64)}` },
    wrongAddresses: [contracts.token, OTHER.replace('D1', 'd1'), 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh'], // prettier-ignore
    open: (changes = {}) => openEvm(evmChanges(contracts, changes)),
    held: async (token, address) => heldBy(anvil, contracts, token, address),
    hasMined: async (id) => (await rpc('eth_getTransactionReceipt', id)) !== null,
    finalize: async () => mine(4),
    reorganise: async (blocks) => void (await rpc('anvil_reorg', blocks, [])),
    drop: async () => void (await rpc('anvil_dropAllTransactions')),
    displace: async (raw) => {
      const nonce = `0x${(readSigned(raw)?.nonce ?? 0).toString(16)}`;
      await rpc('eth_sendTransaction', { from: OWNER, to: MINTER, value: '0x1', nonce });
      await mine();
    },
    fail: async (isFailing) => setToken(0n, isFailing),
    raiseFees: async () => {
      await rpc('anvil_setNextBlockBaseFeePerGas', `0x${(50n * GWEI).toString(16)}`);
      await mine();
    },
    takeFees: async () => setToken(100n, false),
    allowed: async (owner) => {
      const data = callData(SELECTORS.allowance, owner, contracts.permit2);
      return BigInt(String(await rpc('eth_call', { to: contracts.token, data }, 'latest')));
    },
    payer: {
      module: new URL('./evm-node-of.ts', import.meta.url).href,
      settings: { url: proxy.url, ...contracts },
    },
    close: anvil.close,
  };
}

/** The changes of the suite as options of a node. */
function evmChanges(contracts: Contracts, changes: NodeChanges): Partial<EvmNodeOptions> {
  const { isWrongNetwork, isWrongDecimals, folder, timeoutUs, feeBound, dayBound, urls } = changes;
  const [coin, usd] = tokensOf(contracts);
  return {
    ...(isWrongNetwork === true && { network: { ...NETWORK, chainId: 1 } }),
    ...(isWrongDecimals === true && { tokens: [coin, { ...usd, decimals: 18 }] }),
    ...(folder !== undefined && { nonces: `${folder}/nonces` }),
    ...(timeoutUs !== undefined && { http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs } }), // prettier-ignore
    ...(feeBound !== undefined && { feeBound }),
    ...(dayBound !== undefined && { dayBound }),
    ...(urls !== undefined && { urls }),
  };
}

async function heldBy(
  { rpc }: AnvilChain,
  contracts: Contracts,
  token: number,
  address: string,
): Promise<bigint> {
  if (token === COIN) return BigInt(String(await rpc('eth_getBalance', address, 'latest')));
  const data = callData(SELECTORS.balanceOf, address);
  return BigInt(String(await rpc('eth_call', { to: contracts.token, data }, 'latest')));
}
