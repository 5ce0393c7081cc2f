import type { AuditEvent } from '../engine/audit.ts';
import type { Unprotected } from '../engine/orders/protection.ts';
import type { AlgoOrder } from '../model/algo-order.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { Report } from '../model/report.ts';
import { isoTime, type Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import { failureLocation } from './failure-location.ts';
import { logged } from './log-fields.ts';
import type { OrderHistory } from './metrics/order-history.ts';
import { OrderMetrics } from './metrics/orders.ts';
import type { Performance } from './metrics/performance.ts';
import type { BacktestResult, FirstRows, LogRow } from './result.ts';
import type { RunHash } from './run-hash.ts';

/**
 * Records a run: decisions of the engine when it makes them, and events of the venue when they
 * happen.
 */
export class ResultRecorder {
  readonly orders = new OrderMetrics();
  readonly history: OrderHistory;
  /** How often protection ended before the holding was sold, and the first time. */
  readonly unprotected: { count: number; first: Unprotected | undefined } = {
    count: 0,
    first: undefined,
  };
  /** Symbols with a trailing stop. */
  readonly trailedSymbols = new Set<string>();
  /** Algo orders by id, in their last state. */
  readonly algoOrders = new Map<string, AlgoOrder>();
  /** Why the strategy was stopped, if it was. */
  failure: BacktestResult['failure'];
  readonly #performance: Performance;
  readonly #hash: RunHash;
  readonly #logs: LogRow[] = [];
  readonly #logLimit: number;
  readonly #strategyFile: string | undefined;
  #logCount = 0;

  constructor(
    performance: Performance,
    hash: RunHash,
    history: OrderHistory,
    logLimit: number,
    strategyFile?: string,
  ) {
    this.#strategyFile = strategyFile;
    this.history = history;
    this.#performance = performance;
    this.#hash = hash;
    this.#logLimit = logLimit;
  }

  get logs(): FirstRows<LogRow> {
    return { total: this.#logCount, rows: this.#logs };
  }

  /** Applies an audit event of the engine. */
  received(event: AuditEvent): void {
    switch (event.kind) {
      case 'command':
        this.#hash.command(event.at, event.command, event.held);
        for (const symbol of trailedBy(event.command)) this.trailedSymbols.add(symbol);
        break;
      case 'request':
        this.orders.request(event.request);
        this.history.request(event.at, event.request);
        this.#hash.request(event.at, event.request);
        break;
      case 'margin-request':
        this.#hash.marginRequest(event.at, event.request);
        break;
      case 'plot':
        this.#performance.plot(event.name, event.value);
        break;
      case 'log':
        this.#log(event.at, event.level, event.message, event.fields);
        break;
      case 'algo-order':
        this.algoOrders.set(event.order.id, event.order);
        break;
      case 'unprotected':
        this.unprotected.count += 1;
        this.unprotected.first ??= event;
        break;
      case 'refused':
        this.orders.refused(event.command, event.rejection);
        this.#hash.refused(event.at, event.rejection);
        break;
      case 'failed': {
        const { message, stack } = event.error;
        const at = isoTime(event.at);
        const file = this.#strategyFile;
        const where = file === undefined ? undefined : failureLocation(stack, file);
        this.failure ??= { at, message, where };
        this.#hash.add('failed', { at, message });
        break;
      }
      default:
        break;
    }
  }

  /** Applies a report of the venue, at its time. */
  seen(report: Report): void {
    this.#hash.report(report);
    this.orders.report(report);
    this.history.report(report);
    if (report.kind === 'balance') {
      const { at, currency, available, reserved } = report;
      this.#performance.balance(at, currency, available.plus(reserved));
    } else if (report.kind === 'trade') {
      this.#performance.fill(report.fill);
    }
  }

  /** Applies a report of a margin account, at its time. */
  seenMargin(report: MarginReport): void {
    this.#hash.margin(report);
    if (report.kind === 'marginRejected') this.orders.marginRejected(report);
    if (report.kind !== 'marginAccount') return;
    if (report.forced !== undefined) this.orders.forcedFill();
    this.#performance.margin(report);
  }

  #log(
    at: Micros,
    level: LogRow['level'],
    message: string,
    fields?: Readonly<Record<string, unknown>>,
  ): void {
    this.#logCount += 1;
    if (this.#logs.length >= this.#logLimit) return;
    const text = typeof message === 'string' ? message : JSON.stringify(logged(message) ?? null);
    const row = { at: isoTime(at), level, message: text };
    if (fields === undefined) this.#logs.push(row);
    else this.#logs.push({ ...row, fields: logged({ ...fields }) as Readonly<typeof fields> });
  }
}

/** Symbols of orders with a trailing stop; a rejected command may be malformed. */
function trailedBy(command: Command): readonly string[] {
  if (command.kind !== 'place' && command.kind !== 'placeList') return [];
  const orders: unknown = command.kind === 'place' ? [command] : command.orders;
  if (!Array.isArray(orders)) return [];
  return (orders as readonly (object | null)[]).flatMap((order) => {
    const { symbol, trail } = Object(order) as {
      readonly symbol?: unknown;
      readonly trail?: unknown;
    };
    return trail === undefined ? [] : [String(symbol)];
  });
}
