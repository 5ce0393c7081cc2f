import { brief, Decimal, ZERO } from '../../../../model/decimal.ts';
import { MillraceError, type Warn } from '../../../../model/errors.ts';
import { RIGHTS } from '../../../../wire/trading/rights.ts';
import { ServiceError } from '../../../http/service-error.ts';
import type { TradingClient } from '../../client/client.ts';

export interface DerivativesFundsSetup {
  readonly rest: TradingClient['rest'];
  readonly warn: Warn;
}

type FundingSource = 'spot' | 'derivatives';

/** The key lacks the permission. */
const FORBIDDEN = 1003;
/** The spot balance is too low. */
const INSUFFICIENT = 20001;

/**
 * The derivatives balance, from which futures accounts are funded, and the spot balance, which is the only one
 * that a strategy sees. Nothing is moved but what a setting needs, and what it gave free:
 *
 * - A setting that needs funds brings them from spot, less what was to go back there. What lies in derivatives
 *   beside that is used where the spot balance does not cover the rest: a strategy's money is that of spot.
 * - What a setting gave free goes back to spot, and so does what was brought for one that came to nothing.
 *   What could not be brought back is tried again with the next setting, or used by it.
 *
 * Amounts are moved in the steps that the service takes: more than is missing by less than a step, and less
 * than is free by less than one, which the next setting uses.
 */
export class DerivativesFunds {
  readonly #setup: DerivativesFundsSetup;
  /** Amounts that should go back to spot and did not, by currency; of this process. */
  readonly #owed = new Map<string, Decimal>();
  /** Steps of transfers, by currency. */
  readonly #steps = new Map<string, Decimal>();

  constructor(setup: DerivativesFundsSetup) {
    this.#setup = setup;
  }

  async available(currency: string): Promise<Decimal> {
    const { available } = await this.#setup.rest.getFuturesBalance({ currency });
    return available;
  }

  /**
   * Moves the missing part of an amount from spot; returns the moved amount. Throws the error of a failure.
   */
  async bring(currency: string, amount: Decimal): Promise<Decimal> {
    const there = await this.available(currency);
    const owed = Decimal.min(this.#owed.get(currency) ?? ZERO, there);
    const moved = await this.#bringFromSpot(
      currency,
      amount.minus(owed),
      there,
      amount.minus(there),
    );
    // Amounts due to spot are used instead, as far as needed.
    this.#owe(currency, amount.negated());
    return Decimal.max(ZERO, moved);
  }

  /**
   * Moves the requested amount or, if the spot balance is lower, at least the missing one; returns the
   * moved amount.
   */
  async #bringFromSpot(
    currency: string,
    wanted: Decimal,
    before: Decimal,
    least: Decimal,
  ): Promise<Decimal> {
    const step = await this.#step(currency);
    const moved = wanted.toNearest(step, Decimal.ROUND_CEIL);
    if (!moved.greaterThan(0)) return ZERO;
    try {
      await this.#move(currency, moved, 'spot', 'derivatives');
      return moved;
    } catch (error) {
      if (isForbidden(error)) throw withoutRight(error);
      if (isUnknown(error)) {
        // The outcome of the transfer is unknown: the balance shows it.
        const there = await this.available(currency);
        if (there.greaterThanOrEqualTo(before.plus(moved))) return moved;
      }
      if (!isInsufficient(error) || least.equals(wanted)) throw error;
    }
    return await this.#bringFromSpot(currency, least, before, least);
  }

  /** Something lies in derivatives that is to go back to spot with the next setting, if it is there then. */
  owe(currency: string, amount: Decimal): void {
    this.#owe(currency, amount);
  }

  /** Moves the amount that became available since a read back to spot, at most `most`, and earlier dues. */
  async releaseSince(currency: string, before: Decimal, most: Decimal): Promise<void> {
    await this.#goBack(currency, (available) =>
      Decimal.max(ZERO, Decimal.min(available.minus(before), most)),
    );
  }

  /** Moves an amount and earlier dues back to spot. */
  async release(currency: string, amount: Decimal): Promise<void> {
    await this.#goBack(currency, () => amount);
  }

  /** A failure is logged, and retried with the next setting: the setting itself was answered. */
  async #goBack(currency: string, freed: (available: Decimal) => Decimal): Promise<void> {
    try {
      const step = await this.#step(currency);
      const there = await this.available(currency);
      this.#owe(currency, freed(there));
      const owed = this.#owed.get(currency) ?? ZERO;
      const amount = Decimal.min(owed, there).toNearest(step, Decimal.ROUND_FLOOR);
      if (!amount.greaterThan(0)) return;
      await this.#return(currency, amount, there);
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      this.#warn(currency, error);
    }
  }

  async #return(currency: string, amount: Decimal, before: Decimal): Promise<void> {
    try {
      await this.#move(currency, amount, 'derivatives', 'spot');
    } catch (error) {
      // The outcome of the transfer is unknown: the balance shows it.
      if (!isUnknown(error)) throw error;
      const there = await this.available(currency);
      if (there.greaterThan(before.minus(amount))) throw error;
    }
    this.#owed.delete(currency);
  }

  #owe(currency: string, amount: Decimal): void {
    const owed = (this.#owed.get(currency) ?? ZERO).plus(amount);
    if (owed.greaterThan(0)) this.#owed.set(currency, owed);
    else this.#owed.delete(currency);
  }

  async #step(currency: string): Promise<Decimal> {
    const known = this.#steps.get(currency);
    if (known !== undefined) return known;
    const { precision_transfer: step } = await this.#setup.rest.getCurrency({ currency });
    this.#steps.set(currency, step);
    return step;
  }

  async #move(
    currency: string,
    amount: Decimal,
    source: FundingSource,
    destination: FundingSource,
  ): Promise<void> {
    await this.#setup.rest.transfer({ currency, amount, source, destination });
  }

  #warn(currency: string, cause: MillraceError): void {
    const owed = this.#owed.get(currency);
    const what = owed === undefined ? `Funds in ${currency}` : `${brief(owed)} ${currency}`;
    this.#setup.warn(
      new MillraceError(
        cause.code,
        `${what} of a futures account may lie in the derivatives balance and did not come back to spot: ${cause.message} The next setting of a futures account brings them back or uses them; they can be moved by hand.`,
        { cause },
      ),
    );
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof ServiceError && error.serviceCode === FORBIDDEN;

const isUnknown = (error: unknown): boolean =>
  error instanceof MillraceError && error.code === 'outcome-unknown';

const isInsufficient = (error: unknown): boolean =>
  error instanceof ServiceError && error.serviceCode === INSUFFICIENT;

const withoutRight = (cause: unknown): MillraceError =>
  new MillraceError(
    'request-invalid',
    `The key may not move funds from spot to derivatives, where those of futures come from: give it the right "${RIGHTS.payment}", or move them by hand first.`,
    { field: 'key', cause },
  );
