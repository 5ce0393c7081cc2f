import { base58 } from '@scure/base';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type { ApprovalSigner, TypedData } from '../../swaps/approvals/approval.ts';
import { digestOf } from '../../swaps/approvals/permit2/typed-data.ts';
import { BITCOIN_CHAINS, canonicalOn } from '../../swaps/chains/families/bitcoin.ts';
import { FAMILIES } from '../../swaps/chains/families/families.ts';
import type { NetworkFamily } from '../../swaps/tokens.ts';
import { jsonIn } from '../../wire/json.ts';
import { resolveHttpSettings, type HttpSettings } from '../http/settings.ts';
import { HttpTransport, type HttpOutcome } from '../http/transport.ts';

/** A signer in another process, which has the key. */
export interface RemoteSignerOptions {
  readonly url: string;
  /** Address of the key. */
  readonly address: string;
  /** X-only, hexadecimal; a wallet of the family `bitcoin` needs it for swaps. */
  readonly publicKey?: string | undefined;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
  /** Longest time for one signature, as people may be asked; 30 s if absent. */
  readonly timeoutUs?: number | undefined;
  readonly http?: Omit<HttpSettings, 'url' | 'timeoutUs'>;
}

/** A signature request. `purpose` is text for the person who approves it. */
interface Question {
  readonly kind: 'digest' | 'typedData' | 'psbt' | 'message';
  readonly payload: unknown;
  readonly purpose: string;
}

const PATH = '/v1/sign';
const SIGN_US = 30 * US_PER_SECOND;
const ANSWER_BYTES = 1 << 20;

const answer = z.object({ signature: z.string() });
const rejection = z.object({ refused: z.string() });

/** The family of an address, which is unique, and its canonical form; on any chain of Bitcoin. */
export function ownerOf(
  given: string,
): { readonly family: NetworkFamily; readonly address: string } | undefined {
  for (const family of Object.keys(FAMILIES) as NetworkFamily[]) {
    const address = FAMILIES[family].canonical(given);
    if (address !== undefined) return { family, address };
  }
  const ofTests = BITCOIN_CHAINS.map((chain) => canonicalOn(chain, given));
  const address = ofTests.find((one) => one !== undefined);
  return address === undefined ? undefined : { family: 'bitcoin', address };
}

/**
 * A signer whose key another process has. Its answers are checked against the address. Throws
 * `config-invalid` for an address of no family; its methods throw `approval-refused` if the other rejects,
 * `answer-invalid` for a signature that is not that of the address, `unreachable` and
 * `service-unavailable`. Each is called once.
 */
export function remoteSigner(options: RemoteSignerOptions): ApprovalSigner {
  const owner = ownerOf(options.address);
  if (owner === undefined) {
    const sentence = `${sanitize(options.address)} is no address of a wallet.`;
    throw new MillraceError('config-invalid', sentence, { field: 'address' });
  }
  const { family, address } = owner;
  const ask = async (question: Question): Promise<string> =>
    asked(options, { family, address, ...question });
  const verified = async (question: Question, bytes: Uint8Array): Promise<string> => {
    const signature = await ask(question);
    const digits = signature.replace(/^0x/, '');
    const isHex = /^(?:[\da-f]{2}){64,65}$/i.test(digits);
    if (isHex && FAMILIES[family].isSignedBy(address, bytes, hexToBytes(digits))) return signature;
    throw amiss(options, `gives a signature that is not one of ${address}; it is not used`);
  };
  return {
    family,
    address,
    ...publicKeyOf(family, address, options.publicKey),
    signTransfer: (digest, purpose = 'a transaction of the wallet') =>
      verified({ kind: 'digest', payload: digest, purpose }, hexToBytes(digest.replace(/^0x/, ''))),
    ...((family === 'evm' || family === 'tron') && {
      signTypedData: (typed: TypedData) => {
        const purpose = `typed data: ${typed.primaryType}`;
        const payload = JSON.parse(JSON.stringify(typed, asText)) as unknown;
        return verified({ kind: 'typedData', payload, purpose }, hexToBytes(digestOf(typed).slice(2))); // prettier-ignore
      },
    }),
    // The caller compares the answer with what was sent.
    ...(family === 'bitcoin' && {
      signPsbt: (psbt: string, inputs: readonly number[]) =>
        ask({ kind: 'psbt', payload: { psbt, inputs }, purpose: 'a payment into escrow' }),
    }),
    ...(family === 'solana' && {
      signMessage: async (message: Uint8Array) => {
        const question = { kind: 'message', payload: bytesToHex(message), purpose: 'a transaction of a swap' } as const; // prettier-ignore
        return hexToBytes((await verified(question, message)).replace(/^0x/, ''));
      },
    }),
  };
}

const asText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

function publicKeyOf(
  family: NetworkFamily,
  address: string,
  given: string | undefined,
): Pick<ApprovalSigner, 'publicKey'> {
  if (family === 'solana') return { publicKey: bytesToHex(base58.decode(address)) };
  return given === undefined ? {} : { publicKey: given };
}

async function asked(options: RemoteSignerOptions, body: object): Promise<string> {
  const { url, token, timeoutUs = SIGN_US, http } = options;
  const settings = resolveHttpSettings({ bodyBytesMax: ANSWER_BYTES, ...http, url, timeoutUs });
  const transport = new HttpTransport(settings.origin, settings.scheduler, settings);
  try {
    const outcome = await transport.send({
      method: 'POST',
      target: PATH,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ version: 1, ...body }),
    });
    return signatureIn(outcome, options);
  } finally {
    await transport.close();
  }
}

function signatureIn(outcome: HttpOutcome, options: RemoteSignerOptions): string {
  const { url } = options;
  if (outcome.kind === 'unsent' || outcome.kind === 'unanswered') {
    const code = outcome.kind === 'unsent' ? 'unreachable' : 'service-unavailable';
    throw new MillraceError(code, `The signer at ${url} does not answer: ${sanitize(outcome.why)}. Nothing was sent to a chain.`, { where: url }); // prettier-ignore
  }
  const read = outcome.kind === 'answered' ? jsonIn(outcome.body) : undefined;
  const no = rejection.safeParse(read);
  if (no.success) {
    throw new MillraceError('approval-refused', `The signer at ${url} refuses: ${sanitize(no.data.refused)}.`, { where: url }); // prettier-ignore
  }
  const yes = answer.safeParse(read);
  if (outcome.status === 200 && yes.success) return yes.data.signature;
  throw amiss(options, `answers ${outcome.status} without a signature or a rejection`);
}

const amiss = ({ url }: RemoteSignerOptions, what: string): MillraceError =>
  new MillraceError('answer-invalid', `The signer at ${url} ${what}.`, { where: url });
