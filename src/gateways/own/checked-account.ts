import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { idOf, symbolOf, type OrderRequest } from '../../model/order-request.ts';
import type { NonSpotBalanceSource } from '../../model/non-spot-balance.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { AccountListener, ConnectionState, AccountSnapshot, VenueAccount, VenueMargin } from '../venue-account.ts'; // prettier-ignore
import {
  checkedInstruments,
  checkedSnapshot,
  marginReportFault,
  reportFault,
} from './account-forms.ts';

/**
 * An account of a user's gateway. Its reports are validated: an invalid one is not passed on, and from then
 * on the account counts as disconnected, since the report is missing. A request whose sending throws has an
 * unknown outcome.
 */
export class CheckedAccount implements VenueAccount {
  readonly #path: string;
  readonly #account: VenueAccount;
  readonly #services: { readonly scheduler: Scheduler; readonly log: Log };
  #instruments: readonly Instrument[] = [];
  #listener: AccountListener | undefined;
  #isFaulty = false;

  constructor(
    path: string,
    account: VenueAccount,
    services: { readonly scheduler: Scheduler; readonly log: Log },
  ) {
    this.#path = path;
    this.#account = account;
    this.#services = services;
  }

  /** Those that were there when the account was opened. */
  get instruments(): readonly Instrument[] {
    return this.#instruments;
  }

  get margin(): VenueMargin | undefined {
    return this.#account.margin;
  }

  get nonSpotBalances(): NonSpotBalanceSource | undefined {
    return this.#account.nonSpotBalances;
  }

  /**
   * Throws `answer-invalid` for invalid instruments, and `unreachable` for any error but a MillraceError.
   */
  async open(listener: AccountListener): Promise<void> {
    this.#listener = listener;
    try {
      await this.#account.open({
        report: (report) => {
          if (this.#isSound('report', reportFault(report))) listener.report(report);
        },
        margin: (report) => {
          if (this.#isSound('margin report', marginReportFault(report))) listener.margin(report);
        },
        connectionState: (connectionState, why) => this.#connectionState(connectionState, why),
      });
    } catch (cause) {
      if (cause instanceof MillraceError) throw cause;
      const sentence = `The gateway by ${this.#path} cannot open its account: ${errorText(cause)}.`;
      throw new MillraceError('unreachable', sentence, { where: this.#path, cause });
    }
    this.#instruments = checkedInstruments(this.#path, this.#account.instruments);
  }

  send(request: OrderRequest): void {
    try {
      // An async function returns a promise anyway.
      const account = this.#account as { send(sent: OrderRequest): unknown };
      const sent = account.send(request);
      if (sent instanceof Promise)
        sent.catch((error: unknown) => this.#unknownOutcome(request, error));
    } catch (error) {
      const { scheduler } = this.#services;
      scheduler.at(scheduler.now(), () => this.#unknownOutcome(request, error));
    }
  }

  async snapshot(since: Micros, open?: readonly string[]): Promise<AccountSnapshot> {
    return checkedSnapshot(this.#path, await this.#account.snapshot(since, open));
  }

  /** Throws `answer-invalid` unless it is a whole number. */
  async clockSkewUs(): Promise<number> {
    const skewUs = await this.#account.clockSkewUs();
    if (Number.isSafeInteger(skewUs)) return skewUs;
    const sentence = `What the gateway by ${this.#path} gives as clockSkewUs is no whole number of microseconds.`;
    throw new MillraceError('answer-invalid', sentence, { where: this.#path });
  }

  async close(): Promise<void> {
    this.#listener = undefined;
    await this.#account.close();
  }

  #connectionState(connectionState: ConnectionState, why?: string): void {
    if (this.#isFaulty) return;
    this.#listener?.connectionState(connectionState, why === undefined ? undefined : sanitize(why));
  }

  /** True for what has no fault; of the first fault on nothing is believed to be all that there is. */
  #isSound(what: string, fault: string | undefined): boolean {
    if (fault === undefined) return this.#listener !== undefined;
    const why = `the gateway by ${this.#path} sent a ${what} that is none: ${fault}`;
    this.#services.log.warn(`Nothing is sent any more: ${why}. Fix the module and restart.`);
    this.#connectionState('lost', why);
    this.#isFaulty = true;
    return false;
  }

  /** It may have left before it threw. */
  #unknownOutcome(request: OrderRequest, error: unknown): void {
    const { scheduler, log } = this.#services;
    log.warn(
      `The gateway by ${this.#path} threw as it sent a ${request.kind}: ${errorText(error)}`,
    );
    this.#listener?.report({
      kind: 'outcome-unknown',
      at: scheduler.now(),
      request: request.kind,
      clientOrderId: idOf(request),
      symbol: symbolOf(request),
    });
  }
}

const errorText = (error: unknown): string =>
  sanitize(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
