import { micros } from '../../../platform/time.ts';
import type { CodeQuestion } from './code.ts';
import { resolvePolicy, type ResolvedPolicy } from './resolve.ts';

/** Rules of a signature, besides the agreement. */
export interface Signing {
  readonly policy: ResolvedPolicy;
  /** The witness's name of the destination network, if that is not its `network_id`. */
  readonly witnessId: string | undefined;
  /** Inputs of a code check, without those read from the data. */
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
