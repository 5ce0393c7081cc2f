import { createHash } from 'node:crypto';
import * as ecc from '@bitcoinerlab/secp256k1';
import { address, crypto, initEccLib, networks, script, Transaction } from 'bitcoinjs-lib';

initEccLib(ecc);

/** A block: which transactions it holds. */
export interface Block {
  readonly hash: string;
  readonly time: number;
  readonly ids: readonly string[];
}

/** What one input spends. */
interface Prevout {
  readonly txid: string;
  readonly vout: number;
  readonly script: Uint8Array;
  readonly value: bigint;
}

export interface KnownTransaction {
  readonly id: string;
  readonly made: Transaction;
  /** Empty for one that makes money. */
  readonly prevouts: readonly Prevout[];
  readonly fee: bigint;
}

/** A refusal of the node, with its code and its words. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Satoshi per virtual byte that a replacement adds, and that is the least of any. */
const RELAY = 1n;
const GENESIS_REGTEST = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';

/**
 * A chain of outputs in memory, with a pool and blocks. It checks what Bitcoin Core checks of the
 * transactions that these tests send: inputs, amounts, dust, signatures of Taproot and P2WPKH by
 * bitcoinjs-lib, and the rules of replacement of BIP 125.
 */
export class BitcoinChain {
  readonly network: typeof networks.bitcoin;
  readonly blocks: Block[];
  readonly pool = new Set<string>();
  readonly known = new Map<string, KnownTransaction>();
  /** No block takes what pays less for a virtual byte. */
  leastRate = 0n;
  /** False: as before Core 28, one without a sequence that allows it is not replaced. */
  isFullRbf = false;
  #count = 0;

  constructor(network = networks.regtest, genesis = GENESIS_REGTEST) {
    this.network = network;
    this.blocks = [{ hash: genesis, time: 1_296_688_602, ids: [] }];
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** Makes money out of nothing, in a block of its own or in the pool; gives the id. */
  fund(to: string, value: bigint, { isConfirmed = true } = {}): string {
    this.#count += 1;
    const made = new Transaction();
    made.addInput(new Uint8Array(32), 0xffffffff, 0xffffffff, Buffer.from(`fund ${this.#count}`));
    made.addOutput(address.toOutputScript(to, this.network), value);
    const id = made.getId();
    this.known.set(id, { id, made, prevouts: [], fee: 0n });
    if (isConfirmed) this.#block([id]);
    else this.pool.add(id);
    return id;
  }

  /** Mines what waits and pays enough, in the first of so many blocks. */
  mine(count = 1): void {
    const takes = [...this.pool].filter((id) => {
      const { fee = 0n, made } = this.known.get(id) ?? {};
      return fee >= this.leastRate * BigInt(made?.virtualSize() ?? 0);
    });
    for (const id of takes) this.pool.delete(id);
    this.#block(takes);
    for (let more = 1; more < count; more += 1) this.#block([]);
  }

  /** Replaces the last blocks by empty ones; what they held is gone, or waits again. */
  reorganise(depth: number, { isKept = false } = {}): void {
    const gone = this.blocks.splice(this.blocks.length - depth, depth);
    for (const { ids } of gone) if (isKept) for (const id of ids) this.pool.add(id);
    for (let at = 0; at < depth; at += 1) this.#block([]);
  }

  /** Forgets all that waits. */
  drop(): void {
    this.pool.clear();
  }

  /** Mines another spending of the outputs of a transaction, as if somebody else had the key. */
  displace(raw: string): string {
    const made = new Transaction();
    for (const { hash, index } of Transaction.fromHex(raw).ins.slice(0, 1)) made.addInput(hash, index); // prettier-ignore
    const prevouts = this.#prevouts(made);
    made.addOutput(Buffer.from('51', 'hex'), 1_000n);
    for (const { txid, vout } of prevouts) {
      const rival = this.spender(txid, vout);
      if (rival !== undefined) this.pool.delete(rival);
    }
    const id = made.getId();
    this.known.set(id, { id, made, prevouts, fee: sum(prevouts) - 1_000n });
    this.#block([id]);
    return id;
  }

  /** The height of the block that holds a transaction. */
  heightOf(id: string): number | undefined {
    const found = this.blocks.findIndex(({ ids }) => ids.includes(id));
    return found < 0 ? undefined : found;
  }

  /** A transaction of a block or of the pool. */
  find(id: string): KnownTransaction | undefined {
    const isThere = this.pool.has(id) || this.heightOf(id) !== undefined;
    return isThere ? this.known.get(id) : undefined;
  }

  /** Which transaction of a block or of the pool spends an output. */
  spender(txid: string, vout: number): string | undefined {
    return this.#all().find(({ prevouts }) => prevouts.some((one) => one.txid === txid && one.vout === vout))?.id; // prettier-ignore
  }

  /** Unspent outputs of an address, those of the pool too. */
  outputsOf(of: string): readonly Prevout[] {
    return this.#all().flatMap(({ id, made }) =>
      made.outs.flatMap(({ script: to, value }, vout) => {
        const isMine = this.addressOf(to) === of && this.spender(id, vout) === undefined;
        return isMine ? [{ txid: id, vout, script: to, value }] : [];
      }),
    );
  }

  /** What an address holds in blocks. */
  held(of: string): bigint {
    return sum(this.outputsOf(of).filter(({ txid }) => this.heightOf(txid) !== undefined));
  }

  addressOf(to: Uint8Array): string | undefined {
    try {
      return address.fromOutputScript(to, this.network);
    } catch {
      return undefined;
    }
  }

  /** Takes a transaction into the pool; throws a `Refusal`. */
  accept(raw: string): string {
    const made = decoded(raw);
    const id = made.getId();
    if (this.pool.has(id)) return id;
    if (this.heightOf(id) !== undefined) throw new Refusal(-27, 'Transaction outputs already in utxo set'); // prettier-ignore
    const prevouts = this.#prevouts(made);
    const fee = checkAmounts(made, prevouts);
    for (const at of prevouts.keys()) checkSignature(made, prevouts, at);
    this.#replace({ id, made, prevouts, fee });
    this.known.set(id, { id, made, prevouts, fee });
    this.pool.add(id);
    return id;
  }

  #all(): readonly KnownTransaction[] {
    return [...this.blocks.flatMap(({ ids }) => ids), ...this.pool].flatMap((id) => this.known.get(id) ?? []); // prettier-ignore
  }

  #block(ids: readonly string[]): void {
    this.#count += 1;
    const hash = createHash('sha256').update(`block ${this.#count}`).digest('hex');
    this.blocks.push({ hash, time: 1_700_000_000 + this.blocks.length * 600, ids });
  }

  #prevouts(made: Transaction): readonly Prevout[] {
    const names = new Set<string>();
    return made.ins.map(({ hash, index: vout }) => {
      const txid = Buffer.from(Uint8Array.from(hash).toReversed()).toString('hex');
      const spent = this.find(txid)?.made.outs[vout];
      const spender = this.spender(txid, vout);
      const isMined = spender !== undefined && this.heightOf(spender) !== undefined;
      if (spent === undefined || isMined) throw new Refusal(-25, 'bad-txns-inputs-missingorspent');
      if (names.size === names.add(`${txid}:${vout}`).size) throw new Refusal(-26, 'bad-txns-inputs-duplicate'); // prettier-ignore
      return { txid, vout, script: spent.script, value: spent.value };
    });
  }

  /** The rules of BIP 125, as Core says them; removes what is replaced. */
  #replace({ id, made, prevouts, fee }: KnownTransaction): void {
    const rivals = new Set(prevouts.flatMap(({ txid, vout }) => this.spender(txid, vout) ?? []));
    if (rivals.size === 0) return;
    const replaced = this.#withChildren(rivals);
    const size = BigInt(made.virtualSize());
    const no = (why: string): Refusal => new Refusal(-26, `insufficient fee, rejecting replacement ${id}${why}`); // prettier-ignore
    for (const rival of rivals) {
      const { made: old, fee: oldFee } = this.known.get(rival) ?? { made, fee: 0n };
      const isOpen = old.ins.some(({ sequence }) => sequence < 0xfffffffe);
      if (!isOpen && !this.isFullRbf) throw new Refusal(-26, 'txn-mempool-conflict');
      if (fee * BigInt(old.virtualSize()) <= oldFee * size)
        throw no('; new feerate <= old feerate');
    }
    const isNewUnmined = prevouts.some(({ txid }) => this.pool.has(txid));
    if (isNewUnmined) throw new Refusal(-26, 'replacement-adds-unconfirmed');
    const paid = [...replaced].reduce((total, one) => total + (this.known.get(one)?.fee ?? 0n), 0n);
    if (fee < paid) throw no(`, less fees than conflicting txs; ${fee} < ${paid}`);
    if (fee - paid < RELAY * size) throw no(`, not enough additional fees to relay; ${fee - paid} < ${RELAY * size}`); // prettier-ignore
    for (const one of replaced) this.pool.delete(one);
  }

  #withChildren(ids: ReadonlySet<string>): ReadonlySet<string> {
    const all = new Set(ids);
    for (const id of all) {
      for (const child of this.pool) {
        if (this.known.get(child)?.prevouts.some(({ txid }) => txid === id) === true) all.add(child); // prettier-ignore
      }
    }
    return all;
  }
}

const sum = (prevouts: readonly { readonly value: bigint }[]): bigint =>
  prevouts.reduce((total, { value }) => total + value, 0n);

function decoded(raw: string): Transaction {
  try {
    const made = Transaction.fromHex(raw);
    if (made.ins.length > 0) return made;
  } catch {
    // Said below.
  }
  throw new Refusal(-22, 'TX decode failed. Make sure the tx has at least one input.');
}

/** The fee; refuses dust, what is not there, and what pays too little to be passed on. */
function checkAmounts(made: Transaction, prevouts: readonly Prevout[]): bigint {
  for (const { script: to, value } of made.outs) if (value < dust(to)) throw new Refusal(-26, 'dust'); // prettier-ignore
  const fee = sum(prevouts) - sum(made.outs);
  if (fee < 0n) throw new Refusal(-26, 'bad-txns-in-belowout');
  const least = RELAY * BigInt(made.virtualSize());
  if (fee < least) throw new Refusal(-26, `min relay fee not met, ${fee} < ${least}`);
  return fee;
}

/** As a table, where the node has a formula. */
const dust = (to: Uint8Array): bigint =>
  ({ 22: 294n, 23: 540n, 25: 546n, 34: 330n })[to.length] ?? 0n;

function checkSignature(made: Transaction, prevouts: readonly Prevout[], at: number): void {
  const { script: spent, value } = prevouts[at] ?? { script: new Uint8Array(), value: 0n };
  const { witness, sequence } = made.ins[at] ?? { witness: [], sequence: 0 };
  if (sequence !== 0xfffffffd) throw new Refusal(-26, 'not replaceable, which these tests ask for');
  const [signature = new Uint8Array(), key = new Uint8Array(), ...more] = witness;
  if (more.length > 0) throw new Refusal(-26, 'mandatory-script-verify-flag-failed (more than a signature)'); // prettier-ignore
  if (spent.length === 34 && spent[0] === 0x51) {
    const values = prevouts.map((one) => one.value);
    const scripts = prevouts.map((one) => one.script);
    const hash = made.hashForWitnessV1(at, scripts, values, Transaction.SIGHASH_DEFAULT);
    if (key.length === 0 && ecc.verifySchnorr(hash, spent.subarray(2), signature)) return;
    throw new Refusal(-26, 'mandatory-script-verify-flag-failed (Invalid Schnorr signature)');
  }
  const owner = spent.subarray(2);
  const code = script.compile([0x76, 0xa9, owner, 0x88, 0xac]);
  const hash = made.hashForWitnessV0(at, code, value, Transaction.SIGHASH_ALL);
  const { signature: bare, hashType } = script.signature.decode(signature);
  const isOwner = Buffer.from(crypto.hash160(key)).equals(owner) && hashType === Transaction.SIGHASH_ALL; // prettier-ignore
  if (isOwner && ecc.verify(hash, key, bare, true)) return;
  throw new Refusal(-26, 'mandatory-script-verify-flag-failed (Signature must be zero)');
}
