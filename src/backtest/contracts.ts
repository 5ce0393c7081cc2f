import type { Recording } from '../feeds/reader.ts';
import type { RecordingSummary } from '../feeds/recording.ts';
import { inBaseCurrency } from '../model/contract-terms.ts';
import { Decimal } from '../model/decimal.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../model/derivative-state.ts';
import { MillraceError } from '../model/errors.ts';
import type { InstrumentTerms } from '../model/instrument.ts';
import { MARGIN_MODES, type MarginTerms } from '../model/margin-terms.ts';

/**
 * Margin terms of contracts without any in recording and plan: those that the trading service
 * publishes for most symbols, with a leverage of at most 10.
 */
export const ASSUMED_MARGIN: readonly MarginTerms[] = MARGIN_MODES.map((marginMode) => ({
  marginMode,
  maxInitialLeverage: '10',
  marginCallLeverageMul: '1.50',
  liquidationLeverageMul: '2.00',
  forceCloseFee: '0.05',
  enabled: true,
  active: true,
}));

/**
 * Throws `instrument-unsupported` for contracts that cannot be valued, and `recording-invalid` for
 * candles of prices that are not traded.
 */
export function checkTraded({ path, meta: { instrument, prices } }: Recording): void {
  const { symbol, settlement, baseCurrency } = instrument;
  if (prices !== undefined) {
    throw new MillraceError(
      'recording-invalid',
      `${path} holds candles of the ${prices} price, at which nobody trades: take a recording of trades, of a book, or of their candles.`,
      { where: path, field: 'prices' },
    );
  }
  if (settlement !== 'inverse') return;
  throw new MillraceError(
    'instrument-unsupported',
    `${symbol} is an inverse contract, which settles in ${baseCurrency}; backtests and paper accounts trade contracts that settle in their quote currency. Take a recording of the linear contract.`,
    { field: 'settlement', where: path },
  );
}

/** The terms by which a recorded instrument is traded, contracts in their base currency. */
export function tradedTerms(
  terms: InstrumentTerms,
  margin: readonly MarginTerms[] | undefined,
): InstrumentTerms {
  if (terms.type === 'spot') return margin === undefined ? terms : { ...terms, margin };
  return { ...inBaseCurrency(terms), margin: margin ?? terms.margin ?? ASSUMED_MARGIN };
}

/** Derivative data in the rows of a recording, as bits of `DerivativeState`. */
export function derivativesIn({ derivatives }: RecordingSummary): number {
  if (derivatives === undefined) return 0;
  const { marks, indexes, fundings, openInterests } = derivatives;
  return (
    (marks > 0 ? MARKED : 0) |
    (indexes > 0 ? INDEXED : 0) |
    (fundings > 0 ? FUNDED : 0) |
    (openInterests > 0 ? OPENED : 0)
  );
}

/** How the positions of a run were valued and charged, for the reader of its result. */
export function marginAssumptions(
  { terms }: { readonly terms: InstrumentTerms },
  recorded: InstrumentTerms,
  run: {
    readonly isGiven: boolean;
    readonly reported: number;
    readonly dailyRates: Readonly<Record<string, string>>;
  },
): readonly string[] {
  const { symbol, margin = [] } = terms;
  const { isGiven, reported } = run;
  if (margin.length === 0) return [];
  if (terms.type === 'spot') {
    return [
      `${symbol} is traded on the margin terms of ${isGiven ? 'the plan' : 'the recording'}; ${interest(terms, run.dailyRates)}.`,
    ];
  }
  const source = isGiven ? 'the plan' : 'the recording';
  const isAssumed = !isGiven && recorded.margin === undefined;
  return [
    isAssumed
      ? `${symbol} has no margin terms in its recording: it is traded with a leverage of 10 at most, a margin call and liquidation at 1.5 and 2 times the leverage of the account, and a fee of 5 % of what is liquidated; give margin.${symbol} for others.`
      : `${symbol} is traded on the margin terms of ${source}.`,
    ...contractSize(terms, recorded),
    ...(recorded.contractType === undefined
      ? [
          `The recording of ${symbol} does not say how the contract ends: it is taken for a perpetual.`,
        ]
      : []),
    (reported & MARKED) === 0
      ? `No mark price of ${symbol} is recorded: positions are judged by one that the exchange makes of the index and the funding rate.`
      : `Positions in ${symbol} are judged by the recorded mark price; until the first one, by one that the exchange makes.`,
    ...((reported & INDEXED) === 0
      ? [
          `No index of ${symbol} is recorded: it is the middle of the market of the spot symbol of the same currencies where the run has that, else of its own.`,
        ]
      : []),
    ...(terms.contractType === 'perpetual' ? [funding(symbol, reported)] : []),
  ];
}

/** A long borrows the quote currency, a short the base currency. */
function interest(
  { baseCurrency, quoteCurrency }: InstrumentTerms,
  rates: Readonly<Record<string, string>>,
): string {
  const charged = [quoteCurrency, baseCurrency].filter((name) => Number(rates[name] ?? 0) > 0);
  if (charged.length === 0) return 'no interest is charged';
  const what = charged.map((name) => `${rates[name]} a day of what is borrowed in ${name}`);
  return `interest is ${what.join(' and ')}, charged at 00:00, 08:00 and 16:00 UTC`;
}

function contractSize(
  { symbol, baseCurrency }: InstrumentTerms,
  { contractSize: size }: InstrumentTerms,
): readonly string[] {
  return size === undefined || new Decimal(size).equals(1)
    ? []
    : [`Quantities of ${symbol} are in ${baseCurrency}; a contract is ${size} of it.`];
}

/** A recorded rate of 0 is a known rate. */
const funding = (symbol: string, reported: number): string =>
  (reported & FUNDED) === 0
    ? `Funding of ${symbol} is not known, as none is recorded: what the exchange makes of the premium of its book over the index is paid, at 00:00, 08:00 and 16:00 UTC.`
    : `Funding of ${symbol} is paid at the recorded times and rates, each at the mark price of its time, and none before the first recorded rate.`;

/** Warning of fundings without a recorded rate. */
export const missedFunding = (symbol: string, count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${count === 1 ? 'A funding' : `${count} fundings`} of ${symbol} ${count === 1 ? 'was' : 'were'} due for which the recording has no rate: nothing was paid for ${count === 1 ? 'it' : 'them'}.`,
      ];
