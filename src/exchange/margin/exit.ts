import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { priceOnGrid } from '../../rules/grid.ts';
import type { SymbolStatuses } from '../state/symbol-status.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Admission } from '../stages/margin-check.ts';
import type { Hands } from './system-orders.ts';
import { positionUnknown } from '../../rules/margin/margin-setting.ts';

/** Which position is to be closed, and how. */
export interface PositionExit {
  readonly symbol: string;
  readonly mode: MarginMode;
  /** Limit price of an order that stays until it is filled; at the market where absent. */
  readonly price?: Decimal;
  /** True refuses a price off its grid; else it is brought to the nearest tick. */
  readonly strictValidate?: boolean;
}

/** Closes positions for their holders. */
export class Exit {
  readonly #instruments: readonly Instrument[];
  readonly #accounts: MarginAccounts;
  readonly #admission: Admission;
  readonly #hands: Hands;
  readonly #statuses: SymbolStatuses;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly accounts: MarginAccounts;
    readonly admission: Admission;
    readonly hands: Hands;
    readonly statuses: SymbolStatuses;
  }) {
    this.#instruments = setup.instruments;
    this.#accounts = setup.accounts;
    this.#admission = setup.admission;
    this.#hands = setup.hands;
    this.#statuses = setup.statuses;
  }

  /** Sends an order that reduces a position by all that it has. */
  close(trader: number, instrument: number, exit: PositionExit): Refusal | undefined {
    const { mode, price } = exit;
    const terms = this.#instruments[instrument];
    const refusal =
      this.#statuses.refusal(instrument) ??
      this.#admission.termsRefusal(trader, instrument, { mode });
    if (refusal !== undefined) return refusal;
    const position = this.#accounts.on(trader, instrument, mode)?.positions.get(instrument);
    if (position === undefined) return positionUnknown(terms.symbol);
    const grid = exit.strictValidate === true ? 'strict' : 'lenient';
    const ticks = price === undefined ? 0 : priceOnGrid(terms, price, grid);
    if (isRefusal(ticks)) return ticks;
    this.#hands.reduce(position, ticks, ticks === 0 ? 'IOC' : 'GTC', 0);
    return undefined;
  }
}
