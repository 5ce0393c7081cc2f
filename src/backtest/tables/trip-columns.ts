import type { Instrument } from '../../model/instrument.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import { quotientText } from '../metrics/quotient.ts';
import type { RoundTrip } from '../metrics/round-trips.ts';
import type { TradeRow } from '../result.ts';
import { marginCode, marginOf } from './margin-code.ts';
import { NumberTable } from './number-table.ts';
import { RowTable } from './row-table.ts';

const OPENED_AT = 0;
const CLOSED_AT = 1;
const PLACE = 2;
const LOTS = 3;
const ENTRY_VALUE = 4;
const EXIT_VALUE = 6;
const FEES = 8;
const MAE = 10;
const MFE = 12;
/** Instrument and side as one number. */
const WORDS = 14;
/** Margin mode, and how the venue closed it, as one number. */
const MARGIN = 15;
const WIDTH = 16;

/** Finished round trips of a run, as numbers until they are read. */
export class TripColumns {
  readonly #table = new NumberTable(WIDTH);
  readonly #instruments: Instrument[] = [];
  readonly #codes = new Map<Instrument, number>();

  /** Adds a finished trip. */
  add(trip: RoundTrip): void {
    const table = this.#table;
    const row = table.add();
    table.set(row, OPENED_AT, trip.openedAt);
    table.set(row, CLOSED_AT, trip.closedAt);
    table.set(row, PLACE, trip.index);
    table.set(row, LOTS, trip.lots);
    table.setAmount(row, ENTRY_VALUE, trip.entryValue);
    table.setAmount(row, EXIT_VALUE, trip.exitValue);
    table.setAmount(row, FEES, trip.fees);
    table.setAmount(row, MAE, trip.mae);
    table.setAmount(row, MFE, trip.mfe);
    table.set(row, MARGIN, marginCode(trip));
    table.set(row, WORDS, 2 * this.#codeOf(trip.instrument) + (trip.side === 'long' ? 0 : 1));
  }

  /** In the order of their ends, at one time by index. */
  table(limit: number): RowTable<TradeRow> {
    const order = this.#order();
    return new RowTable(this.#table.length, limit, (index) =>
      this.#row(order === undefined ? index : order[index]),
    );
  }

  #codeOf(instrument: Instrument): number {
    const known = this.#codes.get(instrument);
    if (known !== undefined) return known;
    const code = this.#instruments.push(instrument) - 1;
    this.#codes.set(instrument, code);
    return code;
  }

  /**
   * The sorted rows, `undefined` if they are sorted already, as those of one symbol nearly always
   * are.
   */
  #order(): Uint32Array | undefined {
    // Sorting reads at random, and its keys may be on disk.
    const [closedAt, place] = [CLOSED_AT, PLACE].map((field) =>
      Float64Array.from({ length: this.#table.length }, (_, row) => this.#table.get(row, field)),
    );
    const compare = (a: number, b: number): number =>
      closedAt[a] - closedAt[b] || place[a] - place[b];
    let isInOrder = true;
    for (let row = 1; row < closedAt.length && isInOrder; row += 1) {
      isInOrder = compare(row - 1, row) < 0;
    }
    if (isInOrder) return undefined;
    return Uint32Array.from({ length: closedAt.length }, (_, row) => row).sort(compare);
  }

  #row(row: number): TradeRow {
    const table = this.#table;
    const words = table.get(row, WORDS);
    const instrument = this.#instruments[words >> 1];
    const isLong = (words & 1) === 0;
    const size = instrument.lotAmount.timesCount(table.get(row, LOTS));
    const entryValue = table.amount(row, ENTRY_VALUE);
    const exitValue = table.amount(row, EXIT_VALUE);
    const fees = table.amount(row, FEES);
    const gross = isLong ? exitValue.minus(entryValue) : entryValue.minus(exitValue);
    const net = gross.minus(fees);
    return {
      symbol: instrument.symbol,
      side: isLong ? 'long' : 'short',
      ...marginOf(table.get(row, MARGIN)),
      openedAt: isoTime(table.get(row, OPENED_AT) as Micros),
      closedAt: isoTime(table.get(row, CLOSED_AT) as Micros),
      size: size.toFixed(),
      entryPrice: quotientText(entryValue, size),
      exitPrice: quotientText(exitValue, size),
      fees: fees.toFixed(),
      net: net.toFixed(),
      return: net.toNumber() / entryValue.toNumber(),
      mae: table.amount(row, MAE).toFixed(),
      mfe: table.amount(row, MFE).toFixed(),
    };
  }
}
