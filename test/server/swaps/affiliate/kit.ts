import { readJson } from '../../../../src/wire/json.ts';
import type { SwapVenue } from '../kit.ts';
import { AFFILIATE_KEY } from '../kit.ts';
import { signedBody as signedAsked, type User } from '../users.ts';

/** An answer of the Affiliate surface. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Ask {
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const KEY = { 'x-api-key': AFFILIATE_KEY };

/** Calls a path below `/affiliate/v1`, with the key of the test's partner unless it says otherwise. */
export async function affiliate(
  venue: SwapVenue,
  method: string,
  target: string,
  { json, text, headers = KEY }: Ask = {},
): Promise<Answer> {
  const body = text ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(`${venue.base}/affiliate/v1${target}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body,
  });
  const answer = await response.text();
  const read: unknown = answer === '' ? {} : readJson(answer);
  return { status: response.status, text: answer, body: read as Answer['body'] };
}

/** Numbers of the networks of the test. */
export const CHAINS = { ethereum: 1, tron: 2, bitcoin: 3, solana: 4 } as const;
export type Chain = keyof typeof CHAINS;

/** A token of each network that is swapped in tests, and an amount of it worth some hundreds. */
const GIVEN: Readonly<Record<Chain, readonly [token: string, amount: number]>> = {
  ethereum: ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 250.5],
  tron: ['TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', 250.5],
  bitcoin: ['BTC', 0.0125],
  solana: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 250.5],
};

/** The body of a quote from one network to another. */
export function quoteBody(from: Chain = 'ethereum', to: Chain = 'solana') {
  const [source_token, amount] = GIVEN[from];
  const [dest_token] = GIVEN[to];
  return {
    source_chain: CHAINS[from],
    source_token,
    dest_chain: CHAINS[to],
    dest_token,
    amount,
    slippage_bps: '50',
    swap_type: 'standard',
  };
}

/** The body of an intent of the user of the test, complete for every network. */
export function intentBody(venue: SwapVenue, quote: string, from: Chain, to: Chain) {
  const user = venue.user(from);
  return {
    quote_id: quote,
    refund_address: user.address,
    user_destination_address: venue.user(to).address,
    user_source_address: user.address,
    user_source_public_key: user.publicKey,
  };
}

/** An intent with its quote, both as the service answered them. */
export interface Made {
  readonly quote: Readonly<Record<string, unknown>>;
  readonly intent: Readonly<Record<string, unknown>>;
  readonly id: string;
}

/** Asks for a quote and makes an intent of it. */
export async function intend(
  venue: SwapVenue,
  from: Chain = 'ethereum',
  to: Chain = 'solana',
  more: object = {},
): Promise<Made> {
  const quote = await affiliate(venue, 'POST', '/quotes/best', { json: quoteBody(from, to) });
  const json = { ...intentBody(venue, String(quote.body['id']), from, to), ...more };
  const intent = await affiliate(venue, 'POST', '/intents', { json });
  if (intent.status !== 200) throw new Error(intent.text);
  return { quote: quote.body, intent: intent.body, id: String(intent.body['intent_id']) };
}

/** Signs what an intent asks for, by other libraries, as the body of an approval. */
export async function signedBody(user: User, { quote, intent }: Made): Promise<object> {
  const { approval_mechanism: form, deadline_secs: deadline_at, ...rest } = intent;
  const created = { ...rest, deadline_at, approval_type: form === 'psbt' ? 'htlc' : form };
  const given = {
    token: String(quote['source_token']),
    lots: BigInt(String(quote['source_amount_lots'])),
  };
  const { approval_type: type, signed_data } = await signedAsked(user, created, given);
  return { type, signed_data };
}

/** Signs what an intent asks for and hands it over. */
export async function approve(venue: SwapVenue, made: Made, from: Chain): Promise<Answer> {
  const json = await signedBody(venue.user(from), made);
  return affiliate(venue, 'POST', `/intents/${made.id}/approvals`, { json });
}

/** How an intent stands. */
export const statusOf = async (venue: SwapVenue, id: string): Promise<Answer['body']> =>
  (await affiliate(venue, 'GET', `/intents/${id}/status`)).body;
