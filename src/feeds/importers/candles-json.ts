import { BarSurvey, writeBars, type RawBar } from './bars.ts';
import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from './contract.ts';
import { eachJsonRow } from './json-rows.ts';
import { viewOf } from './lines.ts';
import { malformed, messageOf, shown } from './malformed.ts';
import { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { namedMarket, symbolOfFile } from './symbol.ts';
import { readTime } from './timestamp.ts';

/** Candles as rows of numbers in JSON, or as Bitstamp answers. */
export const candlesJson: Format = { name: 'candles-json', scan, write };

const ROW = '[time ms, open, high, low, close, volume]';
/** Bitstamp answers a thousand candles at most. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const OBJECT = 0x7b;

type VisitBar = (at: number, bar: RawBar) => void;

/** The first byte of a file that is not white space. */
async function beginsWith(sources: ImportSources, file: string): Promise<number | undefined> {
  for await (const chunk of sources.chunks(file)) {
    const byte = chunk.find((code) => code > 0x20);
    if (byte !== undefined) return byte;
  }
  return undefined;
}

async function eachBar(
  sources: ImportSources,
  options: ImportOptions,
  position: RowPosition,
  visit: VisitBar,
): Promise<string | undefined> {
  let pair: string | undefined;
  for (const file of sources.files) {
    position.file = file;
    position.line = 1;
    if ((await beginsWith(sources, file)) === OBJECT) {
      const its = await eachAnswered(sources, file, position, visit);
      if (pair !== undefined && its !== pair) {
        throw position.malformed(
          `candles of ${its} after those of ${pair}`,
          'files of one instrument',
        );
      }
      pair = its;
      continue;
    }
    await eachJsonRow(sources, file, position, (texts) => {
      const [time, open, high, low, close, volume] = texts;
      const at = readTime(time ?? '', options.timeUnit);
      if (texts.length < 6 || at === undefined) {
        throw position.malformed(`the row ${shown(JSON.stringify(texts))}`, ROW);
      }
      visit(at, { open, high, low, close, volume });
    });
  }
  return pair;
}

/** The answer of Bitstamp: `{"data":{"pair":"BTC/USD","ohlc":[{"timestamp":"…","open":"…",…}]}}`. */
async function eachAnswered(
  sources: ImportSources,
  file: string,
  position: RowPosition,
  visit: VisitBar,
): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of sources.chunks(file)) {
    pieces.push(viewOf(chunk));
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw malformed(file, 'more than 16 MiB of JSON', 'one answer');
  }
  const { ohlc, pair } = answerOf(Buffer.concat(pieces).toString('utf8'), file);
  for (const [index, row] of ohlc.entries()) {
    position.line = index + 1;
    const { timestamp, open, high, low, close, volume } = row as Readonly<Record<string, unknown>>;
    const at = typeof timestamp === 'string' ? readTime(timestamp, 's') : undefined;
    if (at === undefined) {
      throw position.malformed(`the candle ${shown(JSON.stringify(row))}`, 'text with a timestamp');
    }
    visit(at, { open, high, low, close, volume });
  }
  return pair;
}

function answerOf(
  text: string,
  file: string,
): { readonly ohlc: readonly unknown[]; readonly pair: string } {
  const expected = '{"data":{"pair":"BTC/USD","ohlc":[…]}}';
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw malformed(file, `it is no JSON (${messageOf(cause)})`, expected, cause);
  }
  const data = (answer as { readonly data?: unknown } | null)?.data;
  const { ohlc, pair } = (data ?? {}) as { readonly ohlc?: unknown; readonly pair?: unknown };
  const isRows =
    Array.isArray(ohlc) && ohlc.every((row) => typeof row === 'object' && row !== null);
  if (isRows && typeof pair === 'string') return { ohlc, pair };
  throw malformed(file, 'the JSON has no candles', expected);
}

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const position = new RowPosition();
  const seen = new BarSurvey(position);
  let count = 0;
  const answered = await eachBar(sources, options, position, (at, bar) => {
    seen.see(at, bar);
    count += 1;
  });
  if (count === 0) throw position.malformed('no candle in the files', 'at least one');
  if (seen.unordered > 0) {
    throw position.malformed('the candles are not in the order of their times', 'the oldest first');
  }
  return {
    layout: 'candles',
    period: options.period ?? seen.period,
    ...namedMarket(answered ?? symbolOfFile(sources.files[0])),
    tickSize: options.tickSize ?? seen.tickSize,
    quantityIncrement: options.quantityIncrement ?? seen.quantityIncrement,
    notes: [
      'A candle counts as received when its period ends.',
      ...(answered === undefined
        ? []
        : ['Bitstamp fills periods without a trade with the last price and volume 0.']),
    ],
  };
}

async function write(writing: ImportWriting): Promise<Partial<ImportCounts>> {
  const position = new RowPosition();
  return writeBars(writing, position, async (visit) => {
    await eachBar(writing.sources, writing.options, position, visit);
  });
}
