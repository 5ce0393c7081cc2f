import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';
import type { AgreedTerms, ApprovalForm } from '../../swaps/approvals/approval.ts';
import type { SigningCheck, SigningPolicy } from '../../swaps/approvals/policy/policy.ts';
import {
  loosenedBounds,
  resolvePolicy,
  type ResolvedPolicy,
} from '../../swaps/approvals/policy/resolve.ts';
import type { Signing } from '../../swaps/approvals/policy/signing.ts';
import { boundedTerms } from '../../swaps/approvals/policy/terms.ts';

/** What a client may sign, and the listener for loosened rules. */
export interface SigningSettings {
  /**
   * What may be signed for this service; if absent, only agreed content in the shape of the simulated
   * venue.
   */
  readonly signing?: SigningPolicy | undefined;
  /**
   * Called once, when the client is made, for each bound of `signing` that is looser than the default; a
   * warning of the process if absent.
   */
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** The names of those settings. */
export const SIGNING_SETTINGS = { signing: true, warn: true } as const satisfies Readonly<
  Record<keyof SigningSettings, true>
>;

/** The warnings for a policy's user; throws `config-invalid` for an invalid policy. */
export const signingWarnings = (policy: SigningPolicy | undefined): readonly string[] =>
  loosenedBounds(resolvePolicy(policy)).map(
    (bound) => `The signing policy of the swap service is loosened: ${bound}.`,
  );

/** The policy of a client. Throws `config-invalid`; warns of loosened rules. */
export class SigningRules {
  readonly #policy: ResolvedPolicy;
  readonly #scheduler: Scheduler;

  constructor({ signing, warn = warnProcess }: SigningSettings, scheduler: Scheduler) {
    this.#policy = resolvePolicy(signing);
    this.#scheduler = scheduler;
    for (const sentence of signingWarnings(signing)) warn(sentence);
  }

  /**
   * Checks the agreement against the bounds, and returns the rules for signing. Throws `approval-refused`.
   */
  of(
    agreed: AgreedTerms,
    form: ApprovalForm,
    params: Readonly<Record<string, unknown>>,
  ): { readonly terms: AgreedTerms; readonly signing: Signing } {
    const now = this.#scheduler.now();
    const policy = this.#policy;
    return {
      terms: boundedTerms(agreed, form, policy, now),
      signing: {
        policy,
        witnessId: policy.networks.get(String(agreed.destination.network))?.witnessId,
        question: { check: this.#inTime(policy.check), params, now },
      },
    };
  }

  /** The same check with a timeout: an intent does not wait for it. */
  #inTime(check: SigningCheck | undefined): SigningCheck | undefined {
    if (check === undefined) return undefined;
    return async (request) => {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const cancel = this.#scheduler.at(micros(this.#scheduler.now() + CHECK_US), () => {
        reject(new Error(`it did not answer within ${CHECK_US / US_PER_SECOND} s`));
      });
      try {
        return await Promise.race([check(request), late]);
      } finally {
        cancel();
      }
    };
  }
}

/** Timeout of a user's check of a signature. */
const CHECK_US = 10 * US_PER_SECOND;

const warnProcess = (sentence: string): void => {
  process.emitWarning(sentence, { code: 'MILLRACE_SIGNING' });
};
