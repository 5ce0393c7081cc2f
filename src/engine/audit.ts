import type { AlgoOrder } from '../model/algo-order.ts';
import type { Failure } from '../model/failure.ts';
import type { MarginReport } from '../model/margin-account.ts';
import type { NonSpotBalanceReport } from '../model/non-spot-balance.ts';
import type { Holding } from '../model/portfolio.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Report } from '../model/report.ts';
import type { Micros } from '../platform/time.ts';
import type { Command } from '../strategy/commands.ts';
import type { PortfolioReport } from '../strategy/portfolio.ts';
import type { MarginRequest, OrderRequest } from '../model/order-request.ts';
import type { Unprotected } from './orders/protection.ts';
import type { RebalanceRequest } from './portfolio-gateway.ts';

export type LogLevel = 'debug' | 'info' | 'warn';

/** The event that the strategy handled when it failed. */
export type SeenEvent =
  | {
      readonly kind: 'market';
      readonly symbol: string;
      readonly row:
        | 'trade'
        | 'level'
        | 'quote'
        | 'reset'
        | 'gap'
        | 'candle'
        | 'mark'
        | 'index'
        | 'funding'
        | 'openInterest';
      /** Time stamp of the venue. */
      readonly stampedAt: Micros;
      readonly sequence: number;
    }
  | { readonly kind: 'candle'; readonly symbol: string }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'margin-report'; readonly report: MarginReport }
  | { readonly kind: 'place-report'; readonly report: NonSpotBalanceReport }
  /** A portfolio event. */
  | { readonly kind: 'portfolio' }
  | { readonly kind: 'start' }
  | { readonly kind: 'commands' }
  /** A timer of the strategy. */
  | { readonly kind: 'timer' };

type Happening =
  | { readonly kind: 'started' }
  /** A command of the strategy; `held` if warm-up held it back. */
  | { readonly kind: 'command'; readonly command: Command; readonly held: boolean }
  | { readonly kind: 'refused'; readonly command: Command; readonly rejection: Rejection }
  | { readonly kind: 'request'; readonly request: OrderRequest; readonly managed: boolean }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'margin-request'; readonly request: MarginRequest }
  | { readonly kind: 'margin-report'; readonly report: MarginReport }
  | { readonly kind: 'place-report'; readonly report: NonSpotBalanceReport }
  /** Protective orders ended, and a part of the holding was not sold. */
  | ({ readonly kind: 'unprotected' } & Unprotected)
  /** A target is reached; emitted each time. */
  | { readonly kind: 'target-reached'; readonly symbol: string; readonly lots: number }
  /** An algo order began, traded or ended. */
  | { readonly kind: 'algo-order'; readonly order: AlgoOrder }
  | { readonly kind: 'rebalance'; readonly request: RebalanceRequest }
  | { readonly kind: 'rebalance-report'; readonly report: PortfolioReport }
  /** Holdings of the portfolio, after every change. */
  | { readonly kind: 'holdings'; readonly holdings: readonly Holding[] }
  | { readonly kind: 'plot'; readonly name: string; readonly value: number }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    }
  /** Managed orders of the warm-up that start now. */
  | { readonly kind: 'warm-up-end'; readonly managedOrders: readonly Command[] }
  /** The strategy threw and was stopped. */
  | { readonly kind: 'failed'; readonly error: Failure; readonly during: SeenEvent }
  /** The strategy completed its stream of commands; its orders and managed orders stay. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'stopped' };

/**
 * Everything that the engine receives, decides and sends, as plain data in order; without market
 * rows, which are in the feed. Journal, metrics, reports and checks read it and never access the
 * engine.
 */
export type AuditEvent = Happening & { readonly at: Micros; readonly strategy: string };

export type AuditListener = (event: AuditEvent) => void;

/** Emits an audit event; time and name are added to the given object. */
export type Emit = (happening: Happening) => void;

/** Adds the time to an event: in the same object, as there is one for every request and report. */
export function audited(happening: Happening, at: Micros, strategy: string): AuditEvent {
  const event = happening as { -readonly [K in keyof AuditEvent]: AuditEvent[K] } & Happening;
  event.at = at;
  event.strategy = strategy;
  return event;
}
