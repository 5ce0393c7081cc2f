import { z } from 'zod';
import { Decimal, parseDecimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { Esplora, type EsploraOutcome } from './esplora.ts';
import { nameOf, type Outpoint } from './transaction.ts';

const satoshi = z.int().min(0).max(21e14).transform(BigInt);
const hash = z.string().regex(/^[\da-f]{64}$/, 'must be a hash of 64 digits');
const height = z.int().min(0);

/** Status of a transaction: in a block of the chain, or in none. */
const status = z.union([
  z.object({ confirmed: z.literal(false) }),
  z.object({
    confirmed: z.literal(true),
    block_height: height,
    block_hash: hash,
    block_time: z.int().min(0),
  }),
]);

const utxos = z.array(z.object({ txid: hash, vout: z.int().min(0), value: satoshi, status }));

const address = z.string().optional();
const transaction = z.object({
  txid: hash,
  vin: z.array(z.object({ prevout: z.object({ scriptpubkey_address: address }).nullable() })),
  vout: z.array(z.object({ value: satoshi, scriptpubkey_address: address })),
  fee: satoshi,
  status,
});

/** A transaction as a provider reports it. */
export type EsploraTransaction = z.output<typeof transaction>;

const outspend = z.union([
  z.object({ spent: z.literal(false) }),
  z.object({ spent: z.literal(true), txid: hash, status }),
]);

/** The spender of an output. */
export type Outspend = z.output<typeof outspend>;

/** Satoshi of a virtual byte by target in blocks. */
const rates = z.record(
  z.string().regex(/^\d{1,4}$/),
  z.union([z.number().positive().transform(String), z.string()]).transform(parseDecimal).pipe(z.instanceof(Decimal)),
); // prettier-ignore

/** An unspent output, and the height of its block if it has one. */
export interface ListedOutput extends Outpoint {
  readonly lots: bigint;
  readonly height?: number;
}

/**
 * The providers of one chain. Their answers about a block must be equal. An output is spendable if all of
 * them list it; of heights the lowest counts.
 */
export class EsploraProviders {
  readonly #all: readonly Esplora[];

  constructor(urls: readonly string[], settings: Omit<HttpSettings, 'url'>) {
    this.#all = urls.map((url) => new Esplora({ ...settings, url }));
  }

  get hosts(): string {
    return this.#all.map(({ url }) => url).join(' and ');
  }

  /** The hash of the block of a height, as each provider has it. */
  async blockHashes(at: number): Promise<readonly string[]> {
    return this.#each(async (one) => one.text(`/block-height/${at}`, hash));
  }

  /** The height of the chain that all of them have. */
  async tip(): Promise<number> {
    const form = z.string().regex(/^\d{1,9}$/).transform(Number); // prettier-ignore
    return Math.min(...(await this.#each(async (one) => one.text('/blocks/tip/height', form))));
  }

  /** The unspent outputs of an address, as each provider lists them, by their names. */
  async outputs(of: string): Promise<readonly ReadonlyMap<string, ListedOutput>[]> {
    return this.#each(async (one) => listed(await one.must(`/address/${of}/utxo`, utxos)));
  }

  /** A transaction, as each provider knows it. */
  async transactions(id: string): Promise<readonly (EsploraTransaction | undefined)[]> {
    const found = await this.#each(async (one) => one.read(`/tx/${id}`, transaction));
    const other = found.find((one) => one !== undefined && one.txid !== id);
    if (other === undefined) return found;
    throw new MillraceError('answer-invalid', `${this.hosts} answer ${other.txid} where ${id} was asked for.`); // prettier-ignore
  }

  /** The spender of an output, as each provider knows it; nothing if it knows no such output. */
  async outspends({ txid, index }: Outpoint): Promise<readonly (Outspend | undefined)[]> {
    return this.#each(async (one) => one.read(`/tx/${txid}/outspend/${index}`, outspend));
  }

  /**
   * Fee rate in satoshi per thousand virtual bytes for a target in blocks; the highest of all providers.
   */
  async rate(target: number): Promise<bigint | undefined> {
    const all = await this.#each(async (one) => one.must('/fee-estimates', rates));
    const found = all.flatMap((one) => rateIn(one, target) ?? []);
    return found.length === 0 ? undefined : found.reduce((most, one) => (one > most ? one : most));
  }

  /** The answer of each to bytes, sent once to each. */
  async sent(raw: string): Promise<readonly EsploraOutcome[]> {
    return this.#each(async (one) => one.send(raw));
  }

  async close(): Promise<void> {
    await this.#each(async (one) => one.close());
  }

  async #each<T>(ask: (one: Esplora) => Promise<T>): Promise<readonly T[]> {
    return Promise.all(this.#all.map(ask));
  }
}

/** If a provider lists one output both with a block and without, the one with it counts. */
function listed(given: z.output<typeof utxos>): ReadonlyMap<string, ListedOutput> {
  const outputs = new Map<string, ListedOutput>();
  for (const { txid, vout: index, value: lots, status: at } of given) {
    const output = { txid, index, lots, ...(at.confirmed && { height: at.block_height }) };
    const name = nameOf(output);
    if (outputs.get(name)?.height === undefined) outputs.set(name, output);
  }
  return outputs;
}

/** Rates are reported for some targets: the nearest that is not sooner, else the last. */
function rateIn(given: z.output<typeof rates>, target: number): bigint | undefined {
  const targets = Object.keys(given)
    .map(Number)
    .toSorted((one, other) => one - other);
  const nearest = targets.find((one) => one >= target) ?? targets.at(-1);
  const rate = nearest === undefined ? undefined : given[`${nearest}`];
  return rate === undefined ? undefined : BigInt(rate.times(1000).toFixed(0, Decimal.ROUND_UP));
}
