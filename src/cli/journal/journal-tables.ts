import { join } from 'node:path';
import { JournalReader } from '../../bot/journal/reader.ts';
import { writeCsv } from '../../backtest/csv.ts';
import type { FillRow, OrderRow } from '../../backtest/result.ts';
import { RUN_COLUMNS, type RunField } from '../../backtest/run-tables.ts';
import type { Order } from '../../model/order.ts';
import { isoTime, micros } from '../../platform/time.ts';
import { absentTables, type Exported } from '../../research/export/run-export.ts';

/** The source of a row, for merging tables of several journals. */
interface Owner {
  readonly account: string;
  readonly strategy: string;
}

/** An order by the columns of a run, and its present state. */
type JournalOrderRow = Owner &
  Omit<OrderRow, 'status'> & { readonly status: OrderRow['status'] | Order['status'] };

/** Changes of a currency by the fills and transfers of a strategy. */
interface HoldingRow extends Owner {
  readonly currency: string;
  readonly change: string;
}

const OWNER = ['account', 'strategy'] as const satisfies readonly RunField[];

/**
 * Writes the orders, fills and holdings of a journal; its bot may be running. Throws the errors of the
 * journal and the disk.
 */
export async function exportJournal(
  path: string,
  form: 'csv' | 'parquet',
  into: string,
): Promise<Exported> {
  const write =
    form === 'csv' ? writeCsv : (await import('../../backtest/parquet.ts')).writeRunParquet;
  const files = ['orders', 'fills', 'holdings'].map((name) => `${name}.${form}`);
  const [orders, fills, holdings] = files.map((file) => join(into, file));
  const reader = JournalReader.open(path);
  try {
    write(orders, [...OWNER, ...RUN_COLUMNS.orders], orderRows(reader));
    write(fills, [...OWNER, ...RUN_COLUMNS.fills], fillRows(reader));
    write(holdings, [...OWNER, 'currency', 'change'], holdingRows(reader));
  } finally {
    reader.close();
  }
  return {
    files,
    absent: absentTables(files, form),
    notes: [
      'A journal keeps ended orders as long as journal.retention says; older ones are not in it.',
      'Tables are read one after the other: of a running bot, fills may be newer than orders.',
      'change is what fills and transfers changed of a currency since the journal began.',
    ],
  };
}

const always = micros(0);

function* orderRows(reader: JournalReader): Iterable<JournalOrderRow> {
  for (const { order, instrument } of reader.orders(always)) {
    yield {
      account: reader.account,
      strategy: order.strategy,
      sentAt: isoTime(order.requestedAt),
      triggeredAt: null,
      endedAt: order.endedAt === undefined ? null : isoTime(order.endedAt),
      symbol: order.symbol,
      order: order.clientOrderId,
      replaces: order.replaces ?? null,
      list: order.orderListId ?? null,
      contingencyType: order.contingencyType ?? null,
      listIndex: order.listIndex ?? null,
      side: order.side,
      type: order.type,
      timeInForce: order.timeInForce,
      price: order.ticks === undefined ? null : instrument.price(order.ticks).toFixed(),
      stopPrice: order.stopTicks === undefined ? null : instrument.price(order.stopTicks).toFixed(),
      takeRate: order.takeRate?.toFixed() ?? null,
      makeRate: order.makeRate?.toFixed() ?? null,
      size: instrument.size(order.lots).toFixed(),
      filled: instrument.size(order.filledLots).toFixed(),
      // As a run calls it; the journal knows a replaced order as canceled.
      status:
        order.replacedBy !== undefined && order.status === 'canceled' ? 'replaced' : order.status,
    };
  }
}

function* fillRows(reader: JournalReader): Iterable<Owner & FillRow> {
  for (const { order, instrument } of reader.orders(always)) {
    for (const fill of reader.fills(order.clientOrderId)) {
      yield {
        account: reader.account,
        strategy: fill.strategy,
        at: isoTime(fill.at),
        symbol: fill.symbol,
        side: fill.side,
        price: instrument.price(fill.ticks).toFixed(),
        size: instrument.size(fill.lots).toFixed(),
        fee: fill.fee.toFixed(),
        feeCurrency: fill.feeCurrency,
        taker: fill.taker,
        order: fill.clientOrderId,
        id: fill.id,
        ...(fill.margin && { margin: fill.margin }),
      };
    }
  }
}

function* holdingRows(reader: JournalReader): Iterable<HoldingRow> {
  for (const { strategy, currency, change } of reader.holdings()) {
    yield { account: reader.account, strategy, currency, change: change.toFixed() };
  }
}
