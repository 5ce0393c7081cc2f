import type { CheckName } from '../feeds/quality/checks.ts';
import type { AlgoTexts } from '../model/algo-order.ts';
import type { InstrumentTerms } from '../model/instrument.ts';
import type { ContingencyType, OrderStatus, OrderType, Side, TimeInForce } from '../model/order.ts';
import type { MarginMode } from '../model/margin-terms.ts';
import type { NonSpotAccountType } from '../model/non-spot-balance.ts';
import type { TransferState } from '../model/portfolio.ts';
import type { MarginRecord, PaymentRow } from './margin-record.ts';
import type { DecimalText, TimeText } from './result-text.ts';

export type {
  MarginAccountRecord,
  MarginRecord,
  MarginSide,
  PaymentKind,
  PaymentRow,
} from './margin-record.ts';

/** Rises when a member of the result changes its name or its meaning. */
export const RESULT_FORMAT = 3;

/** Rises when hashed data changes its meaning, so that hashes of different meanings never agree. */
export const HASH_FORMAT = 2;

export type { DecimalText, TimeText } from './result-text.ts';

/**
 * Result of a backtest, as plain data that is the same to the byte for the same plan: it does not
 * depend on when, where or how fast the run was. Money is decimal text, statistics are doubles,
 * `null` is an undefined figure.
 */
export interface BacktestResult {
  readonly format: typeof RESULT_FORMAT;
  /** SHA-256 over inputs and outcome, in hexadecimal; `docs/metrics.md` lists them. */
  readonly hash: string;
  readonly strategy: {
    readonly name: string;
    readonly summary: string;
    /** Parsed, with defaults. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly recordings: readonly RecordingRecord[];
  /** Traded terms, with fee overrides. */
  readonly instruments: readonly InstrumentTerms[];
  readonly plan: PlanRecord;
  /** How the run was simulated and measured, in sentences. */
  readonly assumptions: readonly string[];
  /** Why these figures may be wrong. */
  readonly warnings: readonly string[];
  readonly metrics: Metrics;
  readonly orders: OrderStatistics;
  readonly balances: readonly BalanceRecord[];
  /** Present with margin trading. */
  readonly margin?: MarginRecord;
  /** Payments and receipts of margin accounts apart from trades; present with margin trading. */
  readonly payments?: FirstRows<PaymentRow>;
  /** Present with a portfolio. */
  readonly portfolio?: PortfolioRecord;
  /** Final states of algo orders; present if there were any. */
  readonly algoOrders?: readonly AlgoOrderRow[];
  readonly series: Series;
  /** Sent orders with their results, in the order of sending. */
  readonly orderHistory: FirstRows<OrderRow>;
  readonly fills: FirstRows<FillRow>;
  readonly trades: FirstRows<TradeRow>;
  readonly logs: FirstRows<LogRow>;
  /** Why the strategy was stopped before the end, if it was. */
  readonly failure?: {
    readonly at: TimeText;
    readonly message: string;
    /** File and line in the strategy, `strategies/mine.ts:12`, if known. */
    readonly where?: string;
  };
}

/** The first rows of a table that may be longer. */
export interface FirstRows<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

export interface RecordingRecord {
  /** File name, without its folder. */
  readonly name: string;
  readonly fingerprint: string;
  readonly symbol: string;
  readonly layout: string;
  readonly rows: number;
  readonly trades: number;
  readonly quotes: number;
  readonly levels: number;
  readonly gaps: number;
  readonly candles: number;
  readonly from: TimeText;
  readonly till: TimeText;
  /** True for a synthetic market. */
  readonly synthetic: boolean;
  readonly importer: string;
  /** Known weaknesses, from the recording itself. */
  readonly notes: readonly string[];
  /** Findings of `millrace feed check` in the replayed rows. */
  readonly quality: readonly QualityRecord[];
}

/** A check of `docs/recordings.md` with findings. */
export interface QualityRecord {
  readonly name: CheckName;
  readonly severity: 'fault' | 'notice';
  readonly count: number;
  /** Total of the findings: stale or silent time, missing trades or candles. */
  readonly extent?: { readonly value: number; readonly unit: 'us' | 'trades' | 'candles' };
  readonly firstAt: TimeText;
}

export interface PlanRecord {
  /** Time of the first replayed events. */
  readonly from: TimeText;
  /** End of warm-up, during which the strategy did not trade; measuring starts here. */
  readonly tradingFrom: TimeText;
  readonly till: TimeText;
  readonly balances: Readonly<Record<string, DecimalText>>;
  /** Wallet and derivatives balances, by account type, if the configuration set any. */
  readonly nonSpotBalances?: Readonly<
    Partial<Record<NonSpotAccountType, Readonly<Record<string, DecimalText>>>>
  >;
  readonly orderLatencyUs: number;
  readonly reportLatencyUs: number;
  readonly seed: number;
  /** Daily interest rates by borrowed currency, if any was charged. */
  readonly dailyRates?: Readonly<Record<string, DecimalText>>;
  readonly equityCurrency: string;
  readonly sampleUs: number;
}

export interface BalanceRecord {
  readonly currency: string;
  readonly start: DecimalText;
  readonly end: DecimalText;
  /** Value of the end balance in the equity currency; `null` without a price for it. */
  readonly value: DecimalText | null;
}

/** Record of a run's portfolio; amounts are exact. */
export interface PortfolioRecord {
  /**
   * Requests of the strategy: those that needed no transfer, and those that were rejected, by code.
   */
  readonly requests: {
    readonly balanced: number;
    readonly refused: number;
    readonly rejections: Readonly<Record<string, number>>;
    /** Message of the first rejection of each code. */
    readonly firstRejections: Readonly<Record<string, string>>;
  };
  readonly rebalances: {
    readonly begun: number;
    /**
     * Rebalances whose last plan succeeded; failed in part; was unfinished at the end of the run.
     */
    readonly done: number;
    readonly incomplete: number;
    readonly underWay: number;
    /** Started plans, with follow-up plans. */
    readonly plans: number;
  };
  /** Cost of all transfers in the currency of prices; those in flight by their expected cost. */
  readonly cost: DecimalText;
  readonly holdings: readonly HoldingRecord[];
  /** Amounts in flight at the end, and net costs of services and networks. */
  readonly inFlight: readonly AmountRecord[];
  readonly services: readonly AmountRecord[];
  readonly transfers: FirstRows<TransferRow>;
}

export interface HoldingRecord {
  /** An asset at a location: `USDT@ethereum`. */
  readonly holding: string;
  /** Transferable amounts at the start and at the end; at the account, the free balance. */
  readonly start: DecimalText;
  readonly end: DecimalText;
  /** At the end, in the currency of prices; `null` without a price. */
  readonly value: DecimalText | null;
}

export interface AmountRecord {
  readonly asset: string;
  readonly amount: DecimalText;
}

/** The final state of a transfer. */
export interface TransferRow {
  readonly id: string;
  readonly plannedAt: TimeText;
  /** Time of its last change of state. */
  readonly changedAt: TimeText;
  /** Name of the service or account that made it. */
  readonly route: string;
  readonly from: string;
  readonly to: string;
  readonly state: TransferState;
  readonly send: DecimalText;
  readonly expected: DecimalText;
  readonly arrived: DecimalText | null;
  readonly refunded: DecimalText | null;
  readonly reason: string | null;
}

/** Every figure is defined in `docs/metrics.md`. */
export interface Metrics {
  readonly events: number;
  readonly spanUs: number;
  readonly equity: {
    readonly currency: string;
    readonly start: DecimalText;
    readonly end: DecimalText;
    readonly high: DecimalText;
    readonly low: DecimalText;
  };
  readonly profit: DecimalText;
  readonly totalReturn: number | null;
  readonly annualReturn: number | null;
  readonly volatility: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  /** Number of returns for Sharpe, Sortino and volatility. */
  readonly returns: number;
  readonly drawdown: {
    readonly maxAmount: DecimalText;
    readonly maxRatio: number;
    readonly maxRatioPeakAt: TimeText | null;
    readonly maxRatioTroughAt: TimeText | null;
    readonly longestUs: number;
  };
  readonly fees: {
    readonly byCurrency: Readonly<Record<string, DecimalText>>;
    /** At the prices of their time, in the equity currency. */
    readonly value: DecimalText;
  };
  readonly turnover: {
    readonly amount: DecimalText;
    /** As a multiple of the mean equity of the samples. */
    readonly ratio: number | null;
  };
  /** Share of the measured time with a holding of any base currency, 0 to 1. */
  readonly exposure: number | null;
  readonly trades: TradeStatistics;
  readonly buyAndHold: readonly BuyAndHold[];
}

export interface TradeStatistics {
  readonly count: number;
  readonly wins: number;
  readonly losses: number;
  readonly winRate: number | null;
  readonly grossProfit: DecimalText;
  readonly grossLoss: DecimalText;
  readonly profitFactor: number | null;
  /** Mean net PnL of a round trip, 20 significant digits; also called average trade. */
  readonly expectancy: DecimalText | null;
  readonly averageWin: DecimalText | null;
  readonly averageLoss: DecimalText | null;
  /** Average win over average loss. */
  readonly payoff: number | null;
  readonly best: DecimalText | null;
  readonly worst: DecimalText | null;
  /** Mean of the worst and of the best unrealized PnL over the round trips. */
  readonly averageMae: DecimalText | null;
  readonly averageMfe: DecimalText | null;
  readonly averageDurationUs: number | null;
  /** PnL of open lots at the last price, less their entry fees. */
  readonly unrealized: DecimalText;
}

export interface BuyAndHold {
  readonly symbol: string;
  readonly firstPrice: DecimalText | null;
  readonly lastPrice: DecimalText | null;
  readonly return: number | null;
}

export interface OrderStatistics {
  readonly sent: number;
  readonly replacements: number;
  readonly cancels: number;
  /** Orders with at least one fill. */
  readonly touched: number;
  readonly filled: number;
  readonly canceled: number;
  readonly expired: number;
  /** Orders that the venue rejected, each order of a rejected list. */
  readonly rejected: number;
  /** Orders that the engine rejected and did not send, each order of a rejected list. */
  readonly refused: number;
  /** Replacements that venue or engine rejected. */
  readonly refusedReplacements: number;
  /** Cancels that venue or engine rejected, for example after their order had ended. */
  readonly refusedCancels: number;
  /** Targets and quotes that the engine rejected. */
  readonly refusedManagedOrders: number;
  /** Rejected settings of margin accounts; absent without any. */
  readonly refusedSettings?: number;
  /** All of these together by the code of the rejection. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Message of the first rejection of each code. */
  readonly firstRejections: Readonly<Record<string, string>>;
  /** Orders with at least one fill over orders sent and not rejected, 0 to 1. */
  readonly fillRatio: number | null;
  readonly fills: number;
  readonly takerFills: number;
}

/** Columns of equal length: the state at each time and the range since the time before. */
export interface Series {
  readonly sampleUs: number;
  /** Samples per point, 1 unless the run was thinned. */
  readonly samplesPerPoint: number;
  readonly at: readonly TimeText[];
  readonly equity: readonly DecimalText[];
  readonly drawdown: readonly (number | null)[];
  readonly instruments: readonly InstrumentSeries[];
  readonly plots: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

export interface InstrumentSeries {
  readonly symbol: string;
  readonly open: readonly (DecimalText | null)[];
  readonly high: readonly (DecimalText | null)[];
  readonly low: readonly (DecimalText | null)[];
  readonly close: readonly (DecimalText | null)[];
  readonly position: readonly DecimalText[];
}

/** An order as sent, with its final state. */
export interface OrderRow {
  readonly sentAt: TimeText;
  /** When its stop price was reached. */
  readonly triggeredAt: TimeText | null;
  /** When it ended at the venue. */
  readonly endedAt: TimeText | null;
  readonly symbol: string;
  /** Its client order id. */
  readonly order: string;
  /** The order that it replaced. */
  readonly replaces: string | null;
  /** Its order list: the client order id of the list's first order. */
  readonly list: string | null;
  readonly contingencyType: ContingencyType | null;
  /** Its index in the list, from 0. */
  readonly listIndex: number | null;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: DecimalText | null;
  readonly stopPrice: DecimalText | null;
  /** Its own fee rates, as fractions. */
  readonly takeRate: DecimalText | null;
  readonly makeRate: DecimalText | null;
  readonly size: DecimalText;
  /** Filled part of the size, with fills of the orders that it replaced. */
  readonly filled: DecimalText;
  readonly status: OrderStatus | 'sent' | 'replaced' | 'rejected';
}

/** An algo order: its child orders are in the order history. */
export interface AlgoOrderRow extends AlgoTexts {
  readonly startedAt: TimeText;
  readonly endedAt: TimeText | null;
}

export interface FillRow {
  readonly at: TimeText;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: DecimalText;
  readonly size: DecimalText;
  readonly fee: DecimalText;
  readonly feeCurrency: string;
  readonly taker: boolean;
  /** Its client order id; for a forced fill that of the venue's own order, empty without one. */
  readonly order: string;
  readonly id: number;
  /** Absent for spot. */
  readonly margin?: MarginMode;
  /** How the venue closed a position without an order of the strategy; absent for other fills. */
  readonly forced?: ForcedClose;
}

/** How a venue closes a position without an order of its holder. */
export type ForcedClose = 'liquidated' | 'deleveraged' | 'settled';

/** A round trip; money in the quote currency of its symbol. */
export interface TradeRow {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  /** Absent for spot. */
  readonly margin?: MarginMode;
  /** How the venue closed it, if no order of the strategy did. */
  readonly forced?: ForcedClose;
  readonly openedAt: TimeText;
  readonly closedAt: TimeText;
  readonly size: DecimalText;
  /** Average prices, 20 significant digits. */
  readonly entryPrice: DecimalText;
  readonly exitPrice: DecimalText;
  readonly fees: DecimalText;
  readonly net: DecimalText;
  /** Net PnL over the value of the entry. */
  readonly return: number;
  readonly mae: DecimalText;
  readonly mfe: DecimalText;
}

export interface LogRow {
  readonly at: TimeText;
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}
