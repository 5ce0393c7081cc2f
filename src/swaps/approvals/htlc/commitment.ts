import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { equalBytes } from '@scure/btc-signer/utils.js';

/**
 * A Bitcoin transaction has no text, so one for another destination could be the same. It commits to the
 * memo by an output without an amount: OP_RETURN and the SHA-256 of the memo.
 */
const OP_RETURN = 0x6a;
const HASH_BYTES = 32;

/** The script of the output that commits to a memo. */
export const commitmentTo = (memo: string): Uint8Array =>
  concatBytes(Uint8Array.of(OP_RETURN, HASH_BYTES), sha256(utf8ToBytes(memo)));

/** True for an unspendable script. */
export const isUnspendable = (script: Uint8Array): boolean => script[0] === OP_RETURN;

/** True for the script that commits to a memo. */
export const isCommitmentTo = (memo: string, script: Uint8Array): boolean =>
  equalBytes(commitmentTo(memo), script);
