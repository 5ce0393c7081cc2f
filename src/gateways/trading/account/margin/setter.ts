import { Decimal, ZERO } from '../../../../model/decimal.ts';
import { MillraceError, type Warn } from '../../../../model/errors.ts';
import type { Instrument } from '../../../../model/instrument.ts';
import {
  marginAccountId,
  type MarginAccountId,
  type MarginReport,
} from '../../../../model/margin-account.ts';
import type { MarginRequest } from '../../../../model/order-request.ts';
import type { Rejection } from '../../../../model/rejections.ts';
import type { Micros } from '../../../../platform/time.ts';
import { accountMissing, marginModeRejection } from '../../../../rules/margin/margin-setting.ts';
import type { VenueMargin } from '../../../venue-account.ts';
import type { TradingClient } from '../../client/client.ts';
import type { TradingSocket } from '../../socket/trading.ts';
import type { MarginMarket } from '../market.ts';
import { outcomeOf, type RequestOutcome } from '../rejections.ts';
import type { Expected, MarginBook } from './book.ts';
import { DerivativesFunds } from './funds.ts';

export interface MarginSetterSetup {
  readonly rest: TradingClient['rest'];
  readonly book: MarginBook;
  readonly now: () => Micros;
  readonly warn: Warn;
  /** `undefined` while nothing can be sent. */
  readonly socket: () => TradingSocket | undefined;
  readonly instrument: (symbol: string) => Instrument | undefined;
  readonly emit: (report: MarginReport) => void;
  /** Reads the accounts of a market again, and adds them to the book if still wanted then. */
  readonly refresh: (market: MarginMarket, isWanted: () => boolean) => Promise<void>;
}

/** A request with what it is about. */
interface Setting {
  readonly request: MarginRequest;
  readonly instrument: Instrument;
  readonly marginAccount: MarginAccountId;
  readonly balance: Decimal;
}

/** A futures setting with an unknown outcome. */
interface UnknownOutcome {
  readonly currency: string;
  readonly brought: Decimal;
  readonly expected: Expected;
}

/**
 * Sets margin accounts, one request at a time. The report of the account is the answer. If the service
 * sends none, because nothing changes, the account is reported as it is.
 */
export class MarginSetter implements VenueMargin {
  readonly #setup: MarginSetterSetup;
  readonly #funds: DerivativesFunds;
  /** Funds moved for settings with an unknown outcome. */
  readonly #unknownOutcomes: UnknownOutcome[] = [];
  #underWay = 0;
  /** The running request and all before it. */
  #last: Promise<void> = Promise.resolve();

  constructor(setup: MarginSetterSetup) {
    this.#setup = setup;
    this.#funds = new DerivativesFunds(setup);
  }

  /** Resolves once all requested settings are answered; absent if none is unfinished. */
  get settled(): Promise<void> | undefined {
    return this.#underWay === 0 ? undefined : this.#last.catch(() => undefined);
  }

  set(request: MarginRequest): void {
    const before = this.#last;
    this.#underWay += 1;
    this.#last = (async () => {
      // Whatever the outcome of the previous one, even a listener that throws, the next continues.
      await before.catch(() => undefined);
      const rejection = await this.#set(request).catch((error: unknown) =>
        rejectionOf(outcomeOf(error)),
      );
      this.#underWay -= 1;
      if (rejection !== undefined) this.#reject(request, rejection);
    })();
  }

  async #set(request: MarginRequest): Promise<Rejection | undefined> {
    const { symbol, mode } = request;
    const { book } = this.#setup;
    const instrument = this.#setup.instrument(symbol);
    if (instrument === undefined) return unknownSymbol(symbol);
    const forbidden = marginModeRejection(instrument, mode);
    if (forbidden !== undefined) return forbidden;
    const marginAccount = marginAccountId(instrument, mode);
    const present = book.find(marginAccount);
    const balance = request.balance ?? present?.balance;
    if (balance === undefined) return accountMissing(instrument, mode);
    const setting = { request, instrument, marginAccount, balance };
    if (present === undefined && balance.isZero()) {
      // No account to close, as far as is known; the service would reject it as unknown.
      this.#setup.emit(book.present(marginAccount, this.#setup.now()));
      return undefined;
    }
    return instrument.isContract
      ? this.#setFutures(setting)
      : this.#send(setting, book.expect(marginAccount));
  }

  /** Funds of futures are in the derivatives balance, and nothing else may take them from there. */
  async #setFutures(setting: Setting): Promise<Rejection | undefined> {
    const { marginAccount, balance } = setting;
    const { currency } = marginAccount;
    this.#settleUnknownOutcomes();
    const more = balance.minus(this.#setup.book.find(marginAccount)?.balance ?? ZERO);
    const brought = more.greaterThan(0) ? await this.#funds.bring(currency, more) : ZERO;
    const before = more.isNegative() ? await this.#funds.available(currency) : undefined;
    const expected = this.#setup.book.expect(marginAccount);
    let rejection: Rejection | undefined;
    try {
      rejection = await this.#send(setting, expected);
    } catch (error) {
      // Whether it was used shows in the next report of the account, or in its absence.
      this.#unknownOutcomes.push({ currency, brought, expected });
      throw error;
    }
    // Nothing was done, so the moved funds go back.
    if (rejection !== undefined) await this.#funds.release(currency, brought);
    else if (before !== undefined) {
      await this.#funds.releaseSince(currency, before, more.negated());
    }
    return rejection;
  }

  #settleUnknownOutcomes(): void {
    for (const { currency, brought, expected } of this.#unknownOutcomes) {
      if (!expected.isAnswered) this.#funds.owe(currency, brought);
    }
    this.#unknownOutcomes.length = 0;
  }

  /** Sends a setting; returns why it was surely not done, and throws what leaves its outcome open. */
  async #send(setting: Setting, expected: Expected): Promise<Rejection | undefined> {
    const { marginAccount, instrument } = setting;
    const { book, now, emit, refresh } = this.#setup;
    const market = instrument.isContract ? 'futures' : 'margin';
    try {
      await this.#request(setting);
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome.kind === 'outcome-unknown') throw error;
      expected.isAnswered = true;
      if (!isReportedAgain(setting, outcome.rejection)) return outcome.rejection;
      // The last report may show less: the one of this setting may have been lost.
      const isKnown = (book.find(marginAccount)?.balance ?? ZERO).equals(setting.balance);
      if (!isKnown) await refresh(market, () => true);
      emit(book.present(marginAccount, now()));
      return undefined;
    }
    if (expected.isAnswered) return undefined;
    // The service confirmed the setting but has not reported the account yet, so read it.
    await refresh(market, () => !expected.isAnswered);
    if (expected.isAnswered) return undefined;
    expected.isAnswered = true;
    emit(book.present(marginAccount, now()));
    return undefined;
  }

  #request({ request, instrument, balance, marginAccount }: Setting): Promise<unknown> {
    const { rest, book } = this.#setup;
    const { symbol, mode } = request;
    const socket = this.#setup.socket();
    if (socket === undefined) throw unopened();
    // A stored balance may have more decimals than the service takes.
    const strict_validate = request.balance !== undefined;
    const params = { symbol, margin_mode: mode, margin_balance: balance, strict_validate };
    const { leverage = instrument.isContract ? book.find(marginAccount)?.leverage : undefined } =
      request;
    if (!instrument.isContract) {
      return socket.request('margin_set_account', { ...params, leverage });
    }
    if (leverage !== undefined) {
      return socket.request('futures_set_account', { ...params, leverage });
    }
    if (mode === 'cross') {
      // Without one every contract has its maximum; the socket requires one.
      const { currency } = marginAccount;
      return rest.setCrossFuturesAccount({ currency, margin_balance: balance, strict_validate });
    }
    const most = instrument.margin.isolated?.maxInitialLeverage ?? new Decimal(1);
    return socket.request('futures_set_account', { ...params, leverage: most });
  }

  #reject({ symbol, mode }: MarginRequest, rejection: Rejection): void {
    const { emit, now } = this.#setup;
    emit({ kind: 'marginRejected', at: now(), symbol, mode, rejection });
  }
}

/** True if the account has the requested setting already. */
const isReportedAgain = ({ balance }: Setting, { code }: Rejection): boolean =>
  code === 'position-unchanged' || (code === 'margin-account-unknown' && balance.isZero());

const rejectionOf = (outcome: RequestOutcome): Rejection =>
  outcome.kind === 'rejected'
    ? outcome.rejection
    : {
        code: 'outcome-unknown',
        message:
          'It is not known whether the margin account was changed. What is asked for is absolute: it can be asked for again.',
      };

const unknownSymbol = (symbol: string): Rejection => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `The venue has no symbol "${symbol}".`,
});

/** Nothing can be sent now. */
export const unopened = (): MillraceError =>
  new MillraceError('unreachable', 'The account is not open, so nothing left.');
