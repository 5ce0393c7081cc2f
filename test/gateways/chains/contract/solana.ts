import { expect, onTestFinished } from 'vitest';
import { SolanaNode } from '../../../../src/gateways/chains/solana/solana-node.ts';
import type { SolanaNodeOptions } from '../../../../src/gateways/chains/solana/options.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import { granted, rejectedWith } from '../../../swaps/chains/harness.ts';
import { FINAL_DEPTH, LIFETIME, SolanaLedger, tokenIn } from '../solana-ledger.ts';
import { openSolana, type SolanaView } from '../solana-server.ts';
import type { ChainHarness, ChainUnderTest, Exemption, NodeChanges } from './harness.ts';
import { COIN, NETWORK, optionsOf, SIGNER, tokensOf, USD, type SolanaTerms } from './solana-node-of.ts'; // prettier-ignore
import { freshFolder, transferOf } from './suite.ts';

const OWNER = SIGNER.address;
const OTHER = keySigner('solana', '22'.repeat(32)).address;
const SOL = 10n ** 9n;

/** The ledger of the tests with a mint of Token-2022 and one provider. */
export interface SolanaChain extends ChainUnderTest {
  readonly ledger: SolanaLedger;
  readonly view: SolanaView;
  /** A node with options of its own; the end of the test closes it. */
  openSolana(changes?: Partial<SolanaNodeOptions>): SolanaNode;
}

/** A transaction that nobody takes expires, and then the order is prepared again. */
const LATE: Exemption = {
  reason:
    'nothing excludes a second transaction, so the next follows on proof that the first is dead',
  instead: async (chain) => {
    const { network, owner } = chain;
    const node = chain.open();
    const order = transferOf(chain);
    const made = granted(await node.prepare(order, owner.sign));
    granted(await node.send(network, made.raw));
    await chain.drop?.();
    expect(rejectedWith(await node.prepare(order, owner.sign, [made]))).toBe('transfer-invalid');
    await chain.displace?.(made.raw);
    expect(rejectedWith(await node.prepare(order, owner.sign, [made]))).toBe('transfer-invalid');
    await chain.finalize();
    expect(await node.outcome(network, [made])).toMatchObject({ kind: 'dead', mayFollow: true });
    const next = granted(await node.prepare(order, owner.sign, [made]));
    expect(next.uses).toBe(made.uses);
    granted(await node.send(network, next.raw));
    await chain.finalize();
    expect(await node.outcome(network, [made, next])).toMatchObject({ kind: 'made', isFinal: true, transaction: { hash: next.id } }); // prettier-ignore
    expect(await chain.held(chain.token, chain.other)).toBe(chain.lots);
  },
};

const NO_PERMIT2: Exemption = {
  reason: 'there is no permit2, and a swap is approved by a transaction that its owner signs too',
  instead: async (chain) => {
    const { network, token, owner } = chain;
    const node = chain.open();
    expect(await node.allowance(token, owner.address)).toBe(0n);
    const order = { network, token, owner: owner.address, lots: 1n, nonce: 'approval' };
    expect(rejectedWith(await node.prepare(order, owner.sign))).toBe('transfer-invalid');
  },
};

export const solanaHarness: ChainHarness = {
  name: 'a node of Solana before a ledger over litesvm',
  exempt: { stuck: LATE, allowance: NO_PERMIT2 },
  start: startSolana,
};

/** Opens a ledger that mines when it is told to, with a wallet of tokens. */
export async function startSolana(): Promise<SolanaChain> {
  const ledger = new SolanaLedger();
  const mint = ledger.mint('usd', 6, 0);
  ledger.give(OWNER, 100n * SOL);
  ledger.give(OTHER, SOL);
  const account = ledger.hold(OWNER, mint, 10n ** 18n + 1n);
  const view = await openSolana(ledger);
  const { proxy } = view;
  const terms: SolanaTerms = { genesis: ledger.genesis, mint };
  const openNode = (changes: Partial<SolanaNodeOptions> = {}): SolanaNode => {
    const node = new SolanaNode({ ...optionsOf(proxy.url, freshFolder(), terms), ...changes });
    onTestFinished(async () => node.close());
    return node;
  };
  // What is to be final: blocks come for no other reason, as they end lifetimes too.
  let due = 0;
  const mine = async (blocks = 1): Promise<void> => {
    // A block is seen when another is upon it.
    ledger.mine(blocks + 1);
    due = ledger.blocks.length - 1;
    return Promise.resolve();
  };
  const told = (value: unknown) => ({ result: { context: { slot: ledger.at(ledger.final).slot }, value } }); // prettier-ignore
  return {
    ...{ ledger, view, proxy, mine, openSolana: openNode },
    ...{ network: NETWORK.code, coin: COIN, token: USD, other: OTHER, lots: 1_000n },
    owner: { address: OWNER, sign: async (text) => (await SIGNER.signTransfer?.(text)) ?? '' },
    asks: { send: 'sendTransaction', balance: 'getTokenAccountsByOwner' },
    malformed: [{ result: null }, { result: 5 }, { result: { value: [] } }, told(null), told('many'), told([{}])], // prettier-ignore
    get inflated() {
      const info = { mint, owner: OWNER, state: 'initialized', tokenAmount: { amount: `${2n ** 63n}` } }; // prettier-ignore
      return told([{ pubkey: account, account: { data: { parsed: { info } } } }]);
    },
    wrongAddresses: [mint, account, OWNER, '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc', `${OTHER.slice(0, -1)}0`], // prettier-ignore
    open: (changes = {}) => openNode(solanaChanges(terms, changes)),
    held: async (token, address) => Promise.resolve(heldBy(ledger, token === COIN ? undefined : mint, address)), // prettier-ignore
    hasMined: async (id) => Promise.resolve(ledger.landedAt(id, ledger.blocks.length) !== undefined), // prettier-ignore
    finalize: async () => {
      if (ledger.pool.length > 0) await mine();
      ledger.mine(Math.max(0, due + FINAL_DEPTH + 1 - ledger.blocks.length));
    },
    reorganise: async (blocks) => {
      ledger.reorganise(blocks + 1);
      return Promise.resolve();
    },
    drop: async () => {
      ledger.pool = [];
      return Promise.resolve();
    },
    displace: async () => mine(LIFETIME),
    fail: async (isFailing) => {
      ledger.freezes = isFailing ? account : undefined;
      return Promise.resolve();
    },
    takeFees: async () => {
      ledger.takeFee(mint, 100);
      return Promise.resolve();
    },
    payer: {
      module: new URL('./solana-node-of.ts', import.meta.url).href,
      settings: { url: proxy.url, ...terms },
    },
    close: view.close,
  };
}

/** The changes of the suite as options of a node. */
function solanaChanges(terms: SolanaTerms, changes: NodeChanges): Partial<SolanaNodeOptions> {
  const { isWrongNetwork, isWrongDecimals, folder, timeoutUs, feeBound, dayBound, urls } = changes;
  const [coin, usd] = tokensOf(terms);
  return {
    ...(isWrongNetwork === true && { genesis: terms.mint }),
    ...(isWrongDecimals === true && { tokens: [coin, { ...usd, decimals: 9 }] }),
    ...(folder !== undefined && { payments: `${folder}/payments` }),
    ...(timeoutUs !== undefined && { http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs } }), // prettier-ignore
    ...(feeBound !== undefined && { feeBound }),
    ...(dayBound !== undefined && { dayBound }),
    ...(urls !== undefined && { urls }),
  };
}

function heldBy(ledger: SolanaLedger, mint: string | undefined, owner: string): bigint {
  const { accounts } = ledger.head;
  if (mint === undefined) return accounts.get(owner)?.lamports ?? 0n;
  return accounts.values().reduce((sum, account) => {
    const token = tokenIn(account);
    return token?.mint === mint && token.owner === owner ? sum + token.amount : sum;
  }, 0n);
}
