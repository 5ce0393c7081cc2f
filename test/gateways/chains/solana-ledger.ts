import { base58, base64 } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { equalBytes } from '@scure/btc-signer/utils.js';
import {
  address,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
  type Transaction,
} from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { ByteReader, littleEndian } from '../../../src/swaps/approvals/byte-reader.ts';
import { PROGRAMS, tokenAccountOf } from '../../../src/swaps/approvals/cosign/programs.ts';

/** Blocks after its own in which a blockhash is taken. */
export const LIFETIME = 150;
/** How far behind the head blocks are final. */
export const FINAL_DEPTH = 32;

export interface Account {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

type Accounts = ReadonlyMap<string, Account>;

/** A transaction of a block, with the accounts that it names before and after it. */
export interface Landed {
  readonly id: string;
  readonly err: unknown;
  readonly keys: readonly string[];
  readonly before: readonly (Account | undefined)[];
  readonly after: readonly (Account | undefined)[];
}

export interface Block {
  readonly slot: number;
  readonly height: number;
  readonly blockhash: string;
  readonly landed: readonly Landed[];
  readonly accounts: Accounts;
  /** The whole state behind it. */
  readonly bytes: Uint8Array;
}

/**
 * A chain of blocks over litesvm, which itself has none: slots, some without a block, heights,
 * lifetimes of blockhashes, forks, and what is final. Blocks come when a test asks for them.
 */
export class SolanaLedger {
  readonly genesis = base58.encode(sha256(utf8ToBytes('genesis of the test')));
  readonly blocks: Block[] = [];
  /** What was sent and is in no block. */
  pool: { readonly id: string; readonly transaction: Transaction }[] = [];
  /** So many of what is sent is taken and never put into a block. */
  drops = 0;
  final = 0;
  /** A token account that is frozen before a block takes what was sent, and thawed behind it. */
  freezes: string | undefined;
  #svm = fresh(new LiteSVM());
  #slot = 1_000;

  constructor() {
    this.#push([], new Map(), this.#svm.toBytes());
    this.mine(FINAL_DEPTH);
  }

  get head(): Block {
    return this.at(this.blocks.length - 1);
  }

  at(index: number): Block {
    const block = this.blocks[Math.max(0, index)];
    if (block === undefined) throw new Error(`there is no block ${index}`);
    return block;
  }

  /** Blocks, of which the first has what was sent. */
  mine(count = 1): void {
    for (let made = 0; made < count; made += 1) {
      const { accounts, bytes } = this.head;
      const sent = this.pool;
      this.pool = [];
      const next = new Map<string, Account>(accounts);
      this.#freeze(next, 2);
      const landed = sent.flatMap((one) => this.#land(one, next));
      this.#freeze(next, 1);
      this.#push(landed, next, landed.length === 0 ? bytes : this.#svm.toBytes());
    }
  }

  /** Slots without a block. */
  skip(slots: number): void {
    this.#slot += slots;
  }

  /** The last blocks are left for an empty fork; what they held is gone. */
  reorganise(depth: number): void {
    if (this.blocks.length - 1 - depth < this.final) throw new Error('that is final');
    this.blocks.splice(this.blocks.length - depth);
    this.#svm = fresh(LiteSVM.fromBytes(this.head.bytes));
    this.mine();
  }

  /** Sends it to the pool; what is there already, or in a block, is not put there again. */
  take(transaction: Transaction, id: string): void {
    if (this.drops > 0) {
      this.drops -= 1;
      return;
    }
    if (!this.pool.some((one) => one.id === id)) this.pool.push({ id, transaction });
  }

  landedAt(id: string, head: number): number | undefined {
    const at = this.blocks.findIndex(({ landed }) => landed.some((one) => one.id === id));
    return at < 0 || at > head ? undefined : at;
  }

  /** Why a transaction would not be taken on a block, or what it would do there. */
  try(
    transaction: Transaction,
    options: { readonly checksSignature: boolean },
  ): { readonly err: unknown; readonly units: bigint; readonly after: Accounts } {
    this.#svm.withSigverify(options.checksSignature);
    const found = this.#svm.simulateTransaction(transaction);
    this.#svm.withSigverify(true);
    if (found instanceof FailedTransactionMetadata) {
      return { err: errorOf(found), units: found.meta().computeUnitsConsumed(), after: new Map() };
    }
    const after = new Map(
      found.postAccounts().map((one) => [
        String(one.address),
        { lamports: BigInt(one.lamports), owner: String(one.programAddress), data: Uint8Array.from(one.data), executable: one.executable }, // prettier-ignore
      ]),
    );
    return { err: null, units: found.meta().computeUnitsConsumed(), after };
  }

  /** Whether the block of a height may hold what has a blockhash. */
  isAlive(blockhash: string, height: number, head = this.blocks.length - 1): boolean {
    const at = this.blocks.findIndex((one) => one.blockhash === blockhash);
    return at >= 0 && at <= head && height - this.at(at).height <= LIFETIME;
  }

  /** Lamports that come from nowhere; the block with them is final. */
  give(to: string, amount: bigint): void {
    const has = this.head.accounts.get(to) ?? { lamports: 0n, owner: PROGRAMS.system, data: new Uint8Array(), executable: false }; // prettier-ignore
    this.set(to, { ...has, lamports: has.lamports + amount });
  }

  /** A mint; of Token-2022 with a fee, in hundredths of a percent of what is moved. */
  mint(name: string, decimals: number, feeBps?: number): string {
    const key = base58.encode(sha256(utf8ToBytes(name)));
    const owner = feeBps === undefined ? PROGRAMS.token : PROGRAMS.token2022;
    const supply = littleEndian(2n ** 63n, 8);
    const base = Uint8Array.of(
      ...new Uint8Array(36),
      ...supply,
      decimals,
      1,
      ...new Uint8Array(36),
    );
    const fee = [...new Uint8Array(8), ...littleEndian(2n ** 63n, 8), ...littleEndian(BigInt(feeBps ?? 0), 2)]; // prettier-ignore
    const extension = [1, ...littleEndian(1n, 2), ...littleEndian(108n, 2), ...new Uint8Array(72), ...fee, ...fee]; // prettier-ignore
    const data = feeBps === undefined ? base : Uint8Array.of(...base, ...new Uint8Array(83), ...extension); // prettier-ignore
    this.set(key, { lamports: 10_000_000n, owner, data, executable: false });
    return key;
  }

  /** What a mint of Token-2022 takes from now on. */
  takeFee(mint: string, feeBps: number): void {
    const account = this.head.accounts.get(mint);
    if (account === undefined) throw new Error(`there is no mint ${mint}`);
    const data = Uint8Array.from(account.data);
    // The older and the newer fee stand at the end, each with its share last.
    for (const at of [data.length - 2, data.length - 20]) data.set(littleEndian(BigInt(feeBps), 2), at); // prettier-ignore
    this.set(mint, { ...account, data });
  }

  /** A token account with so much; the usual one of the owner, or another by a name. */
  hold(owner: string, mint: string, lots: bigint, name?: string): string {
    const program = this.head.accounts.get(mint)?.owner ?? PROGRAMS.token;
    const usual = tokenAccountOf(base58.decode(owner), base58.decode(mint), program);
    const key = base58.encode(name === undefined ? usual : sha256(utf8ToBytes(name)));
    const base = Uint8Array.of(...base58.decode(mint), ...base58.decode(owner), ...littleEndian(lots, 8), ...new Uint8Array(36), 1, ...new Uint8Array(56)); // prettier-ignore
    const extension = [2, ...littleEndian(2n, 2), ...littleEndian(8n, 2), ...new Uint8Array(8)];
    const data = program === PROGRAMS.token ? base : Uint8Array.of(...base, ...extension);
    const lamportsOf = this.#svm.minimumBalanceForRentExemption(BigInt(data.length));
    this.set(key, { lamports: lamportsOf, owner: program, data, executable: false });
    return key;
  }

  rent(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Puts an account there, and lets that be final. */
  set(key: string, account: Account): void {
    this.#put(key, account);
    this.#push([], new Map([...this.head.accounts, [key, account]]), this.#svm.toBytes());
    this.mine(FINAL_DEPTH);
  }

  #put(key: string, account: Account): void {
    this.#svm.setAccount({
      address: address(key),
      data: account.data,
      executable: account.executable,
      lamports: lamports(account.lamports),
      programAddress: address(account.owner),
      space: BigInt(account.data.length),
    });
  }

  #freeze(accounts: Map<string, Account>, state: number): void {
    const key = this.freezes ?? '';
    const account = accounts.get(key);
    if (account === undefined) return;
    const frozen = { ...account, data: account.data.with(108, state) };
    this.#put(key, frozen);
    accounts.set(key, frozen);
  }

  #land(
    { id, transaction }: { readonly id: string; readonly transaction: Transaction },
    accounts: Map<string, Account>,
  ): readonly Landed[] {
    const { staticAccounts, lifetimeToken } = messageIn(transaction);
    const isThere = this.landedAt(id, this.blocks.length) !== undefined;
    if (isThere || !this.isAlive(lifetimeToken, this.head.height + 1)) return [];
    const before = staticAccounts.map((key) => this.#account(key));
    const done = this.#svm.sendTransaction(transaction);
    const after = staticAccounts.map((key) => this.#account(key));
    staticAccounts.forEach((key, at) => {
      const account = after[at];
      if (account === undefined) accounts.delete(key);
      else accounts.set(key, account);
    });
    const err = done instanceof FailedTransactionMetadata ? errorOf(done) : null;
    return [{ id, err, keys: staticAccounts, before, after }];
  }

  #account(key: string): Account | undefined {
    const found = this.#svm.getAccount(address(key));
    if (!found.exists || found.lamports === 0n) return undefined;
    const { lamports: has, programAddress, data, executable } = found;
    return { lamports: BigInt(has), owner: String(programAddress), data: Uint8Array.from(data), executable }; // prettier-ignore
  }

  #push(landed: readonly Landed[], accounts: Accounts, bytes: Uint8Array): void {
    this.#slot += 1;
    const height = this.blocks.length;
    const blockhash = base58.encode(sha256(utf8ToBytes(`block ${this.#slot}`)));
    this.blocks.push({ slot: this.#slot, height, blockhash, landed, accounts, bytes });
    this.final = Math.max(this.final, this.blocks.length - 1 - FINAL_DEPTH);
  }
}

/** The test itself says which blockhashes are taken. */
const fresh = (svm: LiteSVM): LiteSVM => svm.withBlockhashCheck(false).withSigverify(true);

/** Reads wire bytes of version 0; nothing for what is none. */
export function transactionIn(
  raw: string,
): { readonly id: string; readonly transaction: Transaction } | undefined {
  // prettier-ignore
  try {
    const transaction = getTransactionDecoder().decode(base64.decode(raw));
    messageIn(transaction);
    const [signature] = Object.values(transaction.signatures);
    return { id: base58.encode(Uint8Array.from(signature ?? new Uint8Array(64))), transaction };
  } catch {
    return undefined;
  }
}

export function messageIn({ messageBytes }: Transaction): {
  readonly staticAccounts: readonly string[];
  readonly lifetimeToken: string;
} {
  // prettier-ignore
  const decoded = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (decoded.version !== 0) throw new Error('it is of version 0');
  return { staticAccounts: decoded.staticAccounts, lifetimeToken: decoded.lifetimeToken };
}

/** An error as RPC writes it. */
function errorOf(failed: FailedTransactionMetadata): unknown {
  const err = failed.err();
  if (typeof err === 'number') return PLAIN[err] ?? `Error${err}`;
  if (!('err' in err)) {
    const { accountIndex } = err as { accountIndex?: number };
    return accountIndex === undefined ? 'Other' : { InsufficientFundsForRent: { account_index: accountIndex } }; // prettier-ignore
  }
  const inner = err.err();
  const what = typeof inner === 'number' ? (INNER[inner] ?? `Error${inner}`) : 'code' in inner ? { Custom: inner.code } : 'BorshIoError'; // prettier-ignore
  return { InstructionError: [err.index, what] };
}

const PLAIN: Readonly<Record<number, string>> = {
  2: 'AccountNotFound',
  4: 'InsufficientFundsForFee',
  5: 'InvalidAccountForFee',
  6: 'AlreadyProcessed',
  7: 'BlockhashNotFound',
  11: 'SignatureFailure',
  13: 'SanitizeFailure',
};

const INNER: Readonly<Record<number, string>> = {
  1: 'InvalidArgument',
  3: 'InvalidAccountData',
  5: 'InsufficientFunds',
  6: 'IncorrectProgramId',
  36: 'ComputationalBudgetExceeded',
};

/** What a token account holds; nothing for any other account. */
export function tokenIn({ owner, data }: Account) {
  const isToken = owner === PROGRAMS.token || owner === PROGRAMS.token2022;
  if (!isToken || data.length < 165) return undefined;
  // A mint of Token-2022 is as long.
  if (data.length > 165 && data[165] !== 2) return undefined;
  if (equalBytes(data.slice(0, 32), new Uint8Array(32))) return undefined;
  const reader = new ByteReader(data);
  const [mint, holder] = [base58.encode(reader.take(32)), base58.encode(reader.take(32))];
  return { mint, owner: holder, amount: reader.little(8), state: data[108] === 2 ? 'frozen' : 'initialized' }; // prettier-ignore
}
