import { MillraceError } from '../../model/errors.ts';
import { US_PER_SECOND } from '../../platform/time.ts';
import type {
  AgreedTerms,
  ApprovalSigner,
  SignedApproval,
} from '../../swaps/approvals/approval.ts';
import { rawNumber } from '../../wire/json.ts';
import { AFFILIATE_KEY, AFFILIATE_PREFIX } from '../../wire/swaps/affiliate/requests.ts';
import { refuseExtraArguments } from '../http/extra-arguments.ts';
import { refuseNoObject } from '../http/unknown-members.ts';
import { ClockWaits } from '../http/clock-waits.ts';
import type { ResolvedHttpSettings } from '../http/settings.ts';
import { invalid } from '../http/invalid.ts';
import { approved, type ApproveOptions } from './approving.ts';
import {
  affiliateIntentArguments,
  bestQuoteArguments,
  checked,
  checkedApproval,
  historyArguments,
  pathMember,
  queryOf,
  tokensArguments,
  type AffiliateIntentRequest,
  type BestQuoteRequest,
  type HistoryQuery,
  type TokensQuery,
} from './arguments.ts';
import { SwapCaller } from './caller.ts';
import type { FollowOptions } from '../http/following.ts';
import { followed } from './following.ts';
import { checkFreshness, isFresh } from './freshness.ts';
import {
  readAffiliateApproval,
  readAffiliateIntent,
  readAffiliateNetworks,
  readAffiliateStatus,
  readAffiliateTokens,
  readBestQuote,
  readHistory,
  type AffiliateHistory,
  type AffiliateIntent,
  type AffiliateQuote,
  type AffiliateStatus,
  type AffiliateTokens,
} from './reading/affiliate.ts';
import type { SwapNetwork } from './reading/execution.ts';
import { resolveAffiliateSettings } from './resolve-settings.ts';
import type { AffiliateClientSettings } from './settings.ts';
import { SigningRules } from './signing.ts';
import { affiliateErrorBody } from './words.ts';

/** The Affiliate surface of the swap service: every call, with a key that goes with it. */
export class AffiliateSwapClient {
  static {
    const reading = { isLive: 0, getNetworks: 0, getTokens: 1, getBestQuote: 1 } as const;
    const swapping = { freshQuote: 3, createIntent: 1, addApproval: 2, approve: 4 } as const;
    const rest = { getStatus: 1, follow: 2, getHistory: 1, close: 0 } as const;
    refuseExtraArguments(AffiliateSwapClient, { ...reading, ...swapping, ...rest });
  }

  readonly #settings: ResolvedHttpSettings;
  readonly #caller: SwapCaller;
  readonly #pauses: ClockWaits;
  readonly #rules: SigningRules;

  /** Opens no connection yet. Throws `config-invalid` for settings of no use. */
  constructor(settings: AffiliateClientSettings) {
    this.#settings = resolveAffiliateSettings(settings);
    const headers = { [AFFILIATE_KEY]: settings.apiKey };
    this.#caller = new SwapCaller(this.#settings, {
      headers: () => headers,
      secretHeaders: [AFFILIATE_KEY],
      words: affiliateErrorBody,
    });
    this.#pauses = new ClockWaits(this.#settings.scheduler);
    this.#rules = new SigningRules(settings, this.#settings.scheduler);
  }

  /** Address of the service. */
  get url(): string {
    return this.#settings.origin;
  }

  /** GET `/v1/system/live`: false if the service answers that it has issues. */
  async isLive(): Promise<boolean> {
    return this.#caller.isWell('isLive', '/v1/system/live');
  }

  /** GET `/affiliate/v1/networks`. */
  async getNetworks(): Promise<readonly SwapNetwork[]> {
    const path = `${AFFILIATE_PREFIX}/networks`;
    return this.#caller.call({ name: 'getNetworks', method: 'GET', path }, readAffiliateNetworks);
  }

  /** GET `/affiliate/v1/tokens`. */
  async getTokens(query: TokensQuery = {}): Promise<AffiliateTokens> {
    const name = 'getTokens';
    const path = `${AFFILIATE_PREFIX}/tokens`;
    const given = queryOf(checked(name, tokensArguments, query));
    return this.#caller.call({ name, method: 'GET', path, query: given }, readAffiliateTokens);
  }

  /** POST `/affiliate/v1/quotes/best`. */
  async getBestQuote(request: BestQuoteRequest): Promise<AffiliateQuote> {
    const name = 'getBestQuote';
    const given = checked(name, bestQuoteArguments, request);
    const { amount, swap_type = 'standard' } = given;
    const body = { ...given, swap_type, amount: rawNumber(amount.toFixed()) };
    const path = `${AFFILIATE_PREFIX}/quotes/best`;
    return this.#caller.call({ name, method: 'POST', path, body }, readBestQuote);
  }

  /**
   * A usable quote: the given one, or a new one if it has expired or is about to within `marginUs` (1 s). A
   * new one may have another price: check it before it is used.
   */
  async freshQuote(
    request: BestQuoteRequest,
    quote: AffiliateQuote | undefined,
    marginUs: number = US_PER_SECOND,
  ): Promise<AffiliateQuote> {
    checkFreshness(quote, marginUs);
    const now = this.#settings.scheduler.now();
    return quote !== undefined && isFresh(quote.expiry, now, marginUs)
      ? quote
      : this.getBestQuote(request);
  }

  /**
   * POST `/affiliate/v1/intents`. It moves no money, so another quote may be requested and tried if its
   * outcome is unknown: an unapproved intent expires.
   */
  async createIntent(request: AffiliateIntentRequest): Promise<AffiliateIntent> {
    const name = 'createIntent';
    const body = checked(name, affiliateIntentArguments, request);
    const path = `${AFFILIATE_PREFIX}/intents`;
    return this.#caller.call({ name, method: 'POST', path, body }, readAffiliateIntent);
  }

  /** POST `/affiliate/v1/intents/{intent_id}/approvals`: hands over what was signed. */
  async addApproval(
    intentId: string,
    signed: SignedApproval,
  ): Promise<{ readonly intent_id: string }> {
    const name = 'addApproval';
    const path = `${AFFILIATE_PREFIX}/intents/${pathMember(name, 'intent_id', intentId)}/approvals`;
    const body = approvalBody(checkedApproval(signed));
    return this.#caller.call({ name, method: 'POST', path, body }, readAffiliateApproval);
  }

  /**
   * Signs an intent and sends the approval, once it matches the agreement. Throws `approval-refused` if it
   * does not, or has an unknown form: then nothing was signed.
   */
  async approve(
    intent: AffiliateIntent,
    agreed: AgreedTerms,
    signer: ApprovalSigner,
    options: ApproveOptions = {},
  ): Promise<void> {
    refuseNoObject('approve', 'intent', intent);
    const asked = { form: intent.approval_mechanism, params: intent.params_to_sign };
    const deadline = intent.deadline_secs;
    const { intent_id } = intent;
    await approved(
      { intent: intent_id, asked, agreed, deadline, signer, rules: this.#rules },
      options,
      async (signed) => this.addApproval(intent.intent_id, signed),
    );
  }

  /** GET `/affiliate/v1/intents/{intent_id}/status`. */
  async getStatus(intentId: string): Promise<AffiliateStatus> {
    const name = 'getStatus';
    const path = `${AFFILIATE_PREFIX}/intents/${pathMember(name, 'intent_id', intentId)}/status`;
    return this.#caller.call({ name, method: 'GET', path }, readAffiliateStatus);
  }

  /** Polls the status of an intent until it is final, and returns it. */
  async follow(
    intentId: string,
    options: FollowOptions<AffiliateStatus> = {},
  ): Promise<AffiliateStatus> {
    return followed(async () => this.getStatus(intentId), this.#pauses, options);
  }

  /** GET `/affiliate/v1/swaps/history`, of wallets or of a retail user. */
  async getHistory(query: HistoryQuery): Promise<AffiliateHistory> {
    const name = 'getHistory';
    const given = checked(name, historyArguments, query);
    if ((given.wallet ?? []).length === 0 && given.retail_id === undefined) {
      throw invalid(name, 'it needs a wallet or a retail_id', 'wallet');
    }
    const path = `${AFFILIATE_PREFIX}/swaps/history`;
    return this.#caller.call({ name, method: 'GET', path, query: queryOf(given) }, readHistory);
  }

  /** Ends unfinished calls, and all connections. */
  async close(): Promise<void> {
    this.#pauses.close(new MillraceError('unreachable', 'Nothing was sent: the client is closed.'));
    await this.#caller.close();
  }
}

function approvalBody(signed: SignedApproval): object {
  switch (signed.form) {
    case 'permit2':
      return { type: 'permit2', signed_data: signed.signature };
    case 'htlc':
      return { type: 'psbt', signed_data: signed.psbt };
    case 'cosign': {
      const data = { transaction: signed.transaction, user_address: signed.userAddress };
      return { type: 'cosign', signed_data: data };
    }
  }
}
