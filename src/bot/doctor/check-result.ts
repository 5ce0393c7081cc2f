export type Verdict = 'ok' | 'warn' | 'fail';

/** Result of a check, and what to do about it. */
export interface CheckResult {
  readonly check: string;
  /** The account or strategy that it is about. */
  readonly about?: string | undefined;
  readonly verdict: Verdict;
  readonly message: string;
  readonly advice?: string | undefined;
}

/** Results of one check about one subject. */
export const checker = (check: string, about?: string) => ({
  ok: (message: string): CheckResult => ({ check, about, verdict: 'ok', message }),
  warn: (message: string, advice: string): CheckResult => ({
    check,
    about,
    verdict: 'warn',
    message,
    advice,
  }),
  fail: (message: string, advice: string): CheckResult => ({
    check,
    about,
    verdict: 'fail',
    message,
    advice,
  }),
});
