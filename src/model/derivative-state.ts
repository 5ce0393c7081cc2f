import { FUNDING, INDEX, MARK, OPEN_INTEREST, type EventColumns } from './events.ts';

/** What a row changed of a derivative, as bits beside those of `InstrumentState`. */
export const MARKED = 64;
export const INDEXED = 128;
export const FUNDED = 256;
export const OPENED = 512;

/** A number as its row has it, and when that was received and stamped; NaN until there was one. */
export interface ReportedNumber {
  receivedAt: number;
  stampedAt: number;
  whole: number;
  rest: number;
}

const unreported = (): ReportedNumber => ({
  receivedAt: Number.NaN,
  stampedAt: Number.NaN,
  whole: Number.NaN,
  rest: Number.NaN,
});

/** False until a row has said a number. */
export const isReported = ({ whole }: ReportedNumber): boolean => !Number.isNaN(whole);

/** What a venue says of a derivative beside its market, as it was said last. Nothing is allocated. */
export class DerivativeState {
  readonly mark: ReportedNumber = unreported();
  readonly index: ReportedNumber = unreported();
  readonly funding: ReportedNumber = unreported();
  readonly openInterest: ReportedNumber = unreported();
  /** When the rate is paid, and how far that is from the payment before or after it; 0 where not known. */
  fundingAt = 0;
  fundingPeriodUs = 0;

  /** Takes a row in; gives what it changed. A mark or index price that is not above zero is none. */
  take(columns: EventColumns, row: number): number {
    const kind = columns.kind[row];
    if (kind === MARK) return isPrice(columns, row) ? keep(this.mark, columns, row, MARKED) : 0;
    if (kind === INDEX) return isPrice(columns, row) ? keep(this.index, columns, row, INDEXED) : 0;
    if (kind === FUNDING) return this.#fund(columns, row);
    if (kind !== OPEN_INTEREST) return 0;
    keep(this.openInterest, columns, row, OPENED);
    // Of a quantity the whole lots stand where those of all rows do.
    this.openInterest.whole = columns.size[row];
    this.openInterest.rest = columns.price[row];
    return OPENED;
  }

  #fund(columns: EventColumns, row: number): number {
    const at = columns.askPrice[row];
    const nextAt = columns.askSize[row];
    if (at !== 0 && nextAt > at) this.fundingPeriodUs = nextAt - at;
    else if (this.fundingAt !== 0 && at > this.fundingAt) {
      this.fundingPeriodUs = at - this.fundingAt;
    }
    this.fundingAt = at;
    return keep(this.funding, columns, row, FUNDED);
  }
}

const isPrice = ({ price, size }: EventColumns, row: number): boolean => price[row] + size[row] > 0;

function keep(
  reported: ReportedNumber,
  columns: EventColumns,
  row: number,
  changes: number,
): number {
  reported.receivedAt = columns.receivedAt[row];
  reported.stampedAt = columns.stampedAt[row];
  reported.whole = columns.price[row];
  reported.rest = columns.size[row];
  return changes;
}
