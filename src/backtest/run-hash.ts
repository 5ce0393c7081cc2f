import type { NewOrder } from '../model/order.ts';
import { createHash } from 'node:crypto';
import type { OrderRequest } from '../model/order-request.ts';
import type { Refusal } from '../model/refusals.ts';
import type { Report } from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import { Decimal } from '../model/decimal.ts';
import { canonicalJson, quotedText } from './canonical.ts';
import { logged } from './log-fields.ts';

/** Text is hashed in pieces of about so many characters. */
const PIECE = 1 << 16;

/**
 * The fingerprint of a run: SHA-256 over one line of JSON for each input and for each thing that
 * happened, in order. Each line says what it is, so that no two runs can agree by moving a value
 * from one place to another.
 */
export class RunHash {
  readonly #sha = createHash('sha256');
  #text = '';

  /** Adds a line of any data, its fields in the order of their names. */
  add(what: string, value: unknown): void {
    this.#line(`${what} ${canonicalJson(value)}`);
  }

  /** Adds what the strategy asked for, whatever became of it; `held` says that warm-up kept it back. */
  command(at: Micros, command: Command, held: boolean): void {
    // Nothing says that it is a command: it may be whatever the strategy emitted.
    const plain: unknown = isPlainData(command) ? command : logged(command);
    this.#line(`command ${at} ${held} ${canonicalJson(plain)}`);
  }

  /** Adds a command that was refused before anything was sent. */
  refused(at: Micros, { code, field }: Refusal): void {
    this.#row(['refused', at, code, field]);
  }

  /** Adds a request as it was sent. */
  request(at: Micros, request: OrderRequest): void {
    switch (request.kind) {
      case 'place':
        this.#row([request.kind, at, ...termsOf(request)]);
        break;
      case 'placeList': {
        const { kind, orderListId, contingencyType, orders } = request;
        this.#row([kind, at, orderListId, contingencyType, ...orders.map(termsOf)]);
        break;
      }
      case 'replace': {
        const { kind, symbol, clientOrderId, newClientOrderId, lots, ticks, stopTicks } = request;
        this.#row([kind, at, symbol, clientOrderId, newClientOrderId, lots, ticks, stopTicks]);
        break;
      }
      case 'cancel':
        this.#row([request.kind, at, request.symbol, request.clientOrderId]);
        break;
    }
  }

  /** Adds what the venue did. Balances follow from the rest and stand in the hash at the end. */
  report(report: Report): void {
    if (report.kind === 'balance' || report.kind === 'doubt') return;
    if (report.kind === 'rejected') {
      const { kind, at, request, symbol, clientOrderId, refusal } = report;
      this.#row([kind, at, request, symbol, clientOrderId, refusal.code, refusal.field]);
      return;
    }
    const { kind, at, order } = report;
    const { id, symbol, clientOrderId, status, lots, executedLots, ticks, stopTicks } = order;
    const { orderListId, inactive } = order;
    const numbers = [lots, executedLots, ticks, stopTicks];
    this.#row([kind, at, id, symbol, clientOrderId, status, ...numbers, orderListId, inactive]);
    if (report.kind !== 'trade') return;
    const { fill } = report;
    this.#row([
      'fill',
      fill.id,
      fill.at,
      fill.side,
      fill.ticks,
      fill.lots,
      fill.fee.toFixed(),
      fill.feeCurrency,
      fill.taker,
    ]);
  }

  /** In hexadecimal; called once. */
  digest(): string {
    return this.#sha.update(this.#text).digest('hex');
  }

  /** Adds a line as `JSON.stringify` writes the values. */
  #row(values: readonly unknown[]): void {
    let text = '';
    for (const value of values) text += `${text === '' ? '[' : ','}${rowText(value)}`;
    this.#line(`${text}]`);
  }

  #line(line: string): void {
    this.#text += `${line}\n`;
    if (this.#text.length < PIECE) return;
    this.#sha.update(this.#text);
    this.#text = '';
  }
}

function rowText(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** True for an object of texts, finite numbers and the like, as most commands are: it is logged as it is. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((one) => {
    const type = typeof one;
    return (
      type === 'string' || type === 'boolean' || Number.isFinite(one) || Decimal.isDecimal(one)
    );
  });
}

/** What a new order says. */
const termsOf = (order: NewOrder): readonly unknown[] => {
  const { symbol, clientOrderId, side, type, timeInForce, lots, ticks, stopTicks } = order;
  const { expireAt, postOnly } = order;
  const terms = [side, type, timeInForce, lots, ticks, stopTicks, expireAt, postOnly];
  // Only where an order has them: a run without them keeps the hash that it always had.
  const { takeRate, makeRate } = order;
  const hasRates = (takeRate ?? makeRate) !== undefined;
  const rates = hasRates ? [takeRate?.toFixed(), makeRate?.toFixed()] : [];
  return [symbol, clientOrderId, ...terms, ...rates];
};
