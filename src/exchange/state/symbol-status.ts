import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Rejection } from '../../model/rejections.ts';

/** As the trading service names them; `clearing` is the settlement of a futures. */
export type SymbolStatus = 'working' | 'suspended' | 'clearing';

/**
 * Which symbols take orders. One that is not working takes no new order, list or replacement;
 * orders stay, can be canceled, expire, and execute with what a recorded market brings.
 */
export class SymbolStatuses {
  declare private readonly instruments: readonly Instrument[];
  declare private readonly statuses: SymbolStatus[];
  /** 1 of each instrument that takes spot orders now. */
  declare private readonly open: Uint8Array;

  constructor(instruments: readonly Instrument[]) {
    this.instruments = instruments;
    this.statuses = instruments.map(() => 'working');
    this.open = Uint8Array.from(instruments, ({ isContract }) => (isContract ? 0 : 1));
  }

  /** The status of an instrument. */
  of(instrument: number): SymbolStatus {
    return this.statuses[instrument];
  }

  /** True for an instrument that takes spot orders now: not for a contract, which has none. */
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
