import { readFile } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import { CompressionType, setCompressionCodec, tableFromIPC, type Table } from '@uwdata/flechette';
import { unpackLz4 } from '../arrow/lz4-frame.ts';
import { BarSurvey, writeBars, type RawBar } from './bars.ts';
import { BAR_COLUMNS, ColumnNames, namesOf, TRADE_COLUMNS } from './columns.ts';
import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from './contract.ts';
import { EventImport, type TextEvent } from './event-import.ts';
import { Precision } from './grid.ts';
import { malformed, messageOf, shown } from './malformed.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { namedMarket, symbolOfFile } from './symbol.ts';
import { readTime } from './timestamp.ts';
import { readSide } from './trades.ts';

/** Candles and trades in the Feather files of freqtrade and pandas. */
export const feather: Format = { name: 'feather', scan, write };

const BYTES_MAX = 2 ** 31;

const refused = (): never => {
  throw new TypeError('Nothing is packed here.');
};
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode: refused });
setCompressionCodec(CompressionType.ZSTD, {
  decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
  encode: refused,
});

type Column = (row: number) => unknown;

/** The columns of a file, each read by the number of the row. */
interface Columns {
  readonly rows: number;
  readonly names: ColumnNames;
  column(index: number): Column;
}

async function tableOf(sources: ImportSources, file: string): Promise<Columns> {
  const path = sources.onDisk(file);
  let table: Table;
  try {
    const bytes = await readFile(path);
    if (bytes.length > BYTES_MAX) throw new RangeError('it is larger than 2 GiB');
    table = tableFromIPC(bytes, { useBigInt: true, useBigIntTimestamp: true });
    sources.advance(bytes.length);
  } catch (cause) {
    throw malformed(file, `it cannot be read (${messageOf(cause)})`, 'a whole Feather file', cause);
  }
  return {
    rows: table.numRows,
    names: new ColumnNames(table.names),
    column: (index) => {
      const column = table.getChildAt(index);
      const { type } = column;
      const unit = 'unit' in type ? UNITS[type.unit] : undefined;
      return (row) => {
        const value: unknown = column.at(row);
        return unit !== undefined && typeof value === 'bigint'
          ? Number(unit < 1n ? value / 1_000n : value * unit)
          : value;
      };
    },
  };
}

/** Microseconds in a second, a millisecond, a microsecond; nanoseconds are a thousandth. */
const UNITS: readonly bigint[] = [1_000_000n, 1_000n, 1n, 0n];

const isBars = ({ names }: Columns, options: ImportOptions): boolean =>
  (['open', 'high', 'low', 'close'] as const).every(
    (field) => names.find(namesOf(BAR_COLUMNS, field, options)) >= 0,
  );

const textOf = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
    ? String(value)
    : '';

/** A column as text, and a time as microseconds if the file has it as a time. */
function reader(table: Columns, options: ImportOptions, position: RowPosition) {
  const column = (names: readonly string[]): Column =>
    table.column(table.names.need(names, position));
  const timed = (names: readonly string[]) => {
    const index = table.names.need(names, position);
    const read = table.column(index);
    return (row: number): number => {
      const value = read(row);
      const at = typeof value === 'number' ? value : readTime(textOf(value), options.timeUnit);
      if (at !== undefined && Number.isSafeInteger(at)) return at;
      throw position.malformed(`the time ${shown(textOf(value))}`, 'a timestamp, or a number');
    };
  };
  return { column, timed };
}

function eachBar(
  table: Columns,
  options: ImportOptions,
  position: RowPosition,
  visit: (at: number, bar: RawBar) => void,
): void {
  const { column, timed } = reader(table, options, position);
  const at = timed(namesOf(BAR_COLUMNS, 'timestamp', options));
  const [open, high, low, close, volume] = (
    ['open', 'high', 'low', 'close', 'volume'] as const
  ).map((field) => column(namesOf(BAR_COLUMNS, field, options)));
  for (let row = 0; row < table.rows; row += 1) {
    position.line = row + 1;
    visit(at(row), {
      open: textOf(open(row)),
      high: textOf(high(row)),
      low: textOf(low(row)),
      close: textOf(close(row)),
      volume: textOf(volume(row)),
    });
  }
}

function eachTrade(
  table: Columns,
  options: ImportOptions,
  position: RowPosition,
  visit: (event: TextEvent) => void,
): void {
  const { column, timed } = reader(table, options, position);
  const at = timed(namesOf(TRADE_COLUMNS, 'timestamp', options));
  const price = column(namesOf(TRADE_COLUMNS, 'price', options));
  const size = column(namesOf(TRADE_COLUMNS, 'size', options));
  const maybe = (field: 'id' | 'side'): Column => {
    const index = table.names.find(namesOf(TRADE_COLUMNS, field, options));
    return index < 0 ? () => '' : table.column(index);
  };
  const [id, side] = [maybe('id'), maybe('side')];
  for (let row = 0; row < table.rows; row += 1) {
    position.line = row + 1;
    const time = at(row);
    visit({
      receivedAt: time,
      stampedAt: time,
      id: textOf(id(row)),
      side: readSide(textOf(side(row)), position),
      price: textOf(price(row)),
      size: textOf(size(row)),
    });
  }
}

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const position = new RowPosition();
  const [price, size] = [new Precision(), new Precision()];
  const bars = new BarSurvey(position);
  let [holdsBars, previous, rising, unordered] = [false, Number.NEGATIVE_INFINITY, 0, 0];
  for (const [index, file] of sources.files.entries()) {
    position.file = file;
    const table = await tableOf(sources, file);
    const its = isBars(table, options);
    if (index > 0 && its !== holdsBars) {
      throw malformed(file, 'it holds other rows than the file before', 'candles, or trades');
    }
    holdsBars = its;
    if (its) eachBar(table, options, position, (at, bar) => bars.see(at, bar));
    else {
      eachTrade(table, options, position, (event) => {
        const { receivedAt } = event;
        if (receivedAt < previous) unordered += 1;
        else rising += 1;
        previous = receivedAt;
        if (price.see(event.price) && size.see(event.size)) return;
        throw position.malformed(
          `price ${shown(event.price)}, amount ${shown(event.size)}`,
          'numbers',
        );
      });
    }
  }
  const market = namedMarket(symbolOfFile(sources.files[0]));
  if (holdsBars) {
    return {
      ...market,
      layout: 'candles',
      period: options.period ?? bars.period,
      tickSize: options.tickSize ?? bars.tickSize,
      quantityIncrement: options.quantityIncrement ?? bars.quantityIncrement,
      isUnordered: bars.unordered > 0,
      notes: ['A candle counts as received when its period ends.'],
    };
  }
  return {
    ...market,
    layout: 'events',
    tickSize: price.hasSeen ? price.step : undefined,
    quantityIncrement: size.hasSeen ? size.step : undefined,
    isUnordered: unordered > 0,
    isFalling: unordered > 0 && rising <= 1,
    notes: ['The files hold no time of receipt; the stamp of a trade stands for it.'],
  };
}

async function write(writing: ImportWriting): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  const { sources, options, findings } = writing;
  if (findings.period !== undefined) {
    return writeBars(writing, position, async (visit) => {
      for (const file of sources.files) {
        position.file = file;
        eachBar(await tableOf(sources, file), options, position, visit);
      }
    });
  }
  const events = new EventImport(writing, position);
  try {
    for (const file of sources.files) {
      position.file = file;
      events.begin({ rows: 'trades', columns: {} });
      eachTrade(await tableOf(sources, file), options, position, (event) => events.takeText(event));
    }
    events.finish();
    return events.counts();
  } finally {
    events.close();
  }
}
