import { MillraceError, type Warn } from '../../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../../model/instrument.ts';
import type { MarginTerms } from '../../../model/margin-terms.ts';
import { isoTime } from '../../../platform/time.ts';
import type { TradingClient } from '../client/client.ts';
import {
  isWithoutMargin,
  termsBySymbol,
  type SymbolRecords,
  type TermsBySymbol,
  type WireTerms,
} from './margin/terms.ts';

type Rest = TradingClient['rest'];
/** The account's fee rates of each symbol. */
export type InstrumentFees = Awaited<ReturnType<Rest['getSpotFees']>>;

type GivenSymbol = SymbolRecords[string];

const NO_TERMS: TermsBySymbol = new Map();

/** Inputs for reading instruments. */
export interface InstrumentsSetup {
  readonly rest: Rest;
  /** Repeats a read until it succeeds; throws errors that do not pass. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
  readonly warn: Warn;
}

/**
 * All instruments that a key can trade: spot symbols, with their margin terms if the service has some for
 * the key, and contracts, with the fee rates of the account. Terms given for a symbol replace those of the
 * service.
 */
export async function readInstruments(
  setup: InstrumentsSetup,
  given: Readonly<Record<string, readonly MarginTerms[]>> = {},
): Promise<readonly Instrument[]> {
  const { rest, ask, warn } = setup;
  const symbols = await ask(() => rest.getSymbols());
  const fees = await ask(() => rest.getSpotFees());
  const terms = new Map([...(await readTerms(setup, symbols)), ...Object.entries(given)]);
  const hasContracts = Object.keys(symbols).some((symbol) => isContractOn(terms, symbols, symbol));
  const futuresFees = hasContracts ? await ask(() => rest.getFuturesFees()) : [];
  return tradedOf(symbols, [...fees, ...futuresFees], terms, warn);
}

/**
 * The margin terms that a service has for a key, of spot symbols and of contracts; none if it has no
 * margin, or none for this key.
 */
async function readTerms(
  { rest, ask, warn }: InstrumentsSetup,
  symbols: SymbolRecords,
): Promise<TermsBySymbol> {
  const configs: WireTerms[] = [];
  for (const question of [() => rest.getMarginConfig(), () => rest.getFuturesConfig()]) {
    try {
      configs.push(...(await ask(question)).config);
    } catch (error) {
      if (!isWithoutMargin(error)) throw error;
    }
  }
  return termsBySymbol(configs, symbols, warn);
}

/** Spot symbols, and the contracts that have margin terms, as instruments. */
export function tradedOf(
  symbols: SymbolRecords,
  fees: InstrumentFees,
  terms: TermsBySymbol,
  warn: Warn,
): readonly Instrument[] {
  const traded = Object.fromEntries(
    Object.entries(symbols).filter(([symbol]) => isContractOn(terms, symbols, symbol)),
  );
  return [
    ...instrumentsOf(symbols, fees, warn, terms),
    ...contractsOf(traded, warn, { fees, terms }),
  ];
}

const isContractOn = (terms: TermsBySymbol, symbols: SymbolRecords, symbol: string): boolean =>
  symbols[symbol]?.type === 'futures' && terms.has(symbol);

/**
 * The spot symbols of the service as instruments, with the fee rates of the account if the service reports
 * them. Symbols with contradictory terms are left out, each with a warning; contracts are left out without
 * one.
 */
export function instrumentsOf(
  symbols: SymbolRecords,
  fees: InstrumentFees,
  warn: Warn,
  margin: TermsBySymbol = NO_TERMS,
): readonly Instrument[] {
  const rates = new Map(fees.map((fee) => [fee.symbol, fee]));
  return Object.entries(symbols).flatMap(([symbol, given]) => {
    if (given.type !== 'spot') return [];
    const terms = { type: 'spot', baseCurrency: given.base_currency ?? '' } as const;
    const kind = { ...terms, ...marginOf(margin, symbol) };
    return instrumentOf(symbol, { ...given, ...rates.get(symbol) }, kind, warn);
  });
}

/**
 * The contracts of the service as instruments, of which market data is recorded. Only a client with a key
 * gets their margin terms, and passes them in with the fee rates of the account.
 */
export function contractsOf(
  symbols: SymbolRecords,
  warn: Warn,
  account: { readonly fees: InstrumentFees; readonly terms: TermsBySymbol } = {
    fees: [],
    terms: NO_TERMS,
  },
): readonly Instrument[] {
  const rates = new Map(account.fees.map((fee) => [fee.symbol, fee]));
  return Object.entries(symbols).flatMap(([symbol, given]) => {
    if (given.type !== 'futures') return [];
    const { contract_type: contractType, expiry } = given;
    const terms = {
      type: 'futures',
      baseCurrency: given.base_currency ?? given.underlying ?? '',
      contractType,
      ...(expiry === undefined || expiry === null ? {} : { expiry: isoTime(expiry) }),
      ...marginOf(account.terms, symbol),
    } as const;
    return instrumentOf(symbol, { ...given, ...rates.get(symbol) }, terms, warn);
  });
}

const marginOf = (margin: TermsBySymbol, symbol: string): Pick<InstrumentTerms, 'margin'> => {
  const terms = margin.get(symbol);
  return terms === undefined ? {} : { margin: terms };
};

function instrumentOf(
  symbol: string,
  given: Pick<GivenSymbol, 'take_rate' | 'make_rate'> & GivenSymbol,
  kind: Pick<InstrumentTerms, 'type' | 'baseCurrency' | 'contractType' | 'expiry' | 'margin'>,
  warn: Warn,
): readonly Instrument[] {
  try {
    const instrument = new Instrument({
      symbol,
      ...kind,
      quoteCurrency: given.quote_currency,
      tickSize: given.tick_size.toFixed(),
      quantityIncrement: given.quantity_increment.toFixed(),
      takeRate: given.take_rate.toFixed(),
      makeRate: given.make_rate.toFixed(),
      feeCurrency: given.fee_currency,
    });
    return [instrument];
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    warn(error);
    // The fee rate of an account can contradict the margin terms; spot trading is not affected.
    const isOfMargin = error.field?.startsWith('margin') === true && kind.type === 'spot';
    return isOfMargin ? instrumentOf(symbol, given, { ...kind, margin: [] }, warn) : [];
  }
}
