import { Amount } from '../../model/amount.ts';
import { Decimal } from '../../model/decimal.ts';
import { countedLots, isOpen, outstandingLots, type Order } from '../../model/order.ts';
import { priceAmount } from '../../model/prices.ts';
import type { Lots } from '../../model/units.ts';
import type { Target } from '../../strategy/commands.ts';
import type { AccountStreams } from '../account/account-streams.ts';
import type { PositionKeeper } from '../account/position-keeper.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { Desk } from '../orders/desk.ts';
import { affordableLots, sellableLots } from './affordable.ts';
import { Pause } from './pause.ts';

/** What a target needs of its surroundings. */
export interface TargetHost {
  readonly market: InstrumentMarket;
  readonly account: AccountStreams;
  readonly desk: Desk;
  /** Says that there may be something to do. */
  readonly touch: () => void;
  met(lots: Lots): void;
}

/** Keeps a holding at a number of lots with market orders, never more than one on its way. */
export class TargetKeeper {
  readonly pause = new Pause();
  readonly #host: TargetHost;
  readonly #position: PositionKeeper;
  /** The lots to hold; `undefined` without a wish, or while a share is not judged. */
  #goal: number | undefined;
  /** A share of the equity that waits for a price to be judged by. */
  #share: number | undefined;
  /** True when funds may cut the goal for good, as they do with a share. */
  #mayCut = false;
  /** The client order id of the order on its way. */
  #orderId: string | undefined;
  /** True for a wish that is done once it is met. */
  #endsWhenMet = false;
  /** Orders whose end the wish waits for. */
  #cleared: readonly string[] = [];
  /** What was available when too little of it was. */
  #lacked: Amount | undefined;
  #isMet = false;

  constructor(host: TargetHost) {
    this.#host = host;
    this.#position = host.account.keeper(host.market.instrument.symbol);
  }

  /** True when nothing is on its way. */
  get isIdle(): boolean {
    return this.#orderId === undefined;
  }

  get isWaiting(): boolean {
    return this.pause.isOn && (this.#goal !== undefined || this.#share !== undefined);
  }

  /** A new wish, which waits for the end of the `cleared` orders; what is on its way stays counted. */
  want({ hold, clears }: Target, cleared: readonly Order[]): void {
    const before = this.#goal;
    this.#goal = undefined;
    this.#share = undefined;
    this.#isMet = false;
    this.#endsWhenMet = clears === true;
    this.#cleared = cleared.map(({ clientOrderId }) => clientOrderId);
    this.#lacked = undefined;
    this.#mayCut = 'share' in hold;
    if ('share' in hold) {
      this.#share = hold.share;
      this.pause.lift();
      return;
    }
    this.#goal = hold.lots;
    if (this.#goal !== before) this.pause.lift();
  }

  end(): void {
    this.#goal = undefined;
    this.#share = undefined;
  }

  /** Reads what has become of the order on its way. */
  settle(now: number): void {
    const id = this.#orderId;
    if (id === undefined || this.#isUnderway(id)) return;
    this.#orderId = undefined;
    const order = this.#host.desk.find(id);
    const filled = order === undefined ? 0 : countedLots(order);
    if (order === undefined || filled === 0) this.pause.fail(now);
    else if (filled < order.lots) this.pause.wait();
    else this.pause.lift();
  }

  /** Sends the order that closes the distance, if there is one and it is time. */
  keep(now: number): void {
    this.settle(now);
    if (this.#orderId !== undefined || this.#isClearing()) return;
    this.#retryWhenFreed();
    if (this.pause.isOn) return;
    const goal = this.#goal ?? this.#judge();
    if (goal === undefined) return;
    const held = this.#position.present.lots;
    if (goal === held) this.#meet(held);
    else if (goal > held) this.#buy(goal - held, held, now);
    else this.#sell(held - goal, now);
  }

  /** True while orders have not ended that are canceled for the wish, or fills of theirs are not known. */
  #isClearing(): boolean {
    if (this.#cleared.length === 0) return false;
    this.#cleared = this.#cleared.filter((id) => this.#isUnderway(id));
    return this.#cleared.length > 0;
  }

  /** True for an order that is open, or of which fills may still come. */
  #isUnderway(clientOrderId: string): boolean {
    const order = this.#host.desk.find(clientOrderId);
    return order !== undefined && (isOpen(order) || outstandingLots(order) > 0);
  }

  /** What a canceled order reserved may be told as free a moment after its end. */
  #retryWhenFreed(): void {
    if (this.#lacked?.equals(this.#available()) !== false) return;
    this.#lacked = undefined;
    this.pause.lift();
  }

  #available(): Amount {
    const { market, account } = this.#host;
    return account.holdings.available(market.instrument.baseCurrency);
  }

  /** Turns a share of the equity into lots, rounded down, once there is a price. */
  #judge(): number | undefined {
    if (this.#share === undefined) return undefined;
    const { market, account } = this.#host;
    const { instrument } = market;
    const equity = account.worth(instrument.quoteCurrency);
    const price = priceAmount(instrument, market.prices.valuation);
    if (equity === undefined || price === undefined) {
      this.pause.wait();
      return undefined;
    }
    const amount = equity.times(Amount.of(new Decimal(this.#share)));
    const lots = amount.sign <= 0 ? 0 : amount.wholes(instrument.lotAmount.times(price));
    this.#share = undefined;
    this.#goal = Math.min(Number(lots), Number.MAX_SAFE_INTEGER);
    return this.#goal;
  }

  #buy(wanted: number, held: number, now: number): void {
    const { market, account } = this.#host;
    const lots = affordableLots(market, account.holdings, wanted);
    if (this.#mayCut && lots < wanted) this.#goal = held + lots;
    if (lots > 0) this.#send('buy', lots);
    else if (this.#goal === held) this.#meet(this.#position.present.lots);
    else if (Number.isNaN(market.lastTicks)) this.pause.wait();
    else this.pause.fail(now);
  }

  #sell(wanted: number, now: number): void {
    const { market, account } = this.#host;
    const lots = sellableLots(market, account.holdings, wanted);
    if (lots > 0) this.#send('sell', lots);
    else {
      if (this.#endsWhenMet) this.#lacked = this.#available();
      this.pause.fail(now);
    }
  }

  #send(side: 'buy' | 'sell', lots: Lots): void {
    const { market, desk } = this.#host;
    this.#isMet = false;
    this.#orderId = desk.placeManaged(market.instrument.symbol, {
      side,
      type: 'market',
      timeInForce: 'IOC',
      lots,
      postOnly: false,
    });
  }

  #meet(lots: Lots): void {
    if (this.#isMet) return;
    this.#isMet = true;
    if (this.#endsWhenMet) this.end();
    this.#host.met(lots);
  }
}
