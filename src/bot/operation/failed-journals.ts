import { errorText, MillraceError } from '../../model/errors.ts';
import { scopeName } from '../risk/states.ts';
import type { BotParts } from './parts.ts';

const BACK = 'Its journals are at their place and can be written again.';
const RESUME = ' Once it can be, "millrace resume" lets trading go on.';

/**
 * Halts the bot while a journal cannot be written, and resumes it when all can be again: nothing was lost
 * meanwhile. A damaged journal waits for an operator, and so does one of an account whose `autoResume` is
 * `none`.
 */
export class FailedJournals {
  readonly #parts: BotParts;
  /** Names of the accounts whose journals failed in a way that passes. */
  readonly #passing = new Set<string>();
  #needsResume = false;

  constructor(parts: BotParts) {
    this.#parts = parts;
  }

  /** Without a journal only cancels are sent; open orders stay open. `account` owns the journal. */
  failed(error: unknown, account?: string): void {
    const { states, log } = this.#parts;
    const isHeld = states.passing('bot').includes('journal');
    if (!isHeld) this.#forget();
    const passes = account !== undefined && this.#passes(account, error);
    if (passes) this.#passing.add(account);
    else this.#needsResume = true;
    const found = errorText(error);
    const why = `The journal cannot be written, so nothing but cancels is sent: ${found}${passes ? '' : RESUME}`;
    if (states.own('bot') === 'running') log.warn(why);
    // Not stored: a start that can write its journal continues.
    const transition = states.tighten('bot', 'halted', why, 'journal');
    if (transition === undefined) return;
    log.info(`${scopeName('bot')} is ${transition.to}: ${why}`, { scope: 'bot', state: transition.to }); // prettier-ignore
  }

  /** Checks whether the failed journals can be written again; called about every second. */
  poll(): void {
    const { states, log, accounts } = this.#parts;
    if (this.#needsResume || !states.passing('bot').includes('journal')) return;
    try {
      for (const { account } of accounts) {
        if (!this.#passing.has(account.name)) continue;
        account.journal.proof.checkWritable();
        account.journal.flush();
      }
    } catch {
      // Why it cannot be written was logged when it failed.
      return;
    }
    this.#forget();
    const transition = states.lift('bot', 'journal', BACK);
    if (transition === undefined) return;
    const { to } = transition;
    log.info(`${scopeName('bot')} is ${to} again: ${BACK}`, { scope: 'bot', state: to });
  }

  #forget(): void {
    this.#passing.clear();
    this.#needsResume = false;
  }

  #passes(name: string, error: unknown): boolean {
    if (!(error instanceof MillraceError && error.code === 'journal-unwritable')) return false;
    // While an account opens, its journal is there and its market is not.
    const context = this.#parts.accounts.find(({ account }) => account.name === name);
    return (context?.account.risk.limits.autoResume?.size ?? 0) > 0;
  }
}
