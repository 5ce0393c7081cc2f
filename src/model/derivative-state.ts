import { FUNDING, INDEX, MARK, OPEN_INTEREST, type EventColumns } from './events.ts';

/** Changes of a derivative by a row, as bits beside those of `InstrumentState`. */
export const MARKED = 64;
export const INDEXED = 128;
export const FUNDED = 256;
export const OPENED = 512;

/** A number from a row, with the times it was received and stamped; NaN before the first. */
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

/** False before the first row with a number. */
export const isReported = ({ whole }: ReportedNumber): boolean => !Number.isNaN(whole);

/** Latest derivative data of a venue. Nothing is allocated. */
export class DerivativeState {
  readonly mark: ReportedNumber = unreported();
  readonly index: ReportedNumber = unreported();
  readonly funding: ReportedNumber = unreported();
  readonly openInterest: ReportedNumber = unreported();
  /**
   * Time of the next funding, and its distance from the payment before or after it; 0 if unknown.
   */
  fundingAt = 0;
  fundingPeriodUs = 0;

  /**
   * Applies a row; returns its changes. A mark or index price that is not above zero is ignored.
   */
  take(columns: EventColumns, row: number): number {
    const kind = columns.kind[row];
    if (kind === MARK) return isPrice(columns, row) ? keep(this.mark, columns, row, MARKED) : 0;
    if (kind === INDEX) return isPrice(columns, row) ? keep(this.index, columns, row, INDEXED) : 0;
    if (kind === FUNDING) return this.#fund(columns, row);
    if (kind !== OPEN_INTEREST) return 0;
    keep(this.openInterest, columns, row, OPENED);
    // The whole lots of a quantity are in the size column, as in all rows.
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
