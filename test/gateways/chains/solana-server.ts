import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base64 } from '@scure/base';
import { writeJson } from '../../../src/wire/json.ts';
import { openFaultProxy, type FaultProxy } from './contract/fault-proxy.ts';
import { FINAL_DEPTH, messageIn, SolanaLedger, tokenIn, transactionIn, LIFETIME, type Account, type Block } from './solana-ledger.ts'; // prettier-ignore

/** A node of the ledger by JSON-RPC: what it has seen of it, and how it behaves. */
export interface SolanaView {
  readonly proxy: FaultProxy;
  /** So many blocks behind the head. */
  lag: number;
  /** The first slot of its history. */
  since: number;
  /** Micro-lamports that others have paid lately, block by block. */
  fees: readonly number[];
  close(): Promise<void>;
}

class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Config = Readonly<Record<string, unknown>>;

/** Opens a node behind a proxy that misbehaves when it is told to. */
export async function openSolana(ledger = new SolanaLedger()): Promise<SolanaView> {
  const view = { lag: 0, since: 0, fees: [] as readonly number[] };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as { id: number; method: string; params: readonly unknown[] }; // prettier-ignore
      const said = answer(new Reading(ledger, view), method, params);
      response.setHeader('content-type', 'application/json');
      response.end(writeJson({ jsonrpc: '2.0', id, ...said }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy = await openFaultProxy(`http://127.0.0.1:${port}`);
  const close = async (): Promise<void> => {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(view, { proxy, close });
}

function answer(reading: Reading, method: string, params: readonly unknown[]): object {
  try {
    const asked = METHODS[method];
    if (asked === undefined) throw new RpcFailure(-32_601, 'Method not found');
    return { result: asked(reading, ...params) };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data !== undefined && { data }) } };
  }
}

/** The ledger as one node sees it now. */
class Reading {
  readonly ledger: SolanaLedger;
  readonly view: Pick<SolanaView, 'lag' | 'since' | 'fees'>;
  readonly head: number;

  constructor(ledger: SolanaLedger, view: Pick<SolanaView, 'lag' | 'since' | 'fees'>) {
    this.ledger = ledger;
    this.view = view;
    this.head = Math.max(0, ledger.blocks.length - 1 - view.lag);
  }

  index({ commitment = 'finalized', minContextSlot = 0 }: Config = {}): number {
    const depth = commitment === 'finalized' ? FINAL_DEPTH : commitment === 'confirmed' ? 1 : 0;
    const deep = this.head - depth;
    const at = Math.max(0, commitment === 'finalized' ? Math.max(deep, Math.min(this.ledger.final - this.view.lag, this.head)) : deep); // prettier-ignore
    const { slot } = this.ledger.at(at);
    if (slot >= Number(minContextSlot)) return at;
    throw new RpcFailure(-32_016, 'Minimum context slot has not been reached', { contextSlot: slot }); // prettier-ignore
  }

  block(config?: Config): Block {
    return this.ledger.at(this.index(config));
  }

  /** An answer with the slot that it is of. */
  in(config: Config | undefined, value: (block: Block) => unknown): object {
    const block = this.block(config);
    return { context: { slot: block.slot, apiVersion: '3.0.0' }, value: value(block) };
  }
}

/** Parameters are what this project sends, whatever it is: a method, not checked against its callers. */
type Method = { bivarianceHack(reading: Reading, ...params: unknown[]): unknown }['bivarianceHack'];

const METHODS: Readonly<Record<string, Method>> = {
  getGenesisHash: ({ ledger }) => ledger.genesis,
  getBalance: (reading, key: string, config?: Config) =>
    reading.in(config, ({ accounts }) => accounts.get(key)?.lamports ?? 0n),
  getAccountInfo: (reading, key: string, config?: Config) =>
    reading.in(config, ({ accounts }) => shownAccount(accounts.get(key))),
  getTokenAccountsByOwner: (reading, owner: string, { mint }: { mint: string }, config?: Config) =>
    reading.in(config, ({ accounts }) =>
      [...accounts].flatMap(([pubkey, account]) => {
        const token = tokenIn(account);
        if (token?.owner !== owner || token.mint !== mint) return [];
        return [{ pubkey, account: { lamports: account.lamports, owner: account.owner, executable: false, rentEpoch: 2n ** 64n - 1n, space: account.data.length, data: { program: 'spl-token', space: account.data.length, parsed: { type: 'account', info: { isNative: false, mint, owner, state: token.state, tokenAmount: amountOf(token.amount) } } } } }]; // prettier-ignore
      }),
    ),
  getLatestBlockhash: (reading, config?: Config) =>
    reading.in(config, ({ blockhash, height }) => ({ blockhash, lastValidBlockHeight: height + LIFETIME })), // prettier-ignore
  getEpochInfo: (reading, config?: Config) => {
    const { slot, height } = reading.block(config);
    return { absoluteSlot: slot, blockHeight: height, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000, transactionCount: 1 }; // prettier-ignore
  },
  getBlockHeight: (reading, config?: Config) => reading.block(config).height,
  getSlot: (reading, config?: Config) => reading.block(config).slot,
  getFirstAvailableBlock: ({ view }) => view.since,
  getMinimumBalanceForRentExemption: ({ ledger }, bytes: number) => ledger.rent(bytes),
  getRecentPrioritizationFees: ({ view, ledger }) =>
    view.fees.map((prioritizationFee, at) => ({ slot: ledger.at(at).slot, prioritizationFee })),
  simulateTransaction: simulated,
  sendTransaction: sent,
  getSignatureStatuses: (reading, ids: readonly string[], config: Config = {}) => {
    const { ledger, head, view } = reading;
    const value = ids.map((id) => {
      const at = ledger.landedAt(id, head);
      if (at === undefined || ledger.at(at).slot < view.since) return null;
      if (config['searchTransactionHistory'] !== true && head - at > LIFETIME) return null;
      const isFinal = at <= reading.index({ commitment: 'finalized' });
      const confirmationStatus = isFinal ? 'finalized' : head - at >= 1 ? 'confirmed' : 'processed';
      const err = ledger.at(at).landed.find((one) => one.id === id)?.err ?? null;
      return { slot: ledger.at(at).slot, confirmations: isFinal ? null : head - at, err, status: err === null ? { Ok: null } : { Err: err }, confirmationStatus }; // prettier-ignore
    });
    return { context: { slot: ledger.at(head).slot }, value };
  },
  getTransaction: found,
};

function simulated(reading: Reading, raw: string, config: Config): unknown {
  const read = transactionIn(raw);
  if (read === undefined) throw new RpcFailure(-32_602, 'failed to deserialize VersionedTransaction'); // prettier-ignore
  const why = untimely(reading, raw, config);
  const { err, units, after } = reading.ledger.try(read.transaction, { checksSignature: config['sigVerify'] === true }); // prettier-ignore
  const asked = (config['accounts'] as { addresses?: readonly string[] } | undefined)?.addresses;
  return reading.in(config, ({ accounts }) => ({
    err: why ?? err,
    logs: [],
    unitsConsumed: units,
    accounts: asked?.map((key) => shownAccount(after.get(key) ?? accounts.get(key))) ?? null,
  }));
}

/** What is said of its blockhash, before it is tried. */
function untimely(reading: Reading, raw: string, config: Config): string | undefined {
  const read = transactionIn(raw);
  if (read === undefined) return 'SanitizeFailure';
  const at = reading.index(config);
  const { lifetimeToken } = messageIn(read.transaction);
  if (!reading.ledger.isAlive(lifetimeToken, reading.ledger.at(at).height, at)) return 'BlockhashNotFound'; // prettier-ignore
  return reading.ledger.landedAt(read.id, at) === undefined ? undefined : 'AlreadyProcessed';
}

function sent(reading: Reading, raw: string, config: Config): unknown {
  const read = config['encoding'] === 'base64' ? transactionIn(raw) : undefined;
  if (read === undefined) throw new RpcFailure(-32_602, 'failed to deserialize VersionedTransaction'); // prettier-ignore
  const at = { ...config, commitment: config['preflightCommitment'] };
  const why = untimely(reading, raw, at);
  const { err, units } = why === undefined ? reading.ledger.try(read.transaction, { checksSignature: true }) : { err: why, units: 0n }; // prettier-ignore
  if (err === 'SignatureFailure') throw new RpcFailure(-32_003, 'Transaction signature verification failure'); // prettier-ignore
  if (config['skipPreflight'] !== true && err !== null) {
    const data = { accounts: null, err, logs: [], returnData: null, unitsConsumed: Number(units) };
    throw new RpcFailure(-32_002, `Transaction simulation failed: ${wordsOf(err)}`, data);
  }
  reading.ledger.take(read.transaction, read.id);
  return read.id;
}

function wordsOf(err: unknown): string {
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed';
  return err === 'BlockhashNotFound' ? 'Blockhash not found' : JSON.stringify(err);
}

function found(reading: Reading, id: string, config: Config): unknown {
  const at = reading.ledger.landedAt(id, reading.index(config));
  if (at === undefined) return null;
  const block = reading.ledger.at(at);
  if (block.slot < reading.view.since) return null;
  const landed = block.landed.find((one) => one.id === id);
  if (landed === undefined) return null;
  if (config['maxSupportedTransactionVersion'] !== 0) throw new RpcFailure(-32_015, 'Transaction version (0) is not supported'); // prettier-ignore
  const { keys, before, after, err } = landed;
  const sum = (all: readonly (Account | undefined)[]): bigint =>
    all.reduce((total, one) => total + (one?.lamports ?? 0n), 0n);
  const tokens = (all: readonly (Account | undefined)[]) =>
    all.flatMap((one, accountIndex) => {
      const token = one && tokenIn(one);
      return token === undefined ? [] : [{ accountIndex, mint: token.mint, owner: token.owner, programId: one?.owner, uiTokenAmount: amountOf(token.amount) }]; // prettier-ignore
    });
  return {
    slot: block.slot,
    blockTime: 1_700_000_000 + block.slot,
    version: 0,
    meta: {
      err,
      fee: sum(before) - sum(after),
      preBalances: before.map((one) => one?.lamports ?? 0n),
      postBalances: after.map((one) => one?.lamports ?? 0n),
      preTokenBalances: tokens(before),
      postTokenBalances: tokens(after),
    },
    transaction: { signatures: [id], message: { accountKeys: keys } },
  };
}

const shownAccount = (account: Account | undefined): object | null =>
  account === undefined
    ? null
    : { lamports: account.lamports, owner: account.owner, executable: account.executable, rentEpoch: 2n ** 64n - 1n, space: account.data.length, data: [base64.encode(account.data), 'base64'] }; // prettier-ignore

const amountOf = (amount: bigint): object => ({ amount: `${amount}`, decimals: 6 });
