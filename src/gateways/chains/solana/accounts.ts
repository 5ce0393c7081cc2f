import { base64 } from '@scure/base';
import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { PROGRAMS } from '../../../swaps/approvals/cosign/programs.ts';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { TokenTerms } from '../../../swaps/tokens.ts';
import type { Mint } from './message.ts';
import type { SolanaNodeOptions } from './options.ts';
import { units, type Commitment, type SolanaProviders } from './providers.ts';

const account = z
  .object({
    lamports: units,
    owner: z.string(),
    executable: z.boolean(),
    data: z.tuple([z.string(), z.literal('base64')]).transform(([text]) => base64.decode(text)),
  })
  .nullable();

const tokenAccounts = z.array(
  z.object({
    pubkey: z.string(),
    account: z.object({
      data: z.object({
        parsed: z.object({
          info: z.object({
            mint: z.string(),
            owner: z.string(),
            state: z.string(),
            tokenAmount: z.object({ amount: units }),
          }),
        }),
      }),
    }),
  }),
);

const TOKEN_PROGRAMS: readonly string[] = [PROGRAMS.token, PROGRAMS.token2022];

/** Offsets in a mint of the members that are read. */
const MINT = { decimals: 44, isInitialized: 45, bytes: 82 };

export interface TokenAccount {
  readonly address: string;
  readonly lots: bigint;
}

/** Reads accounts of the chain. */
export class SolanaAccounts {
  readonly #options: SolanaNodeOptions;
  readonly #providers: SolanaProviders;
  readonly #mints = new Map<number, Mint>();
  readonly #rents = new Map<number, bigint>();

  constructor(options: SolanaNodeOptions, providers: SolanaProviders) {
    this.#options = options;
    this.#providers = providers;
  }

  /** Compares chain and mints with the configuration; throws `config-invalid`. */
  async check(): Promise<void> {
    const { network, genesis, tokens, coin } = this.#options;
    for (const found of await this.#providers.each('getGenesisHash', [])) {
      if (found === genesis) continue;
      throw this.#wrong('genesis', `is ${genesis}, and a node says that it is of the chain of ${String(found)}: name the node of ${network.name}`); // prettier-ignore
    }
    for (const token of tokens) if (token.id !== coin) await this.#checkMint(token);
  }

  async #checkMint({ id, asset, contract, decimals }: TokenTerms): Promise<void> {
    const found = await this.info(contract);
    if (found === undefined || !isMint(found)) {
      throw this.#wrong(`tokens.${asset}`, `is ${contract}, where no mint is: set the address of the mint`); // prettier-ignore
    }
    const { data, owner } = found;
    const there = data[MINT.decimals];
    if (there !== decimals) throw this.#wrong(`tokens.${asset}.decimals`, `is ${decimals}, and its mint says ${there}: set what the mint says if the address is right`); // prettier-ignore
    this.#mints.set(id, { address: contract, decimals, program: owner });
  }

  #wrong(field: string, what: string): MillraceError {
    const { name, code } = this.#options.network;
    return new MillraceError('config-invalid', `${field} of ${name} ${what}.`, { field: `chains.${code}.solana.${field}` }); // prettier-ignore
  }

  token(id: number): TokenTerms {
    const found = this.#options.tokens.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new MillraceError('service-refused', `${this.#options.network.name} has no token ${id}.`);
  }

  /** Nothing for the native asset. */
  mint(id: number): Mint | undefined {
    return this.#mints.get(id);
  }

  /**
   * Smallest units of a token at an address: the lesser of the final and the confirmed amount, so that
   * nothing counts that may vanish or has left.
   */
  async held(token: number, address: string): Promise<bigint> {
    if (FAMILIES.solana.canonical(address) === undefined) {
      const sentence = `${address} is no address of ${this.#options.network.name}.`;
      throw new MillraceError('service-refused', sentence);
    }
    const final = await this.#heldAt(token, address, 'finalized');
    const confirmed = await this.#heldAt(token, address, 'confirmed');
    return final < confirmed ? final : confirmed;
  }

  async #heldAt(token: number, address: string, commitment: Commitment): Promise<bigint> {
    const mint = this.#mints.get(token);
    if (mint === undefined) {
      return this.#providers.agreedState(units, 'getBalance', [address], { commitment });
    }
    const accounts = await this.tokenAccounts(mint, address, commitment);
    return accounts.reduce((sum, { lots }) => sum + lots, 0n);
  }

  /** All accounts of an owner that hold a token and are not frozen, the fullest first. */
  async tokenAccounts(
    { address: mint }: Mint,
    owner: string,
    commitment: Commitment,
  ): Promise<readonly TokenAccount[]> {
    const method = 'getTokenAccountsByOwner';
    const config = { commitment, encoding: 'jsonParsed' };
    const found = await this.#providers.agreedState(sortedAccounts, method, [owner, { mint }], config); // prettier-ignore
    return found.flatMap(({ pubkey, account: { data } }) => {
      const { info } = data.parsed;
      const isOwn = info.mint === mint && info.owner === owner && info.state === 'initialized';
      return isOwn ? [{ address: pubkey, lots: info.tokenAmount.amount }] : [];
    });
  }

  /** Account at an address; nothing if there is none. */
  async info(address: string): Promise<NonNullable<z.output<typeof account>> | undefined> {
    const config = { commitment: 'confirmed', encoding: 'base64' } as const;
    const found = await this.#providers.agreedState(account, 'getAccountInfo', [address], config);
    return found ?? undefined;
  }

  /** Rent-exempt minimum of an account by its size in bytes, lamports. */
  async rent(bytes: number): Promise<bigint> {
    const known = this.#rents.get(bytes);
    if (known !== undefined) return known;
    const method = 'getMinimumBalanceForRentExemption';
    const rent = units.safeParse(await this.#providers.agreed(method, [bytes])).data;
    if (rent === undefined) throw new MillraceError('answer-invalid', `The answer to ${method} cannot be read.`); // prettier-ignore
    this.#rents.set(bytes, rent);
    return rent;
  }
}

/** Providers list them in any order. */
const sortedAccounts = tokenAccounts.transform((all) =>
  all.toSorted((one, other) => {
    const [a, b] = [one, other].map(({ account: { data } }) => data.parsed.info.tokenAmount.amount);
    if (a !== b) return (a ?? 0n) > (b ?? 0n) ? -1 : 1;
    return one.pubkey < other.pubkey ? -1 : 1;
  }),
);

/** Bytes of a token account; Token-2022 marks a mint after as many. */
export const ACCOUNT_BYTES = 165;
const KIND_MINT = 1;

function isMint({ owner, data }: { readonly owner: string; readonly data: Uint8Array }): boolean {
  if (!TOKEN_PROGRAMS.includes(owner) || data[MINT.isInitialized] !== 1) return false;
  const isLonger = owner === PROGRAMS.token2022 && data[ACCOUNT_BYTES] === KIND_MINT;
  return data.length === MINT.bytes || isLonger;
}

/** True if an address is no wallet: tokens or SOL sent there are lost. */
export const isNoWallet = (owner: string, executable: boolean): boolean =>
  executable || TOKEN_PROGRAMS.includes(owner);
