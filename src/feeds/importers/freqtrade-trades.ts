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
import { RowPosition } from './row-position.ts';
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

function readTrade(texts: readonly (string | null)[], position: RowPosition): Trade {
  const [time, id, , side, price, size] = texts;
  if (texts.length < 6 || price === null || size === null) {
    throw position.malformed(`the row ${shown(JSON.stringify(texts))}`, ROW);
  }
  const at = readTime(time ?? '', 'ms');
  if (at === undefined) throw position.malformed(`the time ${shown(time ?? 'null')}`, ROW);
  return {
    at,
    sequence: sequenceOf(id ?? ''),
    side: readSide(side ?? '', position),
    price,
    size,
  };
}

async function eachTrade(
  sources: ImportSources,
  position: RowPosition,
  visit: (trade: Trade) => void,
): Promise<void> {
  for (const file of sources.files) {
    await eachJsonRow(sources, file, position, (texts) => {
      visit(readTrade(texts, position));
    });
  }
}

async function scan(sources: ImportSources, options: ImportOptions): Promise<ImportNotes> {
  const position = new RowPosition();
  const price = new Precision();
  const size = new Precision();
  let count = 0;
  if (options.tickSize === undefined || options.quantityIncrement === undefined) {
    await eachTrade(sources, position, (trade) => {
      count += 1;
      if (price.see(trade.price) && size.see(trade.size)) return;
      throw position.malformed(`price ${shown(trade.price)}, amount ${shown(trade.size)}`, ROW);
    });
    if (count === 0) throw position.malformed('no trade in the files', 'at least one');
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
  const position = new RowPosition();
  const trades = new TradeImport(instrument, sink, position);
  await eachTrade(sources, position, ({ at, sequence, side, price, size }) => {
    trades.take(at, at, sequence, side, price, size);
  });
  return trades.counts();
}
