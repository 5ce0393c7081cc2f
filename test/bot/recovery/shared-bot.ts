import { cashOf, lotsAt, shareOf, NO_PARTS } from '../../../src/rules/margin/shared-account.ts';
import type { StoredMarginAccount } from '../../../src/engine/account/margin-store.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { marginAccountId, type MarginAccountReport } from '../../../src/model/margin-account.ts';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { PlaceRequest } from '../../../src/model/order-request.ts';
import type { VenueOrder } from '../../../src/model/order.ts';
import { BTC, START } from '../journal/kit.ts';
import { ETH, MarginBot, MODES } from './margin-bot.ts';
import type { Reported } from './margin-venue.ts';
import { SharedTwin, type Owner } from './shared-twin.ts';

const LEVERAGE = new Decimal(2);
/** What somebody else does is told as such. */
type ByWhom = 'bot' | 'others';

/**
 * A bot whose strategies share both margin accounts, beside a twin that is told of all that happens at the venue.
 * Each connection begins with the accounts as they are.
 */
export class SharedBot extends MarginBot {
  readonly twins: Readonly<Record<MarginMode, SharedTwin>> = {
    isolated: new SharedTwin(),
    cross: new SharedTwin(),
  };
  #by: ByWhom = 'bot';

  constructor(folder: string) {
    super(folder);
    this.#share();
    this.reconcile();
  }

  override kill(): void {
    super.kill();
    this.isCut = true;
    this.#share();
  }

  /** A strategy says what its part is to have; gives what does it at the venue. */
  ask(owner: Owner, mode: MarginMode, units: number): () => void {
    const kept = this.kept(mode);
    const account = kept.state ?? this.#none(mode);
    const own = shareOf(kept.parts ?? NO_PARTS, owner, account).state.balance;
    const balance = account.balance.plus(units * 1_000).minus(own);
    const request = { kind: 'setMargin', symbol: BTC.symbol, mode, balance, leverage: LEVERAGE } as const; // prettier-ignore
    this.journal.intendMargin(owner, request);
    return () => this.set(owner, mode, balance);
  }

  set(owner: Owner, mode: MarginMode, balance: Decimal, by: ByWhom = 'bot'): void {
    const before = this.venue.brought;
    this.#by = by;
    this.venue.set(mode, balance, LEVERAGE);
    this.#by = 'bot';
    this.twins[mode].bring(owner, this.venue.brought.minus(before));
  }

  place(owner: Owner, request: PlaceRequest): void {
    if (owner !== 'nobody') {
      const asked = { strategy: owner, managed: false, requestedAt: START };
      this.journal.orders.request(request, asked);
      this.journal.intend([{ at: START, strategy: owner, request, managed: false }]);
    }
    this.venue.place(request);
  }

  fill(order: VenueOrder, lots: number, ticks: number): void {
    const { length } = this.venue.fills;
    this.venue.fill(order, lots, ticks);
    const fill = this.venue.fills[length];
    if (fill?.margin === undefined) return;
    const [name] = fill.clientOrderId.split('-');
    this.twins[fill.margin].fill(name === 'one' || name === 'two' ? name : 'nobody', fill);
  }

  pay(mode: MarginMode, cents: number, kind: 'funding' | 'interest'): void {
    const { length } = this.venue.carries;
    this.venue.pay(mode, cents, kind);
    for (const { symbol, carry } of this.venue.carries.slice(length)) {
      this.twins[mode].pay(symbol, carry.amount, kind);
    }
  }

  liquidate(mode: MarginMode, symbol: string, cents: number): void {
    const before = this.venue.state(mode);
    const net = before === undefined ? 0 : lotsAt(before, symbol);
    if (before === undefined || net === 0) return;
    this.venue.liquidate(mode, symbol, cents);
    const after = this.venue.state(mode) ?? before;
    this.twins[mode].force(symbol, net, cashOf(after).minus(cashOf(before)));
  }

  kept(mode: MarginMode): StoredMarginAccount {
    return this.journal.margin.bearing(BTC, mode) ?? {};
  }

  /** True while a comparison is to come that says what happened before this connection. */
  waits(mode: MarginMode): boolean {
    return this.isCut || this.journal.marginWaits(marginAccountId(BTC, mode));
  }

  protected override deliver(report: Reported): void {
    const isSet = report.kind === 'marginAccount' && report.position === undefined;
    super.deliver(isSet && this.#by === 'others' ? { ...report, byOthers: true } : report);
  }

  #share(): void {
    for (const mode of MODES)
      this.journal.marginAccounts((margin) => margin.share(marginAccountId(BTC, mode)));
  }

  #none(mode: MarginMode): MarginAccountReport['account'] {
    const zero = new Decimal(0);
    return {
      ...marginAccountId(BTC, mode),
      isOpen: false,
      balance: zero,
      positions: [],
      reservedOrders: zero,
      reservedPositions: zero,
    };
  }
}

export const SYMBOLS = [BTC.symbol, ETH.symbol];
