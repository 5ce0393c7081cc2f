import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { littleEndian } from '../byte-reader.ts';

/** Programs of Solana that a swap calls. */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  tokenAccount: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
} as const;

/** Creates the token account of an owner if there is none; calling it twice is allowed. */
export const CREATE_TOKEN_ACCOUNT = Uint8Array.of(1);

const TRANSFER_CHECKED = 12;
const DERIVED = utf8ToBytes('ProgramDerivedAddress');

/** Data of a transfer of tokens that names the decimals too. */
export const transferData = (lots: bigint, decimals: number): Uint8Array =>
  Uint8Array.of(TRANSFER_CHECKED, ...littleEndian(lots, 8), decimals);

/** The account in which the tokens of an owner lie: an address that is no point of the curve. */
export function tokenAccountOf(
  owner: Uint8Array,
  mint: Uint8Array,
  tokens: string = PROGRAMS.token,
): Uint8Array {
  const seeds = [owner, base58.decode(tokens), mint];
  for (let bump = 255; bump >= 0; bump -= 1) {
    const program = base58.decode(PROGRAMS.tokenAccount);
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, DERIVED));
    if (!isOnCurve(hash)) return hash;
  }
  throw new RangeError('No bump leads off the curve.');
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}
