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

/** What the strategy was being shown when it failed. */
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
      /** When the venue stamped it. */
      readonly stampedAt: Micros;
      readonly sequence: number;
    }
  | { readonly kind: 'candle'; readonly symbol: string }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'margin-report'; readonly report: MarginReport }
  | { readonly kind: 'place-report'; readonly report: NonSpotBalanceReport }
  /** News of the portfolio. */
  | { readonly kind: 'portfolio' }
  | { readonly kind: 'start' }
  | { readonly kind: 'commands' }
  /** A timer of the strategy. */
  | { readonly kind: 'timer' };

type Happening =
  | { readonly kind: 'started' }
  /** What the strategy asked for; `held` says that warm-up kept it back. */
  | { readonly kind: 'command'; readonly command: Command; readonly held: boolean }
  | { readonly kind: 'refused'; readonly command: Command; readonly rejection: Rejection }
  | { readonly kind: 'request'; readonly request: OrderRequest; readonly managed: boolean }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'margin-request'; readonly request: MarginRequest }
  | { readonly kind: 'margin-report'; readonly report: MarginReport }
  | { readonly kind: 'place-report'; readonly report: NonSpotBalanceReport }
  /** Orders ended that protected a holding, and part of it was not sold. */
  | ({ readonly kind: 'unprotected' } & Unprotected)
  /** A target is reached; emitted each time. */
  | { readonly kind: 'target-reached'; readonly symbol: string; readonly lots: number }
  /** An algo order began, traded or ended. */
  | { readonly kind: 'algo-order'; readonly order: AlgoOrder }
  | { readonly kind: 'rebalance'; readonly request: RebalanceRequest }
  | { readonly kind: 'rebalance-report'; readonly report: PortfolioReport }
  /** What the portfolio holds, after every change. */
  | { readonly kind: 'holdings'; readonly holdings: readonly Holding[] }
  | { readonly kind: 'plot'; readonly name: string; readonly value: number }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    }
  /** The managed orders of warm-up that are taken up now. */
  | { readonly kind: 'warm-up-end'; readonly managedOrders: readonly Command[] }
  /** The strategy threw and was stopped. */
  | { readonly kind: 'failed'; readonly error: Failure; readonly during: SeenEvent }
  /** The strategy ended its stream of commands; its managed orders and orders stand. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'stopped' };

/**
 * All that the engine sees, decides and sends, as plain data in the order in which it happened;
 * market rows excepted, which are in the feed. Journal, metrics, reports and checks read it and
 * never reach into the engine.
 */
export type AuditEvent = Happening & { readonly at: Micros; readonly strategy: string };

export type AuditListener = (event: AuditEvent) => void;

/** Emits an audit event; time and name are added to the object that is given. */
export type Emit = (happening: Happening) => void;

/** What happened, at its time: the same object, as there is one for every request and report. */
export function audited(happening: Happening, at: Micros, strategy: string): AuditEvent {
  const event = happening as { -readonly [K in keyof AuditEvent]: AuditEvent[K] } & Happening;
  event.at = at;
  event.strategy = strategy;
  return event;
}
