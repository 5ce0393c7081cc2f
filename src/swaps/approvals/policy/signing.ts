import { micros } from '../../../platform/time.ts';
import type { CodeQuestion } from './code.ts';
import { resolvePolicy, type ResolvedPolicy } from './resolve.ts';

/** By what something is signed, beside what was agreed. */
export interface Signing {
  readonly policy: ResolvedPolicy;
  /** What a witness calls the network of the destination, where that is not its `network_id`. */
  readonly witnessId: string | undefined;
  /** What a check as code is asked, but for what was read of the data. */
  readonly question: Pick<CodeQuestion, 'check' | 'params' | 'now'>;
}

/** Nothing but what was agreed, in the shape of the simulated venue. */
export const strictSigning = (params: unknown): Signing => ({
  policy: resolvePolicy(),
  witnessId: undefined,
  question: {
    check: undefined,
    params: params as Readonly<Record<string, unknown>>,
    now: micros(0),
  },
});
