import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { MillraceError } from '../../model/errors.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { NetworkTerms, TokenTerms } from '../tokens.ts';
import type { ChainTransaction, ChainWorld, Output, Transfer } from './chain-world.ts';
import { TransactionLog } from './transaction-log.ts';
import { FAMILIES } from './families/families.ts';
import { Sums, type ChainHoldings } from './holdings.ts';
import { SignedNonces } from './nonces.ts';
import { Outputs } from './outputs.ts';
import { Owners } from './owners.ts';
import { Permits } from './permits.ts';
import {
  isSignedByOwner,
  permitDigest,
  transferDigest,
  transferHash,
  type SignedPermit,
  type SignedTransfer,
} from './signed-transfer.ts';
import { examine, readTransaction, type Spending } from './spending.ts';
import { RealNetworks, type RealTransfer, type TransferResult } from './real-networks.ts';
import { TokenBook } from './token-book.ts';

export interface SimulatedChainsOptions {
  readonly networks: readonly NetworkTerms[];
  readonly tokens: readonly TokenTerms[];
  readonly scheduler: Scheduler;
  /** Seed of keys and hashes; 0 if absent. */
  readonly seed?: number;
  /** The live networks among them, and their state; none if absent. */
  readonly real?: RealNetworks;
}

/** Minted amount of a token, and the sum of all addresses: they are equal. */
export interface Supply {
  readonly minted: bigint;
  readonly held: bigint;
}

/** A valid transfer: its token and network exist, its addresses are canonical. */
interface Passable {
  readonly token: TokenTerms;
  readonly network: NetworkTerms;
  readonly transfer: Transfer;
}

/** Sender of minted money. */
const FAUCET = 'faucet';
/** Receiver of Bitcoin fees. */
const MINER = 'miner';

/**
 * Chains in this process. Only `mint` creates money; every other movement takes it from one address and
 * adds it to another, so that all addresses together hold the minted amount. Transfers have no network fee.
 * Ids and hashes follow from the seed and the order of calls. Of live networks among them it has the
 * reported state, and moves nothing itself.
 */
export class SimulatedChains implements ChainWorld {
  readonly #book: TokenBook;
  readonly #scheduler: Scheduler;
  readonly #seed: number;
  readonly #owners: Owners;
  readonly real: RealNetworks;
  readonly #holdings: ReadonlyMap<number, ChainHoldings>;
  readonly #minted = new Map<number, bigint>();
  readonly #transactionLog: TransactionLog;
  readonly #permits = new Permits();
  readonly #nonces = new SignedNonces();
  #count = 0;

  /** Throws `config-invalid` if networks and tokens contradict themselves. */
  constructor(options: SimulatedChainsOptions) {
    const { networks, tokens, scheduler, seed = 0, real = new RealNetworks() } = options;
    this.real = real;
    this.#book = new TokenBook(networks, tokens);
    this.#scheduler = scheduler;
    this.#seed = seed;
    this.#owners = new Owners(seed);
    this.#transactionLog = new TransactionLog(scheduler, networks);
    this.#holdings = new Map(
      tokens.map(({ id, network }) => {
        const { family } = this.#book.network(network);
        return [id, family === 'bitcoin' ? new Outputs() : new Sums()];
      }),
    );
  }

  get networks(): readonly NetworkTerms[] {
    return this.#book.networks;
  }

  get tokens(): readonly TokenTerms[] {
    return this.#book.tokens;
  }

  now(): Micros {
    return this.#scheduler.now();
  }

  isAddress(network: string, address: string): boolean {
    return this.canonical(network, address) !== undefined;
  }

  canonical(network: string, address: string): string | undefined {
    const found = this.#book.findNetwork(network);
    return found === undefined ? undefined : FAMILIES[found.family].canonical(address);
  }

  addressOf(network: string, owner: string): string {
    const own = this.real.addressOf(network, owner);
    return own ?? this.#owners.addressOf(this.#book.network(network), owner);
  }

  isReal(network: string): boolean {
    return this.real.has(network);
  }

  transferReal(transfer: RealTransfer, done: (result: TransferResult) => void): void {
    this.real.want(transfer, done);
  }

  keyOf(network: string, owner: string): Uint8Array {
    return this.#owners.keyOf(this.#book.network(network), owner);
  }

  /** Sets an address's display name; an existing name stays. */
  call(network: string, address: string, name: string): void {
    this.#owners.call(this.#known(network, address), name);
  }

  /** The display name of an address, if it has one. */
  nameOf(network: string, address: string): string | undefined {
    return this.#owners.nameOf(this.#known(network, address));
  }

  balance(token: number, address: string): bigint {
    const found = this.#book.token(token);
    if (isRejection(found)) return 0n;
    const known = this.#known(found.network, address);
    return this.isReal(found.network)
      ? this.real.balance(token, known)
      : this.#held(token).balance(known);
  }

  /** Creates money at an address. */
  mint(token: number, address: string, lots: bigint): ChainTransaction | Rejection {
    const found = this.#book.token(token);
    if (isRejection(found)) return found;
    const from = this.addressOf(found.network, FAUCET);
    const passable = this.#passable({ token, from, to: address, lots });
    if (isRejection(passable)) return passable;
    const hash = this.#nextHash(passable.network);
    this.#held(token).mint(passable.transfer.to, lots, hash);
    this.#minted.set(token, (this.#minted.get(token) ?? 0n) + lots);
    return this.#emit(passable, hash);
  }

  supply(token: number): Supply {
    const held = this.holders(token).reduce((sum, [, lots]) => sum + lots, 0n);
    return { minted: this.#minted.get(token) ?? 0n, held };
  }

  /** Addresses with a balance in a token, in the order in which they first had one. */
  holders(token: number): (readonly [address: string, lots: bigint])[] {
    return [...this.#held(token).holders()];
  }

  transfer(transfer: Transfer): ChainTransaction | Rejection {
    const passable = this.#passable(transfer);
    if (isRejection(passable)) return passable;
    return this.#pay(passable, () => this.#nextHash(passable.network));
  }

  transaction(network: string, hash: string): ChainTransaction | undefined {
    return this.#transactionLog.find(network, hash)[0];
  }

  follow(listener: (transaction: ChainTransaction) => void): Cancel {
    return this.#transactionLog.follow(listener);
  }

  /** Approves the permit2 contract for a token of an owner's address. */
  approve(token: number, owner: string): Rejection | undefined {
    return this.#permit(token, owner, (address) => {
      this.#permits.approve(token, address);
    });
  }

  /** Withdraws the approval. */
  revoke(token: number, owner: string): Rejection | undefined {
    return this.#permit(token, owner, (address) => {
      this.#permits.revoke(token, address);
    });
  }

  hasApproved(token: number, owner: string, lots = 1n): boolean {
    const found = this.#book.token(token);
    if (isRejection(found)) return false;
    const known = this.#known(found.network, owner);
    return this.isReal(found.network)
      ? this.real.allowance(token, known) >= lots
      : this.#permits.hasApproved(token, known);
  }

  usePermitNonce(network: string, owner: string, nonce: bigint): boolean {
    return this.#permits.use(network, this.#known(network, owner), nonce);
  }

  outputs(address: string): readonly Output[] {
    const known = FAMILIES.bitcoin.canonical(address) ?? address;
    return [...this.#holdings.values()]
      .filter((holdings) => holdings instanceof Outputs)
      .flatMap((holdings) => holdings.of(known))
      .map(({ txid, index, lots }) => ({ txid, index, lots }));
  }

  spend(network: string, raw: string): readonly ChainTransaction[] | Rejection {
    const read = readTransaction(raw);
    if (read === undefined)
      return invalid('transaction', 'It is no signed transaction of Bitcoin.');
    const before = this.#transactionLog.find(network, read.id);
    if (before.length > 0) return before;
    const token = this.tokens.find((each) => each.network === network);
    const outputs = token === undefined ? undefined : this.#held(token.id);
    if (token === undefined || !(outputs instanceof Outputs)) {
      const message = `${network} has no outputs that could be spent.`;
      return { code: 'token-unknown', field: 'network', message };
    }
    const spending = examine(read, (txid, index) => outputs.find(txid, index));
    return isRejection(spending) ? spending : this.#spend(token, outputs, spending);
  }

  /**
   * Makes a transfer that the owner of the money has signed. Sending the same again returns the same
   * transaction in its present state, and moves nothing.
   */
  send(signed: SignedTransfer): ChainTransaction | Rejection {
    const passable = this.#passable(signed);
    if (isRejection(passable)) return passable;
    const { token, network, transfer } = passable;
    const digest = transferDigest(signed);
    const owner = { network: network.code, address: transfer.from };
    const standing = this.#standing(owner, signed, digest, token);
    if (isRejection(standing)) return standing;
    const hash = transferHash(network.family, signed);
    if (standing === 'done') return this.transaction(network.code, hash) ?? longAgo();
    return this.#pay(passable, () => {
      this.#nonces.use(owner, signed.nonce, digest);
      return hash;
    });
  }

  /** Approves or revokes what the owner has signed; the very same again changes nothing. */
  permit(signed: SignedPermit): Rejection | undefined {
    const { token: id, owner: address, allowed, nonce } = signed;
    const token = this.#book.token(id);
    if (isRejection(token)) return token;
    const owner = { network: token.network, address: this.#known(token.network, address) };
    const digest = permitDigest(signed);
    const standing = this.#standing(owner, signed, digest, token);
    if (isRejection(standing)) return standing;
    if (standing === 'done') return undefined;
    const rejection = allowed ? this.approve(id, address) : this.revoke(id, address);
    if (rejection === undefined) this.#nonces.use(owner, nonce, digest);
    return rejection;
  }

  /** Nothing is confirmed any more. */
  close(): void {
    this.#transactionLog.close();
  }

  #held(token: number): ChainHoldings {
    const found = this.#holdings.get(token);
    if (found === undefined) throw new MillraceError('internal', `There is no token ${token}.`);
    return found;
  }

  /** The canonical form of an address; any other text has no balance and no name. */
  #known(network: string, address: string): string {
    return this.canonical(network, address) ?? address;
  }

  #passable(transfer: Transfer): Passable | Rejection {
    const token = this.#book.token(transfer.token);
    if (isRejection(token)) return token;
    const network = this.#book.network(token.network);
    if (this.isReal(network.code)) return notSimulated(network);
    const from = this.#book.address(network, transfer.from, 'from');
    if (isRejection(from)) return from;
    const to = this.#book.address(network, transfer.to, 'to');
    if (isRejection(to)) return to;
    if (transfer.lots <= 0n) {
      const message = `${transfer.lots} is no amount; the smallest is 1.`;
      return { code: 'amount-invalid', field: 'lots', message };
    }
    return { token, network, transfer: { ...transfer, from, to } };
  }

  #pay(passable: Passable, hashOf: () => string): ChainTransaction | Rejection {
    const { token, transfer } = passable;
    const held = this.#held(token.id).balance(transfer.from);
    if (held < transfer.lots) {
      const message = `${transfer.from} holds ${held} of ${token.asset}, and ${transfer.lots} are asked for.`;
      return { code: 'funds-insufficient', field: 'lots', message };
    }
    const hash = hashOf();
    this.#held(token.id).move(transfer.from, transfer.to, transfer.lots, hash);
    return this.#emit(passable, hash);
  }

  #spend(
    { id, network: code }: TokenTerms,
    holdings: Outputs,
    { txid, inputs, outputs, feeLots }: Spending,
  ): readonly ChainTransaction[] {
    const network = this.#book.network(code);
    for (const input of inputs) holdings.remove(input);
    for (const output of outputs) holdings.add(output);
    const spenders = new Set(inputs.map(({ address }) => address));
    const from = inputs[0]?.address ?? '';
    const common = { token: id, from, network: code, at: this.now(), confirmations: 0 };
    const payments = outputs.map(({ address: to, lots, index }): ChainTransaction => ({
      ...common,
      to,
      lots,
      hash: txid,
      index,
    }));
    const others = payments.filter(({ to }) => !spenders.has(to));
    const reported = others.length > 0 ? others : payments;
    const fee = { ...common, to: this.addressOf(code, MINER), lots: feeLots, index: 0 };
    const hash = this.#nextHash(network);
    if (feeLots > 0n) holdings.mint(fee.to, feeLots, hash);
    this.#transactionLog.add(network, reported);
    if (feeLots > 0n) this.#transactionLog.add(network, [{ ...fee, hash }]);
    return reported;
  }

  /** Whether what an owner has signed is new or done already. */
  #standing(
    owner: { readonly network: string; readonly address: string },
    signed: { readonly network: string; readonly nonce: string; readonly signature: string },
    digest: string,
    token: TokenTerms,
  ): 'new' | 'done' | Rejection {
    if (signed.network !== token.network) {
      const message = `Token ${token.id} is one of ${token.network}.`;
      return { code: 'token-unknown', field: 'network', message };
    }
    const { family } = this.#book.network(token.network);
    if (!isSignedByOwner(family, owner.address, digest, signed.signature)) {
      return invalid('signature', `It is not signed by the key of ${owner.address}.`);
    }
    return this.#nonces.check(owner, signed.nonce, digest);
  }

  #emit({ network, transfer }: Passable, hash: string): ChainTransaction {
    const at = this.now();
    const { token, from, to, lots, memo } = transfer;
    const made = {
      token,
      from,
      to,
      lots,
      memo,
      hash,
      index: 0,
      network: network.code,
      at,
      confirmations: 0,
    };
    this.#transactionLog.add(network, [made]);
    return made;
  }

  #permit(token: number, owner: string, act: (address: string) => void): Rejection | undefined {
    const found = this.#book.token(token);
    if (isRejection(found)) return found;
    const network = this.#book.network(found.network);
    if (this.isReal(network.code)) return notSimulated(network);
    const address = this.#book.address(network, owner, 'owner');
    if (isRejection(address)) return address;
    if (network.family !== 'evm' && network.family !== 'tron') {
      const message = `There is no permit2 contract on ${network.name}.`;
      return { code: 'approval-form-invalid', field: 'token', message };
    }
    act(address);
    return undefined;
  }

  /** A hash of a counter, so that the same calls have the same ones. */
  #nextHash({ code, family }: NetworkTerms): string {
    this.#count += 1;
    const text = JSON.stringify(['millrace transaction', this.#seed, code, this.#count]);
    return FAMILIES[family].hash(sha256(utf8ToBytes(text)));
  }
}

/** A repetition of an old request gets no answer, and is not done again. */
const longAgo = (): Rejection =>
  invalid('nonce', 'It was sent before, so long ago that its transaction is not kept any more.');

const notSimulated = ({ name }: NetworkTerms): Rejection =>
  invalid('network', `${name} is a real chain: only its own nodes move money there.`);

const invalid = (field: string, message: string): Rejection => ({
  code: 'transfer-invalid',
  field,
  message,
});
