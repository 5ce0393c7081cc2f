import { z } from 'zod';
import { integer, text, whole } from './fields.ts';

/** What users sign and send back, which both surfaces share. */

/** Typed data of a permit2 transfer with a witness. */
export const permit2Params = z.object({
  escrow_contract_address: text,
  permit2_contract_address: text,
  resolver_deposit_address: text,
  nonce: integer,
  additional_data: z.object({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    witness: z.record(z.string(), z.unknown()),
    witness_type_string: text,
    witness_hash: text,
    secretHash: z.string().nullish(),
  }),
});

/** A Bitcoin transaction to sign in part. */
export const htlcParams = z.object({
  /** Base64. */
  psbt: text,
  /** Indexes of the inputs that the user signs. */
  inputs: z.array(whole),
  /** What the user receives; the transaction commits to it. */
  memo: z.string().optional(),
});

/** A Solana transaction to sign in the user's slot. */
export const cosignParams = z.object({
  /** Hexadecimal. */
  transaction: text,
});

/** Forms of approvals in requests; `psbt` and `htlc` are one, of Bitcoin. */
export const APPROVAL_TYPES = ['permit2', 'cosign', 'htlc', 'psbt'] as const;

const cosignData = z.object({
  transaction: text,
  user_address: text,
});

/** A user's signature data. */
export type SignedData =
  | { readonly form: 'permit2'; readonly signature: string }
  | { readonly form: 'htlc'; readonly psbt: string }
  | { readonly form: 'cosign'; readonly transaction: string; readonly userAddress: string };

/**
 * Reads `signed_data` by the form beside it. That of cosign may also be the Base64 of its JSON, as the
 * newest clients send it. Returns an error as text.
 */
export function readSignedData(
  type: (typeof APPROVAL_TYPES)[number],
  data: unknown,
): SignedData | string {
  if (type === 'cosign') {
    const read = cosignData.safeParse(typeof data === 'string' ? ofBase64(data) : data);
    if (!read.success) return 'must be an object of transaction and user_address';
    return {
      form: 'cosign',
      transaction: read.data.transaction,
      userAddress: read.data.user_address,
    };
  }
  if (typeof data !== 'string' || data === '') return 'must be text';
  return type === 'permit2' ? { form: 'permit2', signature: data } : { form: 'htlc', psbt: data };
}

function ofBase64(data: string): unknown {
  try {
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
