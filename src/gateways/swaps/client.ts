import { MillraceError } from '../../model/errors.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import { systemUuid } from '../../platform/system-uuid.ts';
import type {
  AgreedTerms,
  ApprovalSigner,
  SignedApproval,
} from '../../swaps/approvals/approval.ts';
import { CREDENTIALS, signedHeaders } from '../../wire/swaps/credentials.ts';
import { refuseExtraArguments } from '../http/extra-arguments.ts';
import { refuseNoObject } from '../http/unknown-members.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import { invalid } from '../http/invalid.ts';
import { agreedTerms, refuseUnknownCondition, type SwapConditions } from './agreement.ts';
import { approved, type ApproveOptions } from './approving.ts';
import {
  checked,
  checkedApproval,
  intentArguments,
  pathMember,
  queryOf,
  quoteArguments,
  swapsArguments,
  tokensArguments,
  type SwapIntentRequest,
  type SwapQuoteRequest,
  type SwapsQuery,
  type TokensQuery,
} from './arguments.ts';
import { SwapCaller, type SwapSurface } from './caller.ts';
import { DialectWords } from './dialect.ts';
import type { FollowOptions } from '../http/following.ts';
import { followed } from './following.ts';
import { checkFreshness, isFresh } from './freshness.ts';
import {
  readApprovalAnswer,
  readIntent,
  readIntentStatus,
  readNetworks,
  readQuote,
  readSwaps,
  readTokens,
  type SwapIntent,
  type SwapNetwork,
  type SwapQuote,
  type SwapStatus,
  type SwapSummary,
  type SwapTokens,
} from './reading/execution.ts';
import { resolveSwapSettings, type ResolvedSwapSettings } from './resolve-settings.ts';
import type { SwapClientSettings } from './settings.ts';
import { SigningRules } from './signing.ts';
import { executionErrorBody } from './words.ts';

/** The Execution surface of the swap service: every call, signed by a key that stays here. */
export class SwapClient {
  static {
    const reading = {
      isHealthy: 0,
      getNetworks: 0,
      getTokens: 1,
      getQuote: 1,
      freshQuote: 3,
    } as const;
    const swapping = { createIntent: 1, addApproval: 2, approve: 4, swap: 4, follow: 2 } as const;
    refuseExtraArguments(SwapClient, {
      ...reading,
      ...swapping,
      getIntent: 1,
      getSwaps: 1,
      close: 0,
    });
  }

  readonly #settings: ResolvedSwapSettings;
  readonly #caller: SwapCaller;
  readonly #wording: DialectWords;
  readonly #pauses: ClockWaits;
  readonly #rules: SigningRules;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: SwapClientSettings) {
    this.#settings = resolveSwapSettings(settings);
    this.#caller = new SwapCaller(this.#settings, doorOf(this.#settings));
    this.#wording = new DialectWords(this.#settings.dialect);
    this.#pauses = new ClockWaits(this.#settings.scheduler);
    this.#rules = new SigningRules(settings, this.#settings.scheduler);
  }

  /** Address of the service. */
  get url(): string {
    return this.#settings.origin;
  }

  /** Base64 of the hash of the public key, by which the service knows this client. */
  get apiKey(): string {
    return this.#settings.apiKey;
  }

  /** GET `/v1/health`: false if the service answers that it is not well. */
  async isHealthy(): Promise<boolean> {
    return this.#caller.isWell('isHealthy', this.#wording.path('/health'));
  }

  /** GET `/v1/networks`. */
  async getNetworks(): Promise<readonly SwapNetwork[]> {
    const path = this.#wording.path('/networks');
    return this.#caller.call({ name: 'getNetworks', method: 'GET', path }, readNetworks);
  }

  /** GET `/v1/tokens`. */
  async getTokens(query: TokensQuery = {}): Promise<SwapTokens> {
    const name = 'getTokens';
    const path = this.#wording.path('/tokens');
    const given = queryOf(checked(name, tokensArguments, query));
    return this.#caller.call({ name, method: 'GET', path, query: given }, readTokens);
  }

  /** POST `/v1/quotes`. */
  async getQuote(request: SwapQuoteRequest): Promise<SwapQuote> {
    const name = 'getQuote';
    const body = this.#wording.quote(checked(name, quoteArguments, request));
    const path = this.#wording.path('/quotes');
    return this.#caller.call({ name, method: 'POST', path, body }, readQuote);
  }

  /**
   * A usable quote: the given one, or a new one if it has expired or is about to within `marginUs` (1 s). A
   * new one may have another price: check it before it is used.
   */
  async freshQuote(
    request: SwapQuoteRequest,
    quote: SwapQuote | undefined,
    marginUs: number = US_PER_SECOND,
  ): Promise<SwapQuote> {
    checkFreshness(quote, marginUs);
    const now = this.#settings.scheduler.now();
    return quote !== undefined && isFresh(quote.expires_at, now, marginUs)
      ? quote
      : this.getQuote(request);
  }

  /**
   * POST `/v1/intents`. It moves no money, so it may be requested again if its outcome is unknown: an
   * unapproved intent expires.
   */
  async createIntent(request: SwapIntentRequest): Promise<SwapIntent> {
    const name = 'createIntent';
    const body = this.#wording.intent(name, checked(name, intentArguments, request));
    const path = this.#wording.path('/intents');
    return this.#caller.call({ name, method: 'POST', path, body }, readIntent);
  }

  /** POST `/v1/intents/{intent_id}/approvals`: hands over what was signed. */
  async addApproval(
    intentId: string,
    signed: SignedApproval,
  ): Promise<{ readonly intent_id: string }> {
    const name = 'addApproval';
    const intent = pathMember(name, 'intent_id', intentId);
    const path = this.#wording.path(`/intents/${intent}/approvals`);
    const body = this.#wording.approval(checkedApproval(signed));
    return this.#caller.call({ name, method: 'POST', path, body }, readApprovalAnswer);
  }

  /**
   * Signs an intent and sends the approval, once it matches the agreement. Throws `approval-refused` if it
   * does not, or has an unknown form: then nothing was signed.
   */
  async approve(
    intent: SwapIntent,
    agreed: AgreedTerms,
    signer: ApprovalSigner,
    options: ApproveOptions = {},
  ): Promise<void> {
    refuseNoObject('approve', 'intent', intent);
    const asked = { form: intent.approval_type, params: intent.params_to_sign };
    await approved(
      {
        intent: intent.id,
        asked,
        agreed,
        deadline: intent.deadline_at,
        signer,
        rules: this.#rules,
      },
      options,
      async (signed) => this.addApproval(intent.id, signed),
    );
  }

  /**
   * Swaps: uses the given quote, or a new one if there is none or it has expired, creates an intent, signs
   * and sends the approval. Returns the intent, to be followed. Nothing is signed that differs from the
   * request and the conditions (`approval-refused`).
   */
  async swap(
    request: SwapIntentRequest,
    conditions: SwapConditions & { readonly quote?: SwapQuote | undefined },
    signer: ApprovalSigner,
    options: ApproveOptions = {},
  ): Promise<SwapIntent> {
    refuseUnknownCondition(conditions);
    const { quote: given, ...rest } = conditions;
    refuseNoObject('swap', 'signer', signer);
    checked('swap', intentArguments, request);
    const quote = await this.freshQuote(quoteRequestOf(request), given);
    const agreed = agreedTerms(request, quote, rest);
    const intent = await this.createIntent({ ...request, quote_id: quote.id });
    await this.approve(intent, agreed, signer, options);
    return intent;
  }

  /** GET `/v1/intents/{intent_id}`. */
  async getIntent(intentId: string): Promise<SwapStatus> {
    const name = 'getIntent';
    const path = this.#wording.path(`/intents/${pathMember(name, 'intent_id', intentId)}`);
    return this.#caller.call({ name, method: 'GET', path }, readIntentStatus);
  }

  /** Polls the status of an intent until it is final, and returns it. */
  async follow(intentId: string, options: FollowOptions<SwapStatus> = {}): Promise<SwapStatus> {
    return followed(async () => this.getIntent(intentId), this.#pauses, options);
  }

  /** GET `/v1/swaps`, only in the newest dialect. Throws `request-invalid` in the others. */
  async getSwaps(query: SwapsQuery = {}): Promise<readonly SwapSummary[]> {
    const name = 'getSwaps';
    if (!this.#wording.isNewest) {
      throw invalid(name, 'the list of swaps is of the newest dialect alone', 'dialect');
    }
    const path = this.#wording.path('/swaps');
    const given = queryOf(checked(name, swapsArguments, query));
    return this.#caller.call({ name, method: 'GET', path, query: given }, readSwaps);
  }

  /** Ends unfinished calls, and all connections. */
  async close(): Promise<void> {
    this.#pauses.close(CLOSED);
    await this.#caller.close();
  }
}

const CLOSED = new MillraceError('unreachable', 'Nothing was sent: the client is closed.');

/** The quote request of an intent request, without the user's address. */
const quoteRequestOf = ({
  from: { address: _from, public_key: _key, ...from },
  to: { address: _to, ...to },
  amount,
  slippage_bps,
}: SwapIntentRequest): SwapQuoteRequest => ({ from, to, amount, slippage_bps });

/** Every request is signed when it leaves, with a unique nonce. */
const doorOf = ({ apiKey, key, scheduler }: ResolvedSwapSettings): SwapSurface => ({
  headers: (parts) =>
    signedHeaders(parts, {
      apiKey,
      privateKey: key,
      seconds: Math.floor(scheduler.now() / US_PER_SECOND),
      nonce: systemUuid(),
    }),
  secretHeaders: [CREDENTIALS.signature],
  words: executionErrorBody,
});
