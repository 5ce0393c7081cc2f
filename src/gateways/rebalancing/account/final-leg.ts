import type { Decimal } from '../../../model/decimal.ts';
import { micros, type Micros } from '../../../platform/time.ts';
import type {
  TransferData,
  TransferChange,
  TransferRecord,
  Step,
} from '../../../swaps/execution/transfer-route.ts';
import { decimalIn, numberIn } from '../data.ts';
import type { Balance, Funds } from './funds.ts';

/**
 * The last step of an incoming amount: from the balance where it arrives to the one where the account keeps
 * its inventory. It has arrived in any case, so a failure here does not fail the transfer.
 */
export class FinalLeg {
  readonly #funds: Funds;
  readonly #currency: string;
  readonly #from: Balance;
  readonly #home: Balance;

  constructor(funds: Funds, currency: string, from: Balance, home: Balance) {
    this.#funds = funds;
    this.#currency = currency;
    this.#from = from;
    this.#home = home;
  }

  /** Effect of an arrival on its transfer. `at` is its time by the clock of the service. */
  arrived(amount: Decimal, data: TransferData, at: Micros): TransferChange {
    if (this.#from === this.#home) return { state: 'fulfilled', data, arrived: amount };
    return { state: 'deposited', data: { ...data, came: amount.toFixed(), cameAt: at } };
  }

  next({ data }: TransferRecord): Step | undefined {
    if (typeof data['came'] !== 'string') return undefined;
    const step = { currency: this.#currency, amount: data['came'], to: this.#home };
    return { name: 'bringHome', data: step, pays: false };
  }

  async perform({ data }: TransferRecord): Promise<TransferChange> {
    const arrived = decimalIn(data, 'came');
    await this.#funds.bring(this.#home, this.#currency, arrived);
    return { state: 'fulfilled', arrived };
  }

  async recall({ data }: TransferRecord): Promise<TransferChange | 'undone'> {
    const arrived = decimalIn(data, 'came');
    const since = micros(numberIn(data, 'cameAt'));
    const done = await this.#funds.wasBrought(this.#home, this.#currency, arrived, since);
    return done ? { state: 'fulfilled', arrived } : 'undone';
  }
}
