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

/** Rises when what is hashed changes its meaning, so that hashes of different meanings never agree. */
export const HASH_FORMAT = 2;

export type { DecimalText, TimeText } from './result-text.ts';

/**
 * What a backtest found, as plain data that is the same to the byte for the same plan: nothing in
 * it depends on when, where or how fast it ran. Money is decimal text, statistics are doubles,
 * `null` is a figure that the run does not define.
 */
export interface BacktestResult {
  readonly format: typeof RESULT_FORMAT;
  /** SHA-256 over inputs and outcome, in hexadecimal; `docs/metrics.md` lists what goes in. */
  readonly hash: string;
  readonly strategy: {
    readonly name: string;
    readonly summary: string;
    /** As parsed: defaults filled in. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  readonly recordings: readonly RecordingRecord[];
  /** Terms that were traded by, fee overrides applied. */
  readonly instruments: readonly InstrumentTerms[];
  readonly plan: PlanRecord;
  /** How the run was simulated and measured, in sentences. */
  readonly assumptions: readonly string[];
  /** Why these figures may be wrong. */
  readonly warnings: readonly string[];
  readonly metrics: Metrics;
  readonly orders: OrderStatistics;
  readonly balances: readonly BalanceRecord[];
  /** Where something was traded on margin. */
  readonly margin?: MarginRecord;
  /** What margin accounts paid and received beside their trades, where something was traded on margin. */
  readonly payments?: FirstRows<PaymentRow>;
  /** Where the run had a portfolio. */
  readonly portfolio?: PortfolioRecord;
  /** Algo orders as they ended or stood at the end of the run, where there were any. */
  readonly algoOrders?: readonly AlgoOrderRow[];
  readonly series: Series;
  /** What was sent and what became of it, in the order of sending. */
  readonly orderHistory: FirstRows<OrderRow>;
  readonly fills: FirstRows<FillRow>;
  readonly trades: FirstRows<TradeRow>;
  readonly logs: FirstRows<LogRow>;
  /** Why the strategy was stopped before the end, where it was. */
  readonly failure?: {
    readonly at: TimeText;
    readonly message: string;
    /** File and line of the strategy that it comes from, `strategies/mine.ts:12`, where known. */
    readonly where?: string;
  };
}

/** The first so many rows of a table that may be longer. */
export interface FirstRows<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

export interface RecordingRecord {
  /** Of the file, without its folder. */
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
  /** True if the market was made up. */
  readonly synthetic: boolean;
  readonly importer: string;
  /** What the recording says about its own weaknesses. */
  readonly notes: readonly string[];
  /** What `millrace feed check` would say of the rows that were replayed. */
  readonly quality: readonly QualityRecord[];
}

/** A check of `docs/recordings.md` that found something. */
export interface QualityRecord {
  readonly name: CheckName;
  readonly severity: 'fault' | 'notice';
  readonly count: number;
  /** All findings together: time that was stale or silent, trades or candles left out. */
  readonly extent?: { readonly value: number; readonly unit: 'us' | 'trades' | 'candles' };
  readonly firstAt: TimeText;
}

export interface PlanRecord {
  /** The first time whose events were replayed. */
  readonly from: TimeText;
  /** Until when the strategy only watched, the end of warm-up; measuring starts here. */
  readonly tradingFrom: TimeText;
  readonly till: TimeText;
  readonly balances: Readonly<Record<string, DecimalText>>;
  /** What wallet and derivatives balance held, by place, where the configuration gave them anything. */
  readonly nonSpotBalances?: Readonly<
    Partial<Record<NonSpotAccountType, Readonly<Record<string, DecimalText>>>>
  >;
  readonly orderLatencyUs: number;
  readonly reportLatencyUs: number;
  readonly seed: number;
  /** Interest a day by borrowed currency, where any was charged. */
  readonly dailyRates?: Readonly<Record<string, DecimalText>>;
  readonly equityCurrency: string;
  readonly sampleUs: number;
}

export interface BalanceRecord {
  readonly currency: string;
  readonly start: DecimalText;
  readonly end: DecimalText;
  /** Value of the end balance in the equity currency; `null` where no price leads there. */
  readonly value: DecimalText | null;
}

/** What became of the portfolio of a run; amounts are exact. */
export interface PortfolioRecord {
  /** Requests of the strategy: those that needed no transfer, and those that were rejected, by code. */
  readonly requests: {
    readonly balanced: number;
    readonly refused: number;
    readonly rejections: Readonly<Record<string, number>>;
    /** The sentence of the first rejection of each code. */
    readonly firstRejections: Readonly<Record<string, string>>;
  };
  readonly rebalances: {
    readonly begun: number;
    /** All transfers of the last plan were fulfilled; some were not; not ended at the end of the run. */
    readonly done: number;
    readonly incomplete: number;
    readonly underWay: number;
    /** Plans that were begun, those that followed others too. */
    readonly plans: number;
  };
  /** What all transfers cost, in the unit of prices; those in flight by what they are expected to. */
  readonly cost: DecimalText;
  readonly holdings: readonly HoldingRecord[];
  /** What was in flight at the end, and what services and networks took less what they gave. */
  readonly inFlight: readonly AmountRecord[];
  readonly services: readonly AmountRecord[];
  readonly transfers: FirstRows<TransferRow>;
}

export interface HoldingRecord {
  /** An asset at a location: `USDT@ethereum`. */
  readonly holding: string;
  /** What could be transferred at the start and at the end; of the account, what was free. */
  readonly start: DecimalText;
  readonly end: DecimalText;
  /** Of the end, in the unit of prices; `null` if nothing says it. */
  readonly value: DecimalText | null;
}

export interface AmountRecord {
  readonly asset: string;
  readonly amount: DecimalText;
}

/** A transfer as it ended or stood at the end of the run. */
export interface TransferRow {
  readonly id: string;
  readonly plannedAt: TimeText;
  /** When it came to the state that it is in. */
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
  /** Returns that Sharpe, Sortino and volatility are made of. */
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
    /** Times the mean equity of the samples. */
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
  /** Mean net result of a round trip, 20 significant digits; also called average trade. */
  readonly expectancy: DecimalText | null;
  readonly averageWin: DecimalText | null;
  readonly averageLoss: DecimalText | null;
  /** Average win over average loss. */
  readonly payoff: number | null;
  readonly best: DecimalText | null;
  readonly worst: DecimalText | null;
  /** Mean of the worst and of the best unrealised result over the round trips. */
  readonly averageMae: DecimalText | null;
  readonly averageMfe: DecimalText | null;
  readonly averageDurationUs: number | null;
  /** Result of what is still open at the last price, less its entry fees. */
  readonly unrealised: DecimalText;
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
  /** Orders that the venue refused, each order of a refused list. */
  readonly rejected: number;
  /** Orders that the engine refused and did not send, each order of a refused list. */
  readonly refused: number;
  /** Replacements that venue or engine refused. */
  readonly refusedReplacements: number;
  /** Cancels that venue or engine refused, such as those that came after their order had ended. */
  readonly refusedCancels: number;
  /** Targets and quotes that the engine refused. */
  readonly refusedManagedOrders: number;
  /** Settings of margin accounts that came to nothing; absent where there were none. */
  readonly refusedSettings?: number;
  /** All of these together by the code of the rejection. */
  readonly rejections: Readonly<Record<string, number>>;
  /** The sentence of the first rejection of each code. */
  readonly firstRejections: Readonly<Record<string, string>>;
  /** Orders with at least one fill over orders sent and not refused, 0 to 1. */
  readonly fillRatio: number | null;
  readonly fills: number;
  readonly takerFills: number;
}

/** Columns of equal length: the state at each time and the range since the time before. */
export interface Series {
  readonly sampleUs: number;
  /** How many samples each point stands for, 1 unless the run was thinned. */
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

/** An order, as it was sent and as it ended or stood at the end of the run. */
export interface OrderRow {
  readonly sentAt: TimeText;
  /** When its stop price was reached. */
  readonly triggeredAt: TimeText | null;
  /** When it ended at the venue. */
  readonly endedAt: TimeText | null;
  readonly symbol: string;
  /** Its client order id. */
  readonly order: string;
  /** The order whose place it took. */
  readonly replaces: string | null;
  /** The order list that it belongs to: the client order id of the list's first order. */
  readonly list: string | null;
  readonly contingencyType: ContingencyType | null;
  /** Its place in the list, from 0. */
  readonly listIndex: number | null;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: DecimalText | null;
  readonly stopPrice: DecimalText | null;
  /** Fee rates that it asked for itself, as fractions. */
  readonly takeRate: DecimalText | null;
  readonly makeRate: DecimalText | null;
  readonly size: DecimalText;
  /** How much of the size was executed, by the orders that it replaced too. */
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
  /** Its client order id; of a forced fill that of the venue's own order, empty if there was none. */
  readonly order: string;
  readonly id: number;
  /** Absent of spot. */
  readonly margin?: MarginMode;
  /** How the venue closed a position without an order of the strategy; absent of all other fills. */
  readonly forced?: ForcedClose;
}

/** How a venue closes a position without an order of its holder. */
export type ForcedClose = 'liquidated' | 'deleveraged' | 'settled';

/** A round trip; money in the quote currency of its symbol. */
export interface TradeRow {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  /** Absent of spot. */
  readonly margin?: MarginMode;
  /** How the venue closed it, where no order of the strategy did. */
  readonly forced?: ForcedClose;
  readonly openedAt: TimeText;
  readonly closedAt: TimeText;
  readonly size: DecimalText;
  /** Mean prices, 20 significant digits. */
  readonly entryPrice: DecimalText;
  readonly exitPrice: DecimalText;
  readonly fees: DecimalText;
  readonly net: DecimalText;
  /** Net over the value of the entry. */
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
