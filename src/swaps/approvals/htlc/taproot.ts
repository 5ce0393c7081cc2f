import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { Script } from '@scure/btc-signer';
import { tapLeafHash } from '@scure/btc-signer/payment.js';
import { equalBytes, tagSchnorr, taprootTweakPubkey } from '@scure/btc-signer/utils.js';
import { ByteReader } from '../byte-reader.ts';
import { isSchnorr } from '../../chains/families/bitcoin.ts';
import { readCompactSize, type Psbt, type PsbtMap } from './psbt.ts';

/** The spent output of an input. */
export interface SpentOutput {
  readonly lots: bigint;
  readonly script: Uint8Array;
}

/** A way in which a key may sign an input: directly, or by a script with the key. */
export interface SigningPath {
  /** Key of the pair that the signature goes to, hexadecimal. */
  readonly field: string;
  /** Key that the signature verifies with, x-only. */
  readonly publicKey: Uint8Array;
  /** Of the key path: the root of the tree of scripts that the key is tweaked with, maybe empty. */
  readonly merkleRoot?: Uint8Array;
  /** Of the script path. */
  readonly leaf?: Leaf;
}

export interface Leaf {
  readonly script: Uint8Array;
  readonly version: number;
  readonly controlBlock: Uint8Array;
}

const FIELD = {
  spent: '01',
  sighash: '03',
  keySignature: '13',
  scriptSignature: '14',
  leaf: '15',
  internalKey: '17',
  merkleRoot: '18',
} as const;

const P2TR = '5120';
const P2TR_BYTES = 34;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The bit of a control block for an odd y of the output's key. */
const PARITY = 1;
const COVERS_ALL = 0x01;
/** Allowed sighash bytes of a signature (BIP 341). */
const SIGHASHES: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x81, 0x82, 0x83]);

/** The spent output of an input, if its map has it. */
export function spentOutput(map: PsbtMap): SpentOutput | undefined {
  const value = map.get(FIELD.spent);
  if (value === undefined) return undefined;
  try {
    const reader = new ByteReader(hexToBytes(value));
    const lots = reader.little(8);
    const script = reader.take(readCompactSize(reader));
    return reader.isAtEnd ? { lots, script } : undefined;
  } catch {
    return undefined;
  }
}

/** The sighash type that an input requires; `undefined` if it is open. */
export function askedSighash(map: PsbtMap): number | undefined {
  const value = map.get(FIELD.sighash);
  return value === undefined ? undefined : Number(new ByteReader(hexToBytes(value)).little(4));
}

/** True for the field of a Taproot signature. */
export const isSignatureField = (key: string): boolean =>
  key === FIELD.keySignature || key.startsWith(FIELD.scriptSignature);

/**
 * The ways in which an internal or script key may sign an input, as the PSBT dictates; each is bound
 * to the output that is spent by the tweak of BIP 341.
 */
export function signingPaths(map: PsbtMap, key: Uint8Array): readonly SigningPath[] {
  const script = spentOutput(map)?.script;
  if (script?.length !== P2TR_BYTES || !bytesToHex(script).startsWith(P2TR)) return [];
  const output = script.subarray(2);
  const paths: SigningPath[] = [];
  const merkleRoot = hexToBytes(map.get(FIELD.merkleRoot) ?? '');
  if (map.get(FIELD.internalKey) === bytesToHex(key)) {
    if (isTweaked(key, merkleRoot, output)) {
      paths.push({ field: FIELD.keySignature, publicKey: output, merkleRoot });
    }
  }
  for (const [pair, value] of map) {
    if (!pair.startsWith(FIELD.leaf)) continue;
    const leaf = leafOf(hexToBytes(pair.slice(2)), hexToBytes(value));
    if (!asksFor(leaf.script, key) || !isCommitted(leaf, output)) continue;
    const hash = bytesToHex(tapLeafHash(leaf.script, leaf.version));
    paths.push({
      field: `${FIELD.scriptSignature}${bytesToHex(key)}${hash}`,
      publicKey: key,
      leaf,
    });
  }
  return paths;
}

/**
 * True for a signature of an input on a path: 64 bytes, which cover everything, or 65 whose last byte is
 * the sighash type. It must be the required type; if there is none, all (1).
 */
export function isSignature(psbt: Psbt, at: number, path: SigningPath, signature: string): boolean {
  const bytes = hexToBytes(signature);
  const covers = bytes[SIGNATURE_BYTES];
  const map = psbt.inputs[at];
  if (map === undefined || bytes.length < SIGNATURE_BYTES) return false;
  const asked = askedSighash(map);
  if (covers === undefined) {
    if ((asked ?? 0) !== 0) return false;
  } else if (!SIGHASHES.has(covers) || covers !== (asked ?? COVERS_ALL)) return false;
  const message = signedMessage(psbt, at, path, covers ?? 0);
  return (
    message !== undefined && isSchnorr(bytes.subarray(0, SIGNATURE_BYTES), message, path.publicKey)
  );
}

/** The signed message of an input (BIP 341, 342); `undefined` if the PSBT is incomplete. */
export function signedMessage(
  { inputs, transaction }: Psbt,
  at: number,
  { leaf }: SigningPath,
  sighash: number,
): Uint8Array | undefined {
  const spent = inputs.map(spentOutput);
  if (!spent.every((one) => one !== undefined)) return undefined;
  const scripts = spent.map(({ script }) => script);
  const lots = spent.map((one) => one.lots);
  try {
    return leaf === undefined
      ? transaction.preimageWitnessV1(at, scripts, sighash, lots)
      : transaction.preimageWitnessV1(at, scripts, sighash, lots, -1, leaf.script, leaf.version);
  } catch {
    // SIGHASH_SINGLE without an output of that index.
    return undefined;
  }
}

/** The witness items after the signature; `undefined` if others have to sign too. */
export function witnessBehind(path: SigningPath): readonly Uint8Array[] | undefined {
  if (path.leaf === undefined) return [];
  const { script, controlBlock } = path.leaf;
  return bytesToHex(script) === `20${bytesToHex(path.publicKey)}ac`
    ? [script, controlBlock]
    : undefined;
}

function leafOf(controlBlock: Uint8Array, value: Uint8Array): Leaf {
  return { script: value.subarray(0, -1), version: value.at(-1) ?? 0, controlBlock };
}

/** A script requires a key if it pushes its 32 bytes. */
function asksFor(script: Uint8Array, key: Uint8Array): boolean {
  try {
    return Script.decode(script).some((one) => one instanceof Uint8Array && equalBytes(one, key));
  } catch {
    return false;
  }
}

/** The control block leads from the leaf to the key of the output. */
function isCommitted({ script, version, controlBlock }: Leaf, output: Uint8Array): boolean {
  const first = controlBlock[0] ?? 0;
  if ((first & ~PARITY) !== version) return false;
  let hash: Uint8Array = tapLeafHash(script, version);
  for (let at = 1 + KEY_BYTES; at < controlBlock.length; at += KEY_BYTES) {
    const beside = controlBlock.subarray(at, at + KEY_BYTES);
    const ordered = bytesToHex(hash) < bytesToHex(beside) ? [hash, beside] : [beside, hash];
    hash = tagSchnorr('TapBranch', concatBytes(...ordered));
  }
  return isTweaked(controlBlock.subarray(1, 1 + KEY_BYTES), hash, output, first & PARITY);
}

/** The key, tweaked with the root of a tree of scripts, is that of the output. */
function isTweaked(
  key: Uint8Array,
  root: Uint8Array,
  output: Uint8Array,
  parity?: number,
): boolean {
  try {
    const [tweaked, odd] = taprootTweakPubkey(key, root);
    return equalBytes(tweaked, output) && (parity === undefined || parity === odd);
  } catch {
    // No point of the curve has this x.
    return false;
  }
}
