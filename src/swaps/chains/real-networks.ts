import { MillraceError } from '../../model/errors.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';

/** An owner's signed permission for a spender to take money by the permit2 contract, once. */
export interface PermitToSpend {
  readonly nonce: bigint;
  readonly deadlineSeconds: bigint;
  /** 32 bytes, hexadecimal with `0x`. */
  readonly witnessHash: string;
  readonly witnessTypeString: string;
  /** 65 or 64 bytes, hexadecimal. */
  readonly signature: string;
  /** Who may take it, and pays the fee. */
  readonly spender: string;
}

/** A transfer that a service wants on a real chain. */
export interface RealTransfer {
  /** Identifies the transfer: one of an id is made once. */
  readonly id: string;
  readonly network: string;
  readonly token: number;
  /** An address of the service, or the owner of a permit. */
  readonly from: string;
  readonly to: string;
  /** Smallest units, above 0. */
  readonly lots: bigint;
  readonly permit?: PermitToSpend | undefined;
  /** From then on it is refused if nothing was signed for it. */
  readonly notAfter?: Micros | undefined;
}

/** A transfer that is final on its chain. */
export interface RealTransferMade {
  readonly hash: string;
  /** Received amount: a token may take its own fee. */
  readonly lots: bigint;
}

/** Result once a transfer is final, or once it is certain that it will never be made. */
export type TransferResult = RealTransferMade | Rejection;

/** A chain's balance of an address. */
export interface SeenBalance {
  readonly network: string;
  readonly token: number;
  readonly address: string;
  readonly lots: bigint;
  /** Allowance of the permit2 contract; for owners who swap. */
  readonly allowance?: bigint | undefined;
}

/** Reaches a real chain for a service. */
export interface RealChain {
  /**
   * Checks with its nodes that all is as configured; throws errors. A new state has no started transfer
   * yet.
   */
  check(isNew: boolean): Promise<void>;
  /**
   * Makes a transfer over any number of attempts and restarts, and returns the result when it is certain.
   * The same transfer again continues the started one.
   */
  transfer(transfer: RealTransfer): Promise<TransferResult>;
  balance(token: number, address: string): Promise<bigint>;
  allowance(token: number, owner: string): Promise<bigint>;
  close(): Promise<void>;
}

/** Addresses of a service on a real network, by the names of their owners. */
export type RealAddresses = ReadonlyMap<string, string>;

interface Pending {
  readonly transfer: RealTransfer;
  readonly done: (result: TransferResult) => void;
}

/**
 * A venue's knowledge of live networks. Nothing is read here: the watcher of the chains reports balances
 * and results of requested transfers.
 */
export class RealNetworks {
  readonly #addresses: ReadonlyMap<string, RealAddresses>;
  readonly #balances = new Map<string, SeenBalance>();
  readonly #pending = new Map<string, Pending>();
  #wanted: (transfer: RealTransfer) => void = () => undefined;

  constructor(addresses: ReadonlyMap<string, RealAddresses> = new Map()) {
    this.#addresses = addresses;
  }

  has(network: string): boolean {
    return this.#addresses.has(network);
  }

  addressOf(network: string, owner: string): string | undefined {
    return this.#addresses.get(network)?.get(owner);
  }

  /** The last reported balance, less the amounts about to leave. */
  balance(token: number, address: string): bigint {
    let lots = this.#balances.get(keyOf(token, address))?.lots ?? 0n;
    for (const { transfer } of this.#pending.values()) {
      if (transfer.token === token && transfer.from === address) lots -= transfer.lots;
    }
    return lots > 0n ? lots : 0n;
  }

  allowance(token: number, owner: string): bigint {
    return this.#balances.get(keyOf(token, owner))?.allowance ?? 0n;
  }

  see(seen: SeenBalance): void {
    this.#balances.set(keyOf(seen.token, seen.address), seen);
  }

  /** True if that was seen already. */
  isSeen({ token, address, lots, allowance }: SeenBalance): boolean {
    const known = this.#balances.get(keyOf(token, address));
    return known?.lots === lots && known.allowance === allowance;
  }

  /** Requests a transfer; `done` is called later, once. Throws `internal` for an id that waits already. */
  want(transfer: RealTransfer, done: (result: TransferResult) => void): void {
    const { id } = transfer;
    if (this.#pending.has(id))
      throw new MillraceError('internal', `The transfer ${id} is waited for.`);
    this.#pending.set(id, { transfer, done });
    this.#wanted(transfer);
  }

  /** Called for each transfer requested from now on. */
  onWanted(listener: (transfer: RealTransfer) => void): void {
    this.#wanted = listener;
  }

  /** Pending transfers, oldest first. */
  wanted(): readonly RealTransfer[] {
    return [...this.#pending.values()].map(({ transfer }) => transfer);
  }

  /** Reports a transfer's result. Throws `internal` if nobody waits for it. */
  settle(id: string, result: TransferResult): void {
    const found = this.#pending.get(id);
    if (found === undefined)
      throw new MillraceError('internal', `Nobody waits for the transfer ${id}.`);
    this.#pending.delete(id);
    if (!('code' in result)) this.#book(found.transfer, result.lots);
    found.done(result);
  }

  /** Until the chain is read again. */
  #book({ token, from, to, lots }: RealTransfer, arrived: bigint): void {
    for (const [address, change] of [
      [from, -lots],
      [to, arrived],
    ] as const) {
      const known = this.#balances.get(keyOf(token, address));
      if (known !== undefined) this.see({ ...known, lots: known.lots + change });
    }
  }
}

const keyOf = (token: number, address: string): string => `${token} ${address}`;
