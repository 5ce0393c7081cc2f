import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Rejection } from '../../model/rejections.ts';

/** Names of the trading service; `clearing` is the settlement of a futures. */
export type SymbolStatus = 'working' | 'suspended' | 'clearing';

/**
 * Which symbols take orders. A symbol that is not working takes no new order, list or replacement;
 * active orders stay, can be canceled, expire, and execute against the recorded market.
 */
export class SymbolStatuses {
  declare private readonly instruments: readonly Instrument[];
  declare private readonly statuses: SymbolStatus[];
  /** 1 for each instrument that takes spot orders now. */
  declare private readonly open: Uint8Array;

  constructor(instruments: readonly Instrument[]) {
    this.instruments = instruments;
    this.statuses = instruments.map(() => 'working');
    this.open = Uint8Array.from(instruments, ({ isContract }) => (isContract ? 0 : 1));
  }

  of(instrument: number): SymbolStatus {
    return this.statuses[instrument];
  }

  /** True if an instrument takes spot orders now; always false for a contract. */
  isOpen(instrument: number): boolean {
    return this.open[instrument] === 1;
  }

  /** Sets the status of a symbol. Throws `symbol-unknown`. */
  set(symbol: string, status: SymbolStatus): void {
    const instrument = this.instruments.findIndex((one) => one.symbol === symbol);
    if (instrument < 0) {
      throw new MillraceError('symbol-unknown', `There is no symbol ${symbol} here.`, {
        field: 'symbol',
      });
    }
    this.statuses[instrument] = status;
    const { isContract } = this.instruments[instrument];
    this.open[instrument] = status === 'working' && !isContract ? 1 : 0;
  }

  /** Why an instrument takes no order. */
  rejection(instrument: number): Rejection | undefined {
    const status = this.statuses[instrument];
    if (status === 'working') return undefined;
    return {
      code: 'symbol-suspended',
      field: 'symbol',
      message: `${this.instruments[instrument].symbol} is ${status} and takes no new orders; cancel is possible.`,
      limit: 'working',
    };
  }
}
