import type {
  ImportNotes,
  Format,
  ImportCounts,
  ImportOptions,
  ImportWriting,
} from './contract.ts';
import { Precision } from './grid.ts';
import { eachJsonRow } from './json-rows.ts';
import { shown } from './malformed.ts';
import { RowPosition } from './place.ts';
import type { ImportSources } from './source.ts';
import { splitSymbol, symbolOfFile } from './symbol.ts';
import { readTime } from './timestamp.ts';
import { readSide, sequenceOf, TradeImport, type Aggressor } from './trades.ts';

/** The trades that freqtrade downloads, in its JSON form. */
export const freqtradeTrades: Format = { name: 'freqtrade-trades', scan, write };

interface Trade {
  readonly at: number;
  readonly sequence: number;
  readonly side: Aggressor;
  readonly price: string;
  readonly size: string;
}

const ROW = '[time ms, "id", type, "buy" or "sell", price, amount, cost]';

function readTrade(texts: readonly (string | null)[], place: RowPosition): Trade {
  const [time, id, , side, price, size] = texts;
  if (texts.length < 6 || price === null || size === null) {
    throw place.malformed(`the row ${shown(JSON.stringify(texts))}`, ROW);
  }
  const at = readTime(time ?? '', 'ms');
  if (at === undefined) throw place.malformed(`the time ${shown(time ?? 'null')}`, ROW);
  return {
    at,
    sequence: sequenceOf(id ?? ''),
    side: readSide(side ?? '', place),
    price,
    size,
  };
}

async function eachTrade(
  sources: ImportSources,
  place: RowPosition,
  visit: (trade: Trade) => void,
): Promise<void> {
  for (const file of sources.files) {
    await eachJsonRow(sources, file, place, (texts) => {
      visit(readTrade(texts, place));
    });
  }
}

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const place = new RowPosition();
  const price = new Precision();
  const size = new Precision();
  let count = 0;
  if (options.tickSize === undefined || options.quantityIncrement === undefined) {
    await eachTrade(sources, place, (trade) => {
      count += 1;
      if (price.see(trade.price) && size.see(trade.size)) return;
      throw place.malformed(`price ${shown(trade.price)}, amount ${shown(trade.size)}`, ROW);
    });
    if (count === 0) throw place.malformed('no trade in the files', 'at least one');
  }
  const pair = symbolOfFile(sources.files[0]);
  const parts = pair === undefined ? undefined : splitSymbol(pair);
  return {
    layout: 'events',
    // `XRP_ETH-trades.json.gz` holds XRP/ETH; symbols have no separator between base and quote.
    symbol: parts === undefined ? pair : `${parts.baseCurrency}${parts.quoteCurrency}`,
    parts,
    tickSize: price.step,
    quantityIncrement: size.step,
    notes: ['The files hold no time of receipt; the stamp of a trade stands for it.'],
  };
}

async function write({ sources, instrument, sink }: ImportWriting): Promise<Partial<ImportCounts>> {
  const place = new RowPosition();
  const trades = new TradeImport(instrument, sink, place);
  await eachTrade(sources, place, ({ at, sequence, side, price, size }) => {
    trades.take(at, at, sequence, side, price, size);
  });
  return trades.counts();
}
