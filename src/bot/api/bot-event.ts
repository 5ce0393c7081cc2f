import type { RejectionCode } from '../../model/rejections.ts';
import type { Side } from '../../model/order.ts';
import type { RejectReport } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { TradingState } from '../../risk/state.ts';
import type { MarginEvent } from '../../strategy/positions.ts';

/** The owner of an event. */
interface Owner {
  readonly account: string;
  readonly strategy: string;
}

/** An event of a bot that a person may want to know of; amounts and prices as exact decimal text. */
type Happening =
  /** It trades; a strategy that is not running has its state beside its name. */
  | {
      readonly kind: 'started';
      readonly accounts: readonly string[];
      readonly strategies: readonly string[];
      readonly isAfterCrash: boolean;
    }
  /** It could not start, or has stopped; `why` if that was not requested. */
  | { readonly kind: 'start-failed'; readonly why: string }
  | { readonly kind: 'stopped'; readonly why?: string | undefined }
  /** Trading state of the bot, of an account, or of a strategy. */
  | ({
      readonly kind: 'state';
      readonly from: TradingState;
      readonly to: TradingState;
      readonly why: string;
    } & Partial<Owner>)
  /** A strategy threw and is stopped. */
  | ({ readonly kind: 'failed'; readonly why: string } & Owner)
  /** A strategy ended its stream of commands. */
  | ({ readonly kind: 'completed' } & Owner)
  | {
      readonly kind: 'connection';
      readonly account: string;
      readonly state: 'live' | 'lost';
      readonly why?: string | undefined;
    }
  /** The venue rejected a request. */
  | ({
      readonly kind: 'rejected';
      readonly request: RejectReport['request'];
      readonly clientOrderId: string;
      readonly symbol: string;
      readonly code: RejectionCode;
      readonly why: string;
    } & Owner)
  /** A request was sent and its outcome is unknown. */
  | ({
      readonly kind: 'unknown';
      readonly request: RejectReport['request'];
      readonly clientOrderId: string;
      readonly symbol: string;
    } & Owner)
  | ({
      readonly kind: 'fill';
      readonly clientOrderId: string;
      readonly symbol: string;
      readonly side: Side;
      readonly quantity: string;
      readonly price: string;
      /** Negative for a rebate. */
      readonly fee: string;
      readonly feeCurrency: string;
    } & Owner)
  /** Orders ended that protected a holding, part of which was not sold. */
  | ({
      readonly kind: 'unprotected';
      readonly clientOrderId: string;
      readonly symbol: string;
      readonly quantity: string;
      readonly of: string;
    } & Owner)
  /** Something happened to a margin account; `strategy` is empty if no strategy of the bot opened it. */
  | ({ readonly kind: 'margin'; readonly what: MarginEvent['kind']; readonly text: string } & Owner)
  /** A day of UTC+0 is over; results by quote currency, fees by currency. */
  | {
      readonly kind: 'day';
      readonly account: string;
      readonly date: string;
      readonly result: Readonly<Record<string, string>>;
      readonly strategies: readonly {
        readonly name: string;
        readonly result: Readonly<Record<string, string>>;
      }[];
      /** Absent if the journal could not be read. */
      readonly traded?: DayTraded | undefined;
    };

/** Trades of a day. */
export interface DayTraded {
  readonly fills: number;
  /** By currency, negative if rebates exceeded fees. */
  readonly fees: Readonly<Record<string, string>>;
}

export type BotEvent = Happening & { readonly at: Micros };

/** Receives the events of a bot as they happen; it never throws and never blocks. */
export type BotEventListener = (event: BotEvent) => void;

/** A target of notifications, and what became of those for it in this run of the process. */
export interface NotificationLine {
  readonly name: string;
  readonly kind: string;
  readonly sent: number;
  /** Given up, or dropped as the queue was full. */
  readonly dropped: number;
  readonly waiting: number;
  /** Why the last attempt failed; absent if it did not. */
  readonly why?: string | undefined;
}
