import { LAST, SELL, TRADE } from '../../model/events.ts';
import { isoTime, micros } from '../../platform/time.ts';
import { surveyed, WrongGuess, type ImportNotes } from './contract.ts';
import type { ImportCounts, ImportOptions, ImportWriting } from './contract.ts';
import type { TakePlain } from './csv.ts';
import { EventImport, type TextEvent } from './event-import.ts';
import { Precision } from './grid.ts';
import { eachLayoutRow, type LayoutVisit, type OpenFile } from './layout-files.ts';
import type { LayoutRows } from './layout-rows.ts';
import { malformed, shown } from './malformed.ts';
import { RowPosition } from './row-position.ts';
import { PlainRows, type IndexedColumn } from './plain-rows.ts';
import type { FileLayout } from './recognise.ts';
import type { ImportSources } from './source.ts';
import { Coverage, marketOf, notesOf } from './text-market.ts';
import { readSide, sequenceOf, type Aggressor } from './trades.ts';

/** Trades, or best bid and ask, as text, a row for each. */
export const eventsCsv = surveyed('events-csv', survey, write);

function readerOf(
  { file, rows }: OpenFile,
  options: ImportOptions,
  position: RowPosition,
): (fields: readonly string[]) => TextEvent {
  const stampedAt = rows.time('timestamp');
  const receivedAt = rows.index('received') < 0 ? undefined : rows.time('received');
  const id = rows.optional('id');
  const quoteSize = options.quoteSize ?? file.layout.quoteSize;
  const numbers =
    file.layout.rows === 'quotes'
      ? quoteOf(rows, quoteSize, position)
      : tradeOf(rows, file, position);
  return (fields) => {
    const stamped = stampedAt(fields);
    return {
      stampedAt: stamped,
      receivedAt: receivedAt?.(fields) ?? stamped,
      id: id?.(fields) ?? '',
      ...numbers(fields),
    };
  };
}

type ReadNumbers = (
  fields: readonly string[],
) => Pick<TextEvent, 'side' | 'price' | 'size' | 'ask' | 'askSize'>;

function tradeOf(rows: LayoutRows, file: FileLayout, position: RowPosition): ReadNumbers {
  const [price, size] = [rows.number('price'), rows.number('size')];
  const side = sideOf(rows, file, position);
  if (file.layout.isSigned !== true) {
    return (fields) => ({ side: side(fields), price: price(fields), size: size(fields) });
  }
  return (fields) => {
    const signed = size(fields);
    const isSell = signed.startsWith('-');
    return {
      side: isSell ? 'sell' : 'buy',
      price: price(fields),
      size: isSell ? signed.slice(1) : signed,
    };
  };
}

/** A side without an order has no size, and its price has no meaning. */
function quoteOf(
  rows: LayoutRows,
  quoteSize: string | undefined,
  position: RowPosition,
): ReadNumbers {
  const [bid, ask] = [rows.number('bid'), rows.number('ask')];
  const sizeOf = (field: 'bidSize' | 'askSize') => {
    if (rows.index(field) >= 0) return rows.number(field);
    if (quoteSize !== undefined) return () => quoteSize;
    throw position.malformed(
      'the file has bids and asks and no sizes',
      'one size for all of them, with --quote-size: at 0 nothing would ever be filled',
    );
  };
  const [bidSize, askSize] = [sizeOf('bidSize'), sizeOf('askSize')];
  return (fields) => {
    const [price, askPrice] = [bid(fields), ask(fields)];
    return {
      side: undefined,
      price: price === '' ? '0' : price,
      size: price === '' ? '0' : bidSize(fields),
      ask: askPrice === '' ? '0' : askPrice,
      askSize: askPrice === '' ? '0' : askSize(fields),
    };
  };
}

/** A file's words for the aggressor's side. */
function sideOf(
  rows: LayoutRows,
  { layout }: FileLayout,
  position: RowPosition,
): (fields: readonly string[]) => Aggressor {
  const [side, buyerMade] = [rows.optional('side'), rows.optional('buyerMade')];
  const { sides } = layout;
  if (side !== undefined && sides !== undefined) {
    return (fields) => {
      const word = side(fields);
      if (sides.buy.includes(word)) return 'buy';
      if (sides.sell.includes(word)) return 'sell';
      return readSide(word === 'N' ? '' : word, position);
    };
  }
  if (side !== undefined) return (fields) => readSide(side(fields), position);
  if (buyerMade === undefined) return () => undefined;
  return (fields) => {
    const word = buyerMade(fields).toLowerCase();
    if (word === 'true' || word === '1') return 'sell';
    if (word === 'false' || word === '0') return 'buy';
    throw position.malformed(`is_buyer_maker ${shown(word)}`, 'true or false');
  };
}

/** Words of a side, those of a buyer first. */
const SIDE_WORDS = ['buy', 'Buy', 'BUY', 'B', 'sell', 'Sell', 'SELL', 'S'];
const MAKER_WORDS = ['false', 'False', 'FALSE', '0', 'true', 'True', 'TRUE', '1'];
const BUYERS = 4;

/** Fast path for trades whose numbers are on the grid. */
function plainReader(opened: OpenFile, events: EventImport): TakePlain | undefined {
  const { file, rows, symbol } = opened;
  const { layout, header } = file;
  if (layout.rows === 'quotes' || layout.sides !== undefined) return undefined;
  // An id that is no number is compared as text.
  const id = rows.index('id');
  if (id >= 0 && !file.rows.every((fields) => /^\d{1,15}$/.test(fields[id]))) return undefined;
  const time = { kind: 'time', unit: rows.timeUnit } as const;
  const hasSide = rows.index('side') >= 0;
  const hasMaker = !hasSide && rows.index('buyerMade') >= 0;
  const hasSymbol = symbol !== undefined && rows.index('symbol') >= 0;
  const columns: readonly (IndexedColumn | undefined)[] = [
    rows.indexed('timestamp', time),
    rows.indexed('price', { kind: 'steps', grid: events.priceGrid }),
    rows.indexed('size', { kind: 'steps', grid: events.sizeGrid }),
    ...(id >= 0 ? [rows.indexed('id', { kind: 'id' })] : []),
    ...(hasSide ? [rows.indexed('side', { kind: 'word', words: SIDE_WORDS })] : []),
    ...(hasMaker ? [rows.indexed('buyerMade', { kind: 'word', words: MAKER_WORDS })] : []),
    ...(hasSymbol ? [rows.indexed('symbol', { kind: 'word', words: [symbol] })] : []),
  ];
  const placed = columns.filter((column) => column !== undefined);
  if (placed.length < columns.length || rows.index('received') >= 0) return undefined;
  const plain = PlainRows.of(header.separator, header.columns.names.length, placed);
  if (plain === undefined) return undefined;
  const { values } = plain;
  const [idAt, sideAt] = [id >= 0 ? 3 : -1, hasSide || hasMaker ? (id >= 0 ? 4 : 3) : -1];
  return (bytes, from) => {
    const next = plain.read(bytes, from);
    if (next < 0) return next;
    const flags = sideAt >= 0 && values[sideAt] >= BUYERS ? SELL | LAST : LAST;
    if (sideAt < 0) events.unsidedTrades += 1;
    const sequence = idAt < 0 ? 0 : values[idAt];
    events.take(values[0], values[0], TRADE, flags, sequence, values[1], values[2], 0, 0, sequence);
    return next;
  };
}

const eachEvent = (
  { sources, options }: Pick<ImportWriting, 'sources' | 'options'>,
  position: RowPosition,
  visit: Omit<LayoutVisit<TextEvent>, 'kinds' | 'reader'>,
): Promise<void> =>
  eachLayoutRow(sources, options, position, {
    kinds: ['trades', 'quotes'],
    reader: (opened) => readerOf(opened, options, position),
    ...visit,
  });

/** Reads the first rows of each file. */
async function survey(
  sources: ImportSources,
  options: ImportOptions,
  most: number,
): Promise<ImportNotes> {
  const position = new RowPosition();
  const [price, size] = [new Precision(), new Precision()];
  const opened: OpenFile[] = [];
  const order = new RowOrder();
  let count = 0;
  await eachEvent({ sources, options }, position, {
    begin: (file) => {
      opened.push(file);
      count = 0;
      order.begin();
    },
    row: (event, { file }) => {
      count += 1;
      order.see(event, file.layout.byId === true);
      const { ask, askSize } = event;
      const isFine =
        price.see(event.price) &&
        size.see(event.size) &&
        (ask === undefined || price.see(ask)) &&
        (askSize === undefined || size.see(askSize));
      if (isFine) return count < most;
      throw position.malformed(
        `price ${shown(ask === undefined ? event.price : `${event.price}, ${ask}`)}, size ${shown(event.size)}`,
        'decimal numbers, zero or more',
      );
    },
  });
  const [{ file, symbol }] = opened;
  if (!price.hasSeen) throw malformed(sources.files.join(', '), 'no row in the files', 'some');
  order.refuseOverlap(sources.files);
  const market = marketOf(file, symbol, sources.files[0], options);
  return {
    layout: 'events',
    ...market,
    tickSize: options.tickSize ?? price.step,
    quantityIncrement: options.quantityIncrement ?? size.step,
    isUnordered: order.isUnordered,
    isFalling: order.isFalling,
    notes: [
      ...notesOf(opened),
      ...market.notes,
      ...(opened.some(({ rows }) => rows.index('received') >= 0)
        ? []
        : ['The files hold no time of receipt; the stamp of a row stands for it.']),
    ],
  };
}

/** Follows the order of rows, and from when to when each file is. */
class RowOrder {
  readonly #spans: { first: number; last: number; hasIds: boolean }[] = [];
  #at = Number.NEGATIVE_INFINITY;
  #id = 0;
  #rising = 0;
  isUnordered = false;

  begin(): void {
    const [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    this.#spans.push({ first, last, hasIds: false });
  }

  see({ receivedAt, id }: TextEvent, byId: boolean): void {
    const number = sequenceOf(id);
    const at = byId ? 0 : receivedAt;
    if (at > this.#at || (byId && number > this.#id)) this.#rising += 1;
    if (at < this.#at || (at === this.#at && number > 0 && number <= this.#id)) {
      this.isUnordered = true;
    }
    this.#at = at;
    this.#id = number;
    const span = this.#spans[this.#spans.length - 1];
    span.first = Math.min(span.first, receivedAt);
    span.last = Math.max(span.last, receivedAt);
    span.hasIds ||= id !== '';
  }

  /** The first row counts as rising. */
  get isFalling(): boolean {
    return this.isUnordered && this.#rising <= 1;
  }

  /** Throws if files with trades without ids overlap: some would be there twice. */
  refuseOverlap(files: readonly string[]): void {
    const spans = this.#spans
      .map((span, index) => ({ ...span, file: files[index] }))
      .filter(({ hasIds, first, last }) => !hasIds && first <= last)
      .toSorted((a, b) => a.first - b.first);
    for (const [index, span] of spans.entries()) {
      const before = spans[index - 1];
      if (index === 0 || span.first >= before.last) continue;
      throw malformed(
        span.file,
        `it begins at ${isoTime(micros(span.first))}, before ${before.file} ends (${isoTime(micros(before.last))}); trades without ids may be equal and both true`,
        'files that follow each other; cut one of them by time',
      );
    }
  }
}

async function write(writing: ImportWriting): Promise<Partial<ImportCounts>> {
  const { sources, findings } = writing;
  const position = new RowPosition();
  const events = new EventImport(writing, position);
  const coverage = new Coverage();
  const names = new Set<string | undefined>();
  try {
    await eachEvent(writing, position, {
      begin: ({ file, symbol }) => {
        names.add(symbol);
        events.begin(file.layout);
      },
      row: (event) => {
        events.takeText(event);
        return true;
      },
      end: ({ file: { layout } }, file) => {
        coverage.check(file, layout, events.firstAt, events.lastAt);
      },
      plain: (opened) => plainReader(opened, events),
    });
    // Each file's rows are of the symbol in its own first rows.
    if (names.size > 1 && findings.isGuess === true) throw new WrongGuess();
    if (names.size > 1) {
      throw malformed(
        sources.files.join(', '),
        `files of ${[...names].join(' and ')}`,
        'one instrument',
      );
    }
    events.finish();
    return { ...events.counts(), partialFiles: coverage.partialFiles };
  } finally {
    events.close();
  }
}
