import type { Decimal } from '../../../model/decimal.ts';
import type { Rejection } from '../../../model/rejections.ts';
import type { Micros } from '../../../platform/time.ts';
import { floorTo, findMovement, rejectionIn, type AccountService } from './service.ts';

/** The two balances of an account with inventory: one for withdrawals and deposits, one for trades. */
export type Balance = 'wallet' | 'spot';

const other = (balance: Balance): Balance => (balance === 'wallet' ? 'spot' : 'wallet');

/**
 * Moves money of an account to the balance where it is needed. Such a movement has no id to find it by, but
 * moves nothing to anybody else: making it twice is never a loss.
 */
export class Funds {
  readonly #rest: AccountService;

  constructor(rest: AccountService) {
    this.#rest = rest;
  }

  /** True if an amount of a currency is available. */
  async has(balance: Balance, currency: string, amount: Decimal): Promise<boolean> {
    return (await this.#available(balance, currency)).greaterThanOrEqualTo(amount);
  }

  /**
   * Fills a balance up from the other one to an amount. Repeated, it moves no more than is missing. Returns
   * the rejection of the service if there is not enough.
   */
  async gather(
    balance: Balance,
    currency: string,
    amount: Decimal,
  ): Promise<Rejection | undefined> {
    const missing = amount.minus(await this.#available(balance, currency));
    if (missing.lessThanOrEqualTo(0)) return undefined;
    const step = await this.#precision(currency);
    // Up: a step less would not do.
    const moved = floorTo(missing, step);
    const enough = moved.equals(missing) ? moved : moved.plus(step);
    return this.#transfer(balance, currency, enough);
  }

  /** Moves an amount that arrived in the other balance here; a rest below the transfer step stays. */
  async bring(balance: Balance, currency: string, amount: Decimal): Promise<void> {
    const moved = floorTo(amount, await this.#precision(currency));
    // Rejected if it is gone: somebody has moved it already.
    if (moved.greaterThan(0)) await this.#transfer(balance, currency, moved);
  }

  /** True if an amount was moved here since then. */
  async wasBrought(
    balance: Balance,
    currency: string,
    amount: Decimal,
    since: Micros,
  ): Promise<boolean> {
    const moved = floorTo(amount, await this.#precision(currency));
    const subtype = balance === 'spot' ? 'WALLET_TO_SPOT' : 'SPOT_TO_WALLET';
    const found = await findMovement(
      this.#rest,
      { type: 'TRANSFER', currency, since },
      (row) =>
        row.subtype === subtype &&
        row.created_at >= since &&
        row.native?.amount.equals(moved) === true,
    );
    return moved.isZero() || found !== undefined;
  }

  async #available(balance: Balance, currency: string): Promise<Decimal> {
    const { available } =
      balance === 'wallet'
        ? await this.#rest.getWalletBalance({ currency })
        : await this.#rest.getSpotBalance({ currency });
    return available;
  }

  async #precision(currency: string): Promise<Decimal> {
    const { precision_transfer } = await this.#rest.getCurrency({ currency });
    return precision_transfer;
  }

  async #transfer(
    destination: Balance,
    currency: string,
    amount: Decimal,
  ): Promise<Rejection | undefined> {
    const source = other(destination);
    try {
      await this.#rest.transfer({ currency, amount, source, destination });
      return undefined;
    } catch (error) {
      return rejectionIn(error);
    }
  }
}
