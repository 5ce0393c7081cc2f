import { MillraceError } from '../../model/errors.ts';
import { Instrument } from '../../model/instrument.ts';
import { isoTime, micros } from '../../platform/time.ts';
import { BarSurvey } from '../importers/bars.ts';
import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from '../importers/contract.ts';
import { Precision } from '../importers/grid.ts';
import { RowPosition } from '../importers/row-position.ts';
import type { ImportSources } from '../importers/source.ts';
import { symbolOfFile } from '../importers/symbol.ts';
import { EventWriter, invalid, word, type CandleEvent, type FeedEvent } from './event.ts';

/** An importer of one's own: how files of another format become events. */
export interface Importer {
  /** Stands in the recording as where it comes from. */
  readonly name: string;
  /**
   * The events of the files, oldest first. It is called twice, as the steps of prices and sizes have to be known
   * before the first is written, and has to give the same both times.
   */
  read(
    files: readonly string[],
    options: ImportOptions,
  ): Iterable<FeedEvent> | AsyncIterable<FeedEvent>;
}

/** Checks an importer. Throws `config-invalid` for what is none. */
export function defineImporter(importer: Importer): Importer {
  const given = importer as Partial<Importer> | null | undefined;
  if (
    typeof given !== 'object' ||
    given === null ||
    typeof given.name !== 'string' ||
    given.name === '' ||
    typeof given.read !== 'function'
  ) {
    throw new MillraceError(
      'config-invalid',
      'An importer is an object with a name and a function read, which gives the events of files.',
    );
  }
  return importer;
}

/** The importer as a format like the others. */
export const formatOf = (importer: Importer): Format => ({
  name: importer.name,
  scan: (sources, options) => scan(importer, sources, options),
  write: (writing) => write(importer, writing),
});

async function eachEvent(
  importer: Importer,
  sources: ImportSources,
  options: ImportOptions,
  visit: (event: FeedEvent, position: RowPosition) => void,
): Promise<void> {
  const position = new RowPosition();
  position.file = `events of ${importer.name}`;
  for await (const event of importer.read(sources.paths, options)) {
    position.line += 1;
    const given: unknown = event;
    if (typeof given !== 'object' || given === null) {
      throw invalid(`event ${position.line} of ${importer.name} is ${word(given)}`);
    }
    visit(event, position);
  }
}

async function scan(
  importer: Importer,
  sources: ImportSources,
  options: ImportOptions,
): Promise<ImportNotes> {
  const [price, size] = [new Precision(), new Precision()];
  let bars: BarSurvey | undefined;
  let [derivatives, isPerpetual, isEmpty] = [false, false, true];
  await eachEvent(importer, sources, options, (event, position) => {
    isEmpty = false;
    if (event.kind === 'candle') {
      bars ??= new BarSurvey(position);
      bars.see(startOf(event), event);
    }
    derivatives ||= DERIVATIVES.has(event.kind);
    isPerpetual ||= event.kind === 'funding';
    for (const text of pricesOf(event)) see(price, text);
    for (const text of sizesOf(event)) see(size, text);
  });
  if (isEmpty) throw invalid(`${importer.name} gave no event`);
  return {
    layout: bars === undefined ? 'events' : 'candles',
    ...(bars === undefined ? {} : { period: options.period ?? bars.period }),
    symbol: symbolOfFile(sources.files[0]),
    type: derivatives ? 'futures' : undefined,
    derivatives,
    isPerpetual,
    tickSize: price.hasSeen ? price.step : undefined,
    quantityIncrement: bars?.quantityIncrement ?? (size.hasSeen ? size.step : undefined),
    notes: [],
  };
}

async function write(
  importer: Importer,
  { sources, options, findings, instrument, sink }: ImportWriting,
): Promise<Partial<ImportCounts>> {
  const writer = new EventWriter(sink, new Instrument(instrument), findings.layout);
  const counts = new Map<FeedEvent['kind'], number>();
  let latest = Number.NEGATIVE_INFINITY;
  await eachEvent(importer, sources, options, (event, position) => {
    if (event.receivedAt < latest) {
      throw position.malformed(
        `an event was received at ${isoTime(micros(event.receivedAt))}, before the one ahead of it`,
        'events in the order in which they were received',
      );
    }
    writer.write(event);
    latest = event.receivedAt;
    counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
  });
  const count = (kind: FeedEvent['kind']): number => counts.get(kind) ?? 0;
  return {
    trades: count('trade'),
    quotes: count('quote'),
    levelChanges: count('level'),
    snapshots: count('reset'),
    candles: count('candle'),
    marks: count('mark'),
    indexes: count('index'),
    fundings: count('funding'),
    openInterests: count('open-interest'),
  };
}

const DERIVATIVES: ReadonlySet<unknown> = new Set(['mark', 'index', 'funding', 'open-interest']);

function startOf({ exchangeAt }: CandleEvent): number {
  if (typeof exchangeAt === 'number') return exchangeAt;
  throw invalid('exchangeAt is the start of the candle and is needed');
}

function see(precision: Precision, text: unknown): void {
  if (typeof text === 'string' && precision.see(text)) return;
  throw invalid(`${word(text)} is no decimal text of zero or more, such as "61837.63"`);
}

/** The numbers of an event that lie on the grid of prices. */
function pricesOf(event: FeedEvent): readonly unknown[] {
  switch (event.kind) {
    case 'trade':
    case 'level':
      return [event.price];
    case 'quote':
      return [event.bid, event.ask];
    case 'candle':
      return [event.open, event.high, event.low, event.close];
    default:
      return [];
  }
}

/** Those on the grid of sizes; the increment of candles is found otherwise. */
function sizesOf(event: FeedEvent): readonly unknown[] {
  if (event.kind === 'quote') return [event.bidSize, event.askSize];
  return event.kind === 'trade' || event.kind === 'level' ? [event.size] : [];
}
