import { NEVER, Subject, type Observable } from 'rxjs';
import { z } from 'zod';
import { MarginLimits } from '../../src/backtest/margin-limits.ts';
import type { MarginGateway } from '../../src/engine/account/margin-gateway.ts';
import type {
  ConfiguredReplenish,
  ReplenishingMemory,
} from '../../src/engine/account/replenishing.ts';
import { AccountGateway } from '../../src/engine/account-gateway.ts';
import type { AuditEvent } from '../../src/engine/audit.ts';
import { Engine } from '../../src/engine/engine.ts';
import { SimulatedVenue } from '../../src/gateways/simulated.ts';
import { decimal } from '../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import { Instrument, type InstrumentTerms } from '../../src/model/instrument.ts';
import type { MarginAccountState } from '../../src/model/margin-account.ts';
import type { MarginRequest } from '../../src/model/order-request.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { PERPETUAL, SPOT } from '../exchange/margin/kit.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;

/** A venue whose accounts do not say whether there is a margin call. */
function withoutCalls(margin: MarginGateway): MarginGateway {
  const silent = ({ isCalled: _, ...state }: MarginAccountState): MarginAccountState => state;
  return {
    connect: (listener) =>
      margin
        .connect((report) => {
          const isAccount = report.kind === 'marginAccount';
          listener(isAccount ? { ...report, account: silent(report.account) } : report);
        })
        .map(silent),
    set: (request) => margin.set(request),
    markPrice: (symbol) => margin.markPrice(symbol),
  };
}

export interface RigSettings {
  readonly isCallTold?: boolean;
  /** What the configuration says of replenishing. */
  readonly replenish?: readonly ConfiguredReplenish[] | undefined;
  /** What is kept of it over a restart. */
  readonly memory?: ReplenishingMemory | undefined;
}

/** A strategy on the simulated venue with 1,000 USDT, a spot symbol and a perpetual, both at 99 / 101. */
export class Rig {
  readonly scheduler = new VirtualScheduler(micros(START));
  readonly venue: SimulatedVenue;
  readonly commands = new Subject<Command>();
  readonly audit: AuditEvent[] = [];
  readonly seen: string[] = [];
  readonly engine: Engine;

  constructor(
    watch: (context: Context<object>) => Observable<unknown> = () => NEVER,
    terms: Partial<InstrumentTerms> = {},
    limit?: (request: MarginRequest) => Rejection | undefined,
    { isCallTold = true, replenish, memory }: RigSettings = {},
  ) {
    this.venue = new SimulatedVenue({
      venue: 'simulated',
      instruments: [SPOT, PERPETUAL].map((one) => new Instrument({ ...one, ...terms })),
      scheduler: this.scheduler,
      latency: { orderUs: 10, reportUs: 10 },
      balances: new Map([['USDT', decimal('1000')]]),
    });
    const strategy = defineStrategy({
      name: 'hand',
      summary: 'Sends what a test says.',
      parameters: z.object({}),
      run: (context) => {
        watch(context).subscribe((value) => this.seen.push(String(value)));
        return this.commands;
      },
    });
    const { venue, scheduler } = this;
    if (memory !== undefined && venue.margin !== undefined) {
      Object.defineProperty(venue.margin, 'replenished', { value: memory });
    }
    const gateway = new AccountGateway({ venue, scheduler, strategy: 'hand' });
    if (limit !== undefined && venue.margin !== undefined) {
      const setup = { scheduler, delayUs: 5, rejection: limit, observer: () => undefined };
      const value = new MarginLimits({ ...setup, venue: venue.margin });
      Object.defineProperty(gateway, 'margin', { value });
    }
    if (!isCallTold && gateway.margin !== undefined) {
      Object.defineProperty(gateway, 'margin', { value: withoutCalls(gateway.margin) });
    }
    this.engine = new Engine({
      strategy,
      parameters: {},
      gateway,
      scheduler: this.scheduler,
      clientOrderIdPrefix: 'hand',
      replenish,
      audit: (event) => this.audit.push(event),
    });
    this.engine.start();
    this.quote(99, 101);
  }

  /** A quote of both symbols, and a trade at its middle. */
  quote(bid: number, ask: number): void {
    for (const index of [0, 1]) {
      this.row(index, (row) => {
        row.kind[0] = QUOTE;
        row.price[0] = bid;
        row.size[0] = 1_000;
        row.askPrice[0] = ask;
        row.askSize[0] = 1_000;
      });
      this.row(index, (row) => {
        row.kind[0] = TRADE;
        row.price[0] = (bid + ask) / 2;
        row.size[0] = 1;
      });
    }
    this.pass();
  }

  row(index: number, fill: (row: ReturnType<typeof eventColumns>) => void): void {
    const columns = eventColumns(1);
    columns.flags[0] = LAST;
    fill(columns);
    this.venue.market(index, columns, 0);
    this.engine.market(index, columns, 0);
  }

  pass(us = 1_000): void {
    this.scheduler.advanceTo(micros(this.scheduler.now() + us));
  }

  do(...commands: readonly Command[]): void {
    for (const command of commands) {
      this.commands.next(command);
      this.pass();
    }
  }

  account(symbol: string, mode: 'isolated' | 'cross') {
    const { ledger, margin } = this.venue.exchange;
    return margin.account(ledger.accounts - 1, symbol, mode);
  }

  lots(symbol: string, mode: 'isolated' | 'cross'): string | undefined {
    return this.account(symbol, mode)
      ?.positions.find((one) => one.symbol === symbol)
      ?.quantity.toFixed();
  }

  get rejections(): string[] {
    return this.audit.flatMap((event) =>
      event.kind === 'refused'
        ? `${event.rejection.code} ${event.rejection.field ?? ''}`
        : event.kind === 'report' && event.report.kind === 'rejected'
          ? `venue ${event.report.rejection.code}`
          : [],
    );
  }

  get requests(): string[] {
    return this.audit.flatMap((event) =>
      event.kind === 'request' && event.request.kind === 'place'
        ? `${event.request.side} ${event.request.lots}${event.request.margin?.reduceOnly === true ? ' reduce' : ''}`
        : [],
    );
  }
}
