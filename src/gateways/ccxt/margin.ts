import { ZERO, type Decimal } from '../../model/decimal.ts';
import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type {
  MarginAccountReport,
  MarginAccountState,
  MarginReport,
  PositionEnd,
  VenuePosition,
} from '../../model/margin-account.ts';
import type { MarginRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Fill } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { positionAfterFill, emptyPosition } from '../../rules/margin/position-fill.ts';
import type { EndedPosition, MarginSnapshot, PositionCarry, VenueMargin } from '../venue-account.ts'; // prettier-ignore
import type { ContractSettings } from './agreement.ts';
import { shownAccount, shownFundings, type ContractRules, type ShownAccount, type ShownFunding, type ShownPosition } from './contracts.ts'; // prettier-ignore
import type { CcxtExchange } from './exchange.ts';
import { numberOf, type TradeView } from './records.ts';
import { decimalOf } from './terms.ts';

export interface CcxtMarginSetup {
  readonly exchange: CcxtExchange;
  readonly rules: ContractRules;
  readonly settings: ContractSettings;
  readonly scheduler: Scheduler;
  readonly warn: Warn;
  readonly emit: (report: MarginReport) => void;
  /** Repeats a read until it succeeds; throws errors that do not pass, and once the account is closed. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
  /** The clock of the venue. */
  readonly venueNow: () => Micros;
  /** Trades of a symbol since a time, oldest first. */
  readonly trades: (symbol: string, since: number) => Promise<readonly TradeView[]>;
  /** True for a trade of an order of the bot, or possibly of one: it was open before the first report. */
  readonly isOwn: (trade: TradeView) => boolean;
}

/** The account is read so often, and so soon after a fill. */
const EVERY_US = 5 * US_PER_SECOND;
const SOON_US = 500 * US_PER_MS;
/** An unexplained state is accepted after this many reads. */
const BELIEVED_AFTER = 3;
/** Clocks are not read exactly. */
const OVERLAP_US = 2 * US_PER_SECOND;
/** Payments are searched this far back, as exchanges report them late. */
const FUNDING_US = 15 * 60 * US_PER_SECOND;
/** Known trades and payments, so that none counts twice. */
const KNOWN_MAX = 10_000;

/**
 * The cross margin account of an account's perpetuals: the wallet of their currency at the exchange. A fill
 * of an own order changes it here at once, which recovery repeats. The exchange's state is then compared
 * with that, and differences are explained: by payments of funding, by trades without an order of the bot,
 * and finally by other clients.
 */
export class CcxtMargin implements VenueMargin {
  readonly #setup: CcxtMarginSetup;
  #instruments: ReadonlyMap<string, Instrument> = new Map();
  #state: MarginAccountState | undefined;
  /** Trades and payments that are in the state. */
  readonly #counted = new Set<string>();
  /** Ends of positions by the venue, oldest first. */
  readonly #ended: EndedPosition[] = [];
  /** Possible error of the results by rounded prices since the exchange was read. */
  #slack = ZERO;
  /** Everything before it is in the state. */
  #readAt: Micros = micros(0);
  /** Symbols with unreported trades of own orders. */
  readonly #awaited = new Set<string>();
  /** The unexplained difference, and how often it was read. */
  #odd = '';
  #oddCount = 0;
  #cancel: Cancel = () => undefined;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(setup: CcxtMarginSetup) {
    this.#setup = setup;
  }

  /** Reads the account for the first time. Throws `config-invalid` if there is none. */
  async open(instruments: readonly Instrument[]): Promise<ShownAccount> {
    const { exchange, venueNow, ask, trades } = this.#setup;
    this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
    this.#readAt = venueNow();
    const shown = await ask(() => this.#shown());
    if (shown.wallet === undefined) {
      throw new MillraceError('config-invalid', `${exchange.id} has no cross margin account of ${this.currency} for perpetuals: open it there and bring funds to it.`, { field: 'margin' }); // prettier-ignore
    }
    for (const symbol of this.#instruments.keys()) {
      for (const one of await trades(symbol, this.#readAt - 2 * OVERLAP_US)) this.#count(keyOf(one.fill)); // prettier-ignore
    }
    for (const one of await this.#fundings(this.#readAt - FUNDING_US)) this.#count(fundingKey(one));
    const positions = shown.positions.flatMap((one) => this.#positionOf(one) ?? []);
    this.#state = this.#stateOf(shown, shown.wallet, positions);
    return shown;
  }

  /** In which the perpetuals settle. */
  get currency(): string {
    const [first] = this.#instruments.values();
    return first?.quoteCurrency ?? '';
  }

  /** Emits the account as it is, and follows it from here on. */
  start(): void {
    this.#update();
    this.#arm(EVERY_US);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** An own order's fill was reported. */
  fill(fill: Fill): void {
    this.#count(keyOf(fill));
    this.#traded(fill, {});
    this.#arm(SOON_US);
  }

  /** Reads the account once more, after a read in progress. */
  async read(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
    this.#reading = this.#sync().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** The account after all explanations, and the events of its positions since a time. */
  async snapshot(since: number): Promise<MarginSnapshot> {
    for (let times = 0; times < BELIEVED_AFTER; times += 1) {
      await this.read();
      if (this.#oddCount === 0) break;
    }
    const carries = await this.#fundings(since);
    return {
      accounts: this.#state === undefined ? [] : [this.#state],
      ended: this.#ended.filter(({ at }) => at >= since),
      carries: carries.map((one): PositionCarry => {
        return { symbol: one.symbol, mode: 'cross', carry: carryOf(one), at: atOf(one) };
      }),
    };
  }

  /**
   * Funds are moved at the exchange, and the leverage is the configured one: requests for them are
   * rejected.
   */
  set(request: MarginRequest): void {
    const { scheduler } = this.#setup;
    scheduler.at(scheduler.now(), () => {
      const rejection = this.#rejection(request);
      const at = scheduler.now();
      if (rejection !== undefined) {
        const { symbol, mode } = request;
        this.#emit({ kind: 'marginRejected', at, symbol, mode, rejection });
      } else if (this.#state !== undefined) {
        this.#emit({ kind: 'marginAccount', at, reason: 'marginChanged', account: this.#state });
      }
    });
  }

  #rejection({ symbol, mode, balance, leverage }: MarginRequest): Rejection | undefined {
    const { exchange, settings } = this.#setup;
    const state = this.#state;
    if (!this.#instruments.has(symbol) || mode !== 'cross' || state === undefined) {
      return { code: 'margin-mode-invalid', field: 'margin', message: `Through ccxt perpetuals are traded on cross margin; give the market as cross('${symbol}').` }; // prettier-ignore
    }
    if (leverage !== undefined && !leverage.equals(settings.leverage)) {
      return { code: 'leverage-invalid', field: 'leverage', message: `Through ccxt the leverage is that of the configuration: margin.leverage is ${settings.leverage.toFixed()}.` }; // prettier-ignore
    }
    if (balance === undefined || balance.equals(state.balance)) return undefined;
    return { code: 'margin-balance-invalid', field: 'balance', message: `Through ccxt the margin account is the wallet of perpetuals at ${exchange.id}, with ${state.balance.toFixed()} ${state.currency}: move funds there, and leave the balance out.` }; // prettier-ignore
  }

  #shown(): Promise<ShownAccount> {
    const { exchange, rules } = this.#setup;
    return shownAccount(exchange, rules, this.currency, [...this.#instruments.keys()]);
  }

  #fundings(since: number): Promise<readonly ShownFunding[]> {
    const { exchange, rules, ask } = this.#setup;
    const sinceMs = Math.max(0, Math.floor(since / US_PER_MS));
    return ask(() => shownFundings(exchange, rules, [...this.#instruments.keys()], sinceMs));
  }

  #arm(afterUs: number): void {
    const { scheduler, warn } = this.#setup;
    this.#cancel();
    if (this.#isClosed) return;
    this.#cancel = scheduler.at(micros(scheduler.now() + afterUs), () => {
      this.read()
        .catch((error: unknown) => {
          if (!this.#isClosed && error instanceof MillraceError) warn(error);
        })
        .finally(() => this.#arm(this.#oddCount > 0 ? US_PER_SECOND : EVERY_US));
    });
  }

  /** Holds what the exchange shows against the state. */
  async #sync(): Promise<void> {
    const { venueNow, ask } = this.#setup;
    const readAt = venueNow();
    const shown = await ask(() => this.#shown());
    // A payment changes the funds; reading them is dear at some exchanges.
    const isChanged = this.#state?.balance.equals(shown.wallet ?? ZERO) !== true;
    const fundings = isChanged ? await this.#fundings(readAt - FUNDING_US) : [];
    if (this.#isClosed || this.#state === undefined) return;
    for (const one of fundings) this.#funded(one);
    const known = new Map(shown.positions.map((one) => [one.symbol, this.#positionOf(one)]));
    const odd: string[] = [];
    for (const symbol of this.#instruments.keys()) {
      const lots = known.get(symbol)?.lots ?? 0;
      if (lots === this.#lots(symbol) || (await this.#explain(symbol, lots))) continue;
      odd.push(`${symbol} ${lots} ${this.#lots(symbol)}`);
    }
    const funds = (shown.wallet ?? ZERO).minus(this.#state.balance);
    const isRounding = funds.abs().lessThanOrEqualTo(this.#slack);
    if (odd.length === 0 && !isRounding) odd.push(`funds ${funds.toFixed()}`);
    this.#oddCount = odd.length === 0 ? 0 : this.#odd === odd.join() ? this.#oddCount + 1 : 1;
    this.#odd = odd.join();
    if (odd.length > 0 && this.#oddCount < BELIEVED_AFTER) return;
    this.#oddCount = 0;
    this.#readAt = readAt;
    this.#slack = ZERO;
    this.#believe(shown, known, isRounding);
  }

  /** Takes over the account as reported; other clients caused what is unexplained. */
  #believe(
    shown: ShownAccount,
    known: ReadonlyMap<string, VenuePosition | undefined>,
    isRounding: boolean,
  ): void {
    const before = this.#state;
    if (before === undefined) return;
    for (const symbol of this.#instruments.keys()) {
      const is = known.get(symbol);
      if ((is?.lots ?? 0) === this.#lots(symbol)) continue;
      const was = before.positions.find((one) => one.symbol === symbol);
      this.#put(symbol, is);
      const position = is ?? { ...(was ?? emptyPosition(symbol, 0, this.#readAt)), lots: 0, entryValue: ZERO }; // prettier-ignore
      const isOwn = this.#awaited.delete(symbol);
      this.#report({ reason: 'updated', position, ...(isOwn ? {} : { byOthers: true }) });
    }
    const positions = this.#state?.positions ?? [];
    const merged = positions.map((one) =>
      mergedWith(one, known.get(one.symbol), this.#instruments),
    );
    const after = this.#stateOf(shown, shown.wallet ?? ZERO, merged);
    const isSame = shownText(after) === shownText(before);
    this.#state = after;
    if (!isRounding) this.#report({ reason: 'marginChanged', byOthers: true });
    else if (!isSame) this.#update();
  }

  /** Trades without an order of the bot that explain a position; false if they do not. */
  async #explain(symbol: string, lots: number): Promise<boolean> {
    const { trades, isOwn, rules } = this.#setup;
    const found = await trades(symbol, this.#readAt - OVERLAP_US);
    const others = found.filter((one) => !this.#counted.has(keyOf(one.fill)));
    // Trades of own orders are reported with them, or by a comparison.
    if (others.some(isOwn)) this.#awaited.add(symbol);
    else this.#awaited.delete(symbol);
    if (this.#awaited.has(symbol)) return false;
    const sum = others.reduce((all, { fill }) => all + signed(fill), this.#lots(symbol));
    if (sum !== lots) return false;
    for (const { fill, info } of others) {
      this.#count(keyOf(fill));
      const end = rules.forced({ info }, fill.clientOrderId);
      const { side, ticks, lots: size, id } = fill;
      const fee = this.#feeOf(fill);
      const { position } = this.#traded(fill, end === undefined ? { byOthers: true } : { end, forced: { id, side, ticks, lots: size, fee } }); // prettier-ignore
      if (end !== undefined && position.lots === 0) this.#end(position, end, fill);
    }
    return true;
  }

  #end({ id, symbol }: VenuePosition, end: PositionEnd, { at, lots }: Fill): void {
    const liquidated = end === 'liquidated' ? { liquidatedLots: lots } : {};
    this.#ended.push({ id, symbol, mode: 'cross', end, at, ...liquidated });
    if (this.#ended.length > KNOWN_MAX) this.#ended.shift();
  }

  #feeOf({ fee, feeCurrency }: Fill): Decimal {
    return feeCurrency === this.currency ? fee.toDecimal() : ZERO;
  }

  /** A trade changes its position and the funds; that is reported. */
  #traded(
    fill: Fill,
    more: Pick<MarginAccountReport, 'byOthers' | 'end' | 'forced'>,
  ): { readonly position: VenuePosition } {
    // prettier-ignore
    const instrument = this.#instruments.get(fill.symbol);
    const state = this.#state;
    if (instrument === undefined || state === undefined) throw new MillraceError('internal', `${fill.symbol} is not traded on margin.`); // prettier-ignore
    const held = state.positions.find(({ symbol }) => symbol === fill.symbol);
    const fee = this.#feeOf(fill);
    const newId = (): number => idOf(fill.symbol, signed(fill));
    const { reason, position, open, pnl, closedLots } = positionAfterFill(held, instrument, fill, { fee, newId }); // prettier-ignore
    this.#state = { ...state, balance: state.balance.plus(pnl).minus(fee) };
    this.#put(fill.symbol, open);
    this.#slack = this.#slack.plus(instrument.size(closedLots as Lots).times(instrument.tickSize));
    const end = position.lots === 0 ? { end: 'closed' as const } : {};
    const reasonOf = more.end === 'liquidated' ? 'liquidated' : reason;
    this.#report({ reason: reasonOf, at: fill.at, position, ...end, ...more });
    return { position };
  }

  #funded(one: ShownFunding): void {
    const key = fundingKey(one);
    const state = this.#state;
    if (state === undefined || this.#counted.has(key)) return;
    this.#count(key);
    const at = atOf(one);
    const held = state.positions.find(({ symbol }) => symbol === one.symbol);
    const position = held
      ? { ...held, carry: held.carry.plus(one.amount), updatedAt: at }
      : emptyPosition(one.symbol, idOf(one.symbol, 1), at);
    this.#state = { ...state, balance: state.balance.plus(one.amount) };
    if (held !== undefined) this.#put(one.symbol, position);
    this.#report({ reason: 'updated', at, position, carry: carryOf(one) });
  }

  #count(key: string): void {
    this.#counted.add(key);
    if (this.#counted.size <= KNOWN_MAX) return;
    for (const oldest of this.#counted) {
      this.#counted.delete(oldest);
      return;
    }
  }

  #lots(symbol: string): number {
    return this.#state?.positions.find((one) => one.symbol === symbol)?.lots ?? 0;
  }

  #put(symbol: string, position: VenuePosition | undefined): void {
    const state = this.#state;
    if (state === undefined) return;
    const others = state.positions.filter((one) => one.symbol !== symbol);
    this.#state = {
      ...state,
      positions: position === undefined ? others : [...others, position],
    };
  }

  #stateOf(
    { positions: shown }: ShownAccount,
    balance: Decimal,
    positions: readonly VenuePosition[],
  ): MarginAccountState {
    return {
      mode: 'cross',
      isOpen: true,
      isContract: true,
      currency: this.currency,
      leverage: this.#setup.settings.leverage,
      balance,
      reservedOrders: ZERO,
      reservedPositions: shown.reduce((sum, { margin = ZERO }) => sum.plus(margin), ZERO),
      positions,
    };
  }

  /** Converts a reported position; `undefined` for a symbol that is not traded here. */
  #positionOf(shown: ShownPosition): VenuePosition | undefined {
    const { symbol, contracts, entryPrice = ZERO, liquidationPrice } = shown;
    const instrument = this.#instruments.get(symbol);
    const contract = decimalOf(this.#setup.exchange.markets?.[symbol]?.contractSize);
    const size = contracts.abs().times(contract ?? 1);
    const isShort = contracts.isNegative();
    const lots = instrument?.lotsExactly(size);
    if (instrument === undefined) return undefined;
    if (lots === undefined) {
      this.#setup.warn(new MillraceError('off-grid', `The position in ${symbol}, ${contracts.toFixed()} contracts, is off the grid of its terms; what is beyond it is not seen.`, { field: 'quantity' })); // prettier-ignore
    }
    const held = lots ?? instrument.lots(size, 'down');
    if (held === 0) return undefined;
    const value = entryPrice.times(instrument.size(held)).div(instrument.tickValue).toFixed(0);
    const at = this.#setup.venueNow();
    return {
      ...emptyPosition(symbol, idOf(symbol, isShort ? -1 : 1), at),
      lots: (isShort ? -1 : 1) * held,
      entryPrice: instrument.price(instrument.ticks(entryPrice, 'near')),
      entryValue: instrument.tickValue.times(value),
      ...(liquidationPrice?.greaterThan(0) === true ? { liquidationPrice } : {}),
    };
  }

  #update(): void {
    this.#report({ reason: 'updated' });
  }

  #report({
    at,
    ...more
  }: Omit<MarginAccountReport, 'kind' | 'account' | 'at'> & { readonly at?: Micros }): void {
    // prettier-ignore
    if (this.#state === undefined) return;
    const account = this.#state;
    this.#emit({ kind: 'marginAccount', at: at ?? this.#setup.scheduler.now(), account, ...more });
  }

  #emit(report: MarginReport): void {
    if (!this.#isClosed) this.#setup.emit(report);
  }
}

const signed = ({ side, lots }: Fill): number => (side === 'buy' ? 1 : -1) * lots;

const keyOf = ({ clientOrderId, id }: Fill): string => `${clientOrderId} ${id}`;

const fundingKey = ({ symbol, time }: ShownFunding): string => `funding ${symbol} ${time}`;

const atOf = ({ time }: ShownFunding): Micros => micros(time * US_PER_MS);

const carryOf = ({ amount, price, rate }: ShownFunding) => ({ kind: 'funding', amount, price, rate }) as const; // prettier-ignore

/** Exchanges do not number positions: a symbol has one number for a long and one for a short. */
const idOf = (symbol: string, sign: number): number =>
  numberOf(`${symbol} ${sign < 0 ? 'short' : 'long'}`);

/**
 * A known position with the members that only the exchange has; its entry if they differ by more than a
 * tick.
 */
function mergedWith(
  known: VenuePosition,
  shown: VenuePosition | undefined,
  instruments: ReadonlyMap<string, Instrument>,
): VenuePosition {
  if (shown === undefined) return known;
  const { liquidationPrice } = shown;
  const tick = instruments.get(known.symbol)?.tickSize ?? ZERO;
  const isNear = known.entryPrice.minus(shown.entryPrice).abs().lessThanOrEqualTo(tick);
  const entry = isNear ? known : shown;
  return {
    ...known,
    entryPrice: entry.entryPrice,
    entryValue: entry.entryValue,
    ...(liquidationPrice === undefined ? {} : { liquidationPrice }),
  };
}

/** The members of an account that cause a report when they change. */
const shownText = ({ balance, reservedPositions, positions }: MarginAccountState): string =>
  JSON.stringify([
    balance.toFixed(),
    reservedPositions.toFixed(),
    positions.map((one) => [one.symbol, one.lots, one.entryPrice.toFixed(), one.liquidationPrice?.toFixed()]), // prettier-ignore
  ]);
