import { Decimal } from '../model/decimal.ts';
import type { MarginReport } from '../model/margin-account.ts';
import {
  CONTINGENCY_TYPES,
  ORDER_TYPES,
  TIMES_IN_FORCE,
  type NewOrder,
  type VenueOrder,
} from '../model/order.ts';
import type { MarginRequest, OrderRequest } from '../model/order-request.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Fill, Report } from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import { canonicalJson } from './canonical.ts';
import { HashBytes } from './hash-bytes.ts';
import { logged } from './log-fields.ts';

/** First code of each kind of row. */
const ROW = {
  data: 1,
  command: 2,
  otherCommand: 3,
  refused: 4,
  place: 5,
  placeList: 6,
  replace: 7,
  cancel: 8,
  report: 9,
  trade: 10,
  rejected: 11,
  margin: 12,
} as const;

/** Kinds of a command's fields. */
const FIELD = { text: 1, number: 2, true: 3, false: 4, decimal: 5, fields: 6, absent: 7 } as const;

/** Depth of nested fields of a command, such as the sides of a quote, that are hashed directly. */
const DEPTH_MAX = 2;

const STATUSES = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'] as const;
const REPORTS = ['new', 'suspended', 'canceled', 'expired', 'replaced', 'status'] as const;
const REQUESTS = ['place', 'placeList', 'replace', 'cancel'] as const;

/**
 * The hash of a run: SHA-256 over a row for each input and each event, in order. Inputs are
 * canonical JSON; events are binary, field by field, as there are so many. Each row has its kind,
 * so that no two runs can agree by moving a value to another field.
 */
export class RunHash {
  readonly #bytes = new HashBytes();

  /** Adds any data, its fields sorted by name. */
  add(what: string, value: unknown): void {
    this.#bytes.code(ROW.data);
    this.#bytes.text(what);
    this.#bytes.text(canonicalJson(value));
  }

  /**
   * Adds a command of the strategy, whatever its result; `held` means that warm-up held it back.
   */
  command(at: Micros, command: Command, held: boolean): void {
    const bytes = this.#bytes;
    const isPlain = !Decimal.isDecimal(command) && isPlainData(command, DEPTH_MAX);
    bytes.code(isPlain ? ROW.command : ROW.otherCommand);
    bytes.number(at);
    bytes.code(held ? 1 : 0);
    if (isPlain) this.#fields(command as unknown as Readonly<Record<string, unknown>>);
    // It may not be a command, but anything that the strategy emitted.
    else bytes.text(canonicalJson(logged(command)));
  }

  /** Adds a command rejected before sending. */
  refused(at: Micros, { code, field }: Rejection): void {
    const bytes = this.#bytes;
    bytes.code(ROW.refused);
    bytes.number(at);
    bytes.text(code);
    bytes.text(field);
  }

  /** Adds a sent request. */
  request(at: Micros, request: OrderRequest): void {
    const bytes = this.#bytes;
    bytes.code(ROW[request.kind]);
    bytes.number(at);
    switch (request.kind) {
      case 'place':
        this.#terms(request);
        break;
      case 'placeList':
        bytes.text(request.orderListId);
        bytes.code(CONTINGENCY_TYPES.indexOf(request.contingencyType));
        bytes.number(request.orders.length);
        for (const order of request.orders) this.#terms(order);
        break;
      case 'replace':
        bytes.word(request.symbol);
        bytes.text(request.clientOrderId);
        bytes.text(request.newClientOrderId);
        bytes.number(request.lots);
        bytes.number(request.ticks);
        bytes.number(request.stopTicks);
        break;
      case 'cancel':
        bytes.word(request.symbol);
        bytes.text(request.clientOrderId);
        break;
    }
  }

  /** Adds a report of the venue. Balances follow from the rest and are in the hash at the end. */
  report(report: Report): void {
    const bytes = this.#bytes;
    switch (report.kind) {
      case 'balance':
      case 'outcome-unknown':
        break;
      case 'rejected':
        bytes.code(ROW.rejected);
        bytes.number(report.at);
        bytes.code(REQUESTS.indexOf(report.request));
        bytes.word(report.symbol);
        bytes.text(report.clientOrderId);
        bytes.text(report.rejection.code);
        bytes.text(report.rejection.field);
        break;
      case 'trade':
        bytes.code(ROW.trade);
        bytes.number(report.at);
        this.#order(report.order);
        this.#fill(report.fill);
        break;
      default:
        bytes.code(ROW.report);
        bytes.code(REPORTS.indexOf(report.kind));
        bytes.number(report.at);
        this.#order(report.order);
    }
  }

  /** Adds a report or rejection about a margin account. */
  margin(report: MarginReport): void {
    this.#bytes.code(ROW.margin);
    this.#bytes.number(report.at);
    this.#bytes.text(canonicalJson(logged(report)));
  }

  /** Adds a request about a margin account. */
  marginRequest(at: Micros, request: MarginRequest): void {
    this.#bytes.code(ROW.margin);
    this.#bytes.number(at);
    this.#bytes.text(canonicalJson(logged(request)));
  }

  /** In hexadecimal; called once. */
  digest(): string {
    return this.#bytes.digest();
  }

  #order(order: VenueOrder): void {
    const bytes = this.#bytes;
    bytes.number(order.id);
    bytes.word(order.symbol);
    bytes.text(order.clientOrderId);
    bytes.code(STATUSES.indexOf(order.status));
    bytes.number(order.lots);
    bytes.number(order.filledLots);
    bytes.number(order.ticks);
    bytes.number(order.stopTicks);
    bytes.text(order.orderListId);
    bytes.code(order.inactive === true ? 1 : 0);
  }

  #fill(fill: Fill): void {
    const bytes = this.#bytes;
    bytes.number(fill.id);
    bytes.number(fill.at);
    bytes.code(fill.side === 'buy' ? 0 : 1);
    bytes.number(fill.ticks);
    bytes.number(fill.lots);
    const { units, places } = fill.fee;
    bytes.code(places);
    bytes.code(typeof units === 'number' ? 0 : 1);
    if (typeof units === 'number') bytes.number(units);
    else bytes.text(String(units));
    bytes.word(fill.feeCurrency);
    bytes.code(fill.taker ? 1 : 0);
    if (fill.margin === undefined) return;
    bytes.code(ROW.margin);
    bytes.text(fill.margin);
  }

  /** Adds the terms of a new order. */
  #terms(order: NewOrder): void {
    const bytes = this.#bytes;
    bytes.word(order.symbol);
    bytes.text(order.clientOrderId);
    bytes.code(order.side === 'buy' ? 0 : 1);
    bytes.code(ORDER_TYPES.indexOf(order.type));
    bytes.code(TIMES_IN_FORCE.indexOf(order.timeInForce));
    bytes.number(order.lots);
    bytes.number(order.ticks);
    bytes.number(order.stopTicks);
    bytes.number(order.expireAt);
    bytes.code(order.postOnly ? 1 : 0);
    bytes.text(order.takeRate?.toFixed());
    bytes.text(order.makeRate?.toFixed());
    if (order.margin === undefined) return;
    bytes.code(ROW.margin);
    bytes.text(canonicalJson(order.margin));
  }

  /** Adds the fields of a command in its own order, which its strategy determines. */
  #fields(command: Readonly<Record<string, unknown>>): void {
    const bytes = this.#bytes;
    // For a plain object these are its own fields, without a list of their names.
    for (const name in command) {
      const value = command[name];
      bytes.word(name);
      if (typeof value === 'string') {
        bytes.code(FIELD.text);
        bytes.text(value);
      } else if (typeof value === 'number') {
        bytes.code(FIELD.number);
        bytes.number(value);
      } else if (typeof value === 'boolean') bytes.code(value ? FIELD.true : FIELD.false);
      else if (value === undefined) bytes.code(FIELD.absent);
      else if (Decimal.isDecimal(value)) {
        bytes.code(FIELD.decimal);
        bytes.text(value.toFixed());
      } else {
        bytes.code(FIELD.fields);
        this.#fields(value as Readonly<Record<string, unknown>>);
      }
    }
    bytes.word('');
  }
}

/**
 * True for an object of texts, finite numbers and such objects, as commands are, which is hashed
 * directly.
 */
function isPlainData(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return Decimal.isDecimal(value);
  for (const name in value) {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    // It marks the end of the fields.
    if (name === '') return false;
    const type = typeof field;
    if (type === 'string' || type === 'boolean' || field === undefined) continue;
    if (Number.isFinite(field)) continue;
    if (depth === 0 || !isPlainData(field, depth - 1)) return false;
  }
  return true;
}
