import { ed25519 } from '@noble/curves/ed25519.js';
import { onTestFinished } from 'vitest';
import {
  AffiliateSwapClient,
  SwapClient,
  type AffiliateClientSettings,
  type ApprovalSigner,
  type NetworkTerms,
  type SwapClientSettings,
} from '../../../src/clients.ts';
import { NETWORKS } from '../../swaps/chains/harness.ts';
import { AFFILIATE_KEY, PRIVATE_KEY, type SwapVenue } from '../../server/swaps/kit.ts';
import { signPermit, signPsbt, type User } from '../../server/swaps/users.ts';

export const PEM = PRIVATE_KEY.export({ type: 'pkcs8', format: 'pem' }).toString();

/** What is the same for all clients of tests: one attempt, as their clocks stand still. */
const ONCE = { retries: { attempts: 1 } };

/** A client of the Execution surface, which the test's end closes. */
export function executionClient(
  url: string,
  settings: Partial<SwapClientSettings> = {},
): SwapClient {
  const client = new SwapClient({ url, privateKey: PEM, ...ONCE, ...settings });
  onTestFinished(() => client.close());
  return client;
}

/** The same of a venue, by its clock. */
export const executionClientOf = (
  { base, scheduler }: SwapVenue,
  settings: Partial<SwapClientSettings> = {},
): SwapClient => executionClient(base, { scheduler, ...settings });

/** A client of the Affiliate surface, which the test's end closes. */
export function affiliateClient(
  url: string,
  settings: Partial<AffiliateClientSettings> = {},
): AffiliateSwapClient {
  const client = new AffiliateSwapClient({ url, apiKey: AFFILIATE_KEY, ...ONCE, ...settings });
  onTestFinished(() => client.close());
  return client;
}

/** The same of a venue, by its clock. */
export const affiliateClientOf = ({ base, scheduler }: SwapVenue): AffiliateSwapClient =>
  affiliateClient(base, { scheduler });

/** A user as somebody who signs, by libraries and not by the code under test. */
export const signerOf = (user: User): ApprovalSigner => ({
  family: user.family,
  address: user.address,
  publicKey: user.publicKey,
  signTypedData: async (typed) => signPermit(user, typed),
  signPsbt: async (psbt, inputs) => signPsbt(user, psbt, inputs),
  signMessage: async (message) => ed25519.sign(message, user.privateKey),
});

/** The terms of a network of the test. */
export function networkOf(code: string): NetworkTerms {
  const network = NETWORKS.find((one) => one.code === code);
  if (network === undefined) throw new Error(`the test has no network ${code}`);
  return network;
}

/** What a call that must fail threw. */
export async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  const outcome: unknown = await call.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error(String(outcome));
}
