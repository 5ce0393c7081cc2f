import { Address, OutScript } from '@scure/btc-signer';
import {
  ADDRESS_FORMS,
  BITCOIN_CHAINS,
  type BitcoinChain,
} from '../../../swaps/chains/families/bitcoin.ts';

/** Hash of the first block of each chain, which identifies it. */
export const GENESIS: Readonly<Record<BitcoinChain, string>> = {
  mainnet: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  testnet: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
};

/** Kinds of addresses that can be paid to, and those that a key alone spends from. */
const PAID = new Set(['pkh', 'sh', 'wpkh', 'wsh', 'tr']);

/** A parsed address. */
export interface BitcoinAddress {
  /** The form for comparison: bech32 in small letters. */
  readonly text: string;
  readonly script: Uint8Array;
  /** Signature that spends from it: Schnorr (`tr`) or ECDSA (`wpkh`); absent if it takes more. */
  readonly spentBy?: 'tr' | 'wpkh';
  /** The key of `tr`, or the hash of that of `wpkh`. */
  readonly owner?: Uint8Array;
}

/** Reads an address of a chain; `undefined` for another chain, a wrong checksum, or an unknown kind. */
export function readAddress(chain: BitcoinChain, given: string): BitcoinAddress | undefined {
  const text = given === given.toUpperCase() ? lowered(chain, given) : given;
  try {
    const found = Address(ADDRESS_FORMS[chain]).decode(text);
    if (!PAID.has(found.type)) return undefined;
    const script = OutScript.encode(found);
    if (found.type === 'tr') return { text, script, spentBy: 'tr', owner: found.pubkey };
    if (found.type === 'wpkh') return { text, script, spentBy: 'wpkh', owner: found.hash };
    return { text, script };
  } catch {
    return undefined;
  }
}

/** Describes an address that is not of the chain, with a remedy; a sentence without its end. */
export function otherAddress(chain: BitcoinChain, given: string): string {
  const chains = BITCOIN_CHAINS.filter((one) => readAddress(one, given) !== undefined);
  const { bech32 } = ADDRESS_FORMS[chain];
  if (chains.length === 0) return `"${given}" is no address of ${chain} of Bitcoin`;
  return `"${given}" is an address of ${chains.join(' and ')} of Bitcoin, and not of ${chain}: take one that begins with ${bech32}1`;
}

/** Capitals are bech32 too; Base58 distinguishes capitals from small letters. */
const lowered = (chain: BitcoinChain, text: string): string =>
  text.startsWith(`${ADDRESS_FORMS[chain].bech32.toUpperCase()}1`) ? text.toLowerCase() : text;

/** Weight units of an output: its value, its length and its script. */
export const outputWeight = (script: Uint8Array): bigint => 4n * BigInt(9 + script.length);

/** Weight units of an input with its witness: one signature, and the key for ECDSA. */
export const inputWeight = (kind: 'tr' | 'wpkh'): bigint => 164n + (kind === 'tr' ? 66n : 108n);

/** Weight units of all else, up to 252 inputs. */
export const BASE_WEIGHT = 42n;

const WITNESS_VERSION_MAX = 0x60;

/** A smaller amount is dust at some address: the limit of a key hash address (P2PKH). */
export const DUST_MOST = 546n;

/**
 * Dust limit of an output, below which nodes do not relay it: Core's rule at its 3 sat/vB, by the cost of
 * making and spending the output.
 */
export function dustOf(script: Uint8Array): bigint {
  const [first = 0, push = 0] = script;
  const isWitness = (first === 0 || (first > 0x50 && first <= WITNESS_VERSION_MAX)) && push === script.length - 2; // prettier-ignore
  return 3n * BigInt(9 + script.length + (isWitness ? 67 : 148));
}
