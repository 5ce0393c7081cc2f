import type { MarketDataOptions } from '../../../src/exchange/market-data/market-data.ts';
import { instrumentOf, Floor, type Order } from '../kit.ts';
import { shaped } from '../random-lists.ts';
import type { Step } from '../random-steps.ts';

export const INSTRUMENTS = [
  instrumentOf(),
  instrumentOf({
    symbol: 'ETHBTC',
    baseCurrency: 'ETH',
    quoteCurrency: 'BTC',
    feeCurrency: 'BTC',
    tickSize: '0.01',
  }),
];

const indexOf = (name: string): number => (name === 'BTCUSDT' ? 0 : 1);

/** Plays random steps on an exchange that publishes market data. */
export class Actor {
  readonly floor: Floor;
  readonly #accounts: readonly number[];
  #sequence = 10;
  #names = 0;

  constructor(marketData: MarketDataOptions | undefined) {
    this.floor = new Floor(INSTRUMENTS, marketData === undefined ? {} : { marketData });
    this.floor.at = 1_790_000_000_000_000;
    const funds = { USDT: '5000', BTC: '40', ETH: '30' };
    this.#accounts = [0, 1, 2].map(() => this.floor.account(funds));
  }

  step(action: Step): void {
    const { floor } = this;
    if (action.kind === 'twice') {
      this.#tape({ ...action, kind: 'trade', symbol: 'BTCUSDT', ticks: 100 });
      floor.pass(action.us);
      return;
    }
    if (!('account' in action)) {
      this.#tape(action);
      return;
    }
    const account = this.#accounts[action.account];
    const name = `o${(this.#names += 1)}`;
    switch (action.kind) {
      case 'limit':
      case 'market':
      case 'stop':
        floor.place(account, name, this.#order(action));
        return;
      case 'list': {
        const orders = shaped(action.type, action.parts, floor.at).map(
          (order) => [`o${(this.#names += 1)}`, order] as const,
        );
        floor.placeList(account, action.type, orders);
        return;
      }
      case 'cancel':
        floor.cancel(account, this.#picked(action.pick));
        return;
      case 'replace': {
        const { ticks, lots, stop } = action;
        const change = {
          ticks,
          lots,
          stop,
        };
        floor.replace(account, this.#picked(action.pick), name, change);
        return;
      }
    }
  }

  #tape(action: Exclude<Step, { account: number } | { kind: 'twice' }>): void {
    const { floor } = this;
    switch (action.kind) {
      case 'trade':
        floor.trade(action.side, action.ticks, action.lots, indexOf(action.symbol));
        return;
      case 'depth':
      case 'snapshot':
        floor[action.kind](action.levels, this.#number(action.sequence), indexOf(action.symbol));
        return;
      case 'quote': {
        const ask = [action.bid[0] + action.spread, action.askLots] as const;
        floor.quote(action.bid, ask, this.#number(action.sequence));
        return;
      }
      case 'wait':
        floor.pass(action.us);
        return;
      case 'gap':
        floor.gap();
        return;
      case 'candle': {
        const [open, close, a, b] = action.prices;
        const high = Math.max(open, close, a, b);
        const low = Math.min(open, close, a, b);
        floor.candle(open, high, low, close, action.lots, action.periodUs);
        return;
      }
    }
  }

  #order(action: Step & { kind: 'limit' | 'stop' | 'market' }): Order {
    const { symbol, side, lots } = action;
    const order = { symbol, side, lots };
    if (action.kind === 'market') return { ...order, timeInForce: action.life };
    const { ticks } = action;
    const life: Partial<Order> =
      action.life === 'postOnly'
        ? { postOnly: true }
        : action.life === 'GTD'
          ? { timeInForce: 'GTD', expireAt: this.floor.at + 40 }
          : { timeInForce: action.life };
    if (action.kind === 'limit') return { ...order, ticks, ...life };
    const { type, stop } = action;
    if (type.endsWith('Limit')) return { ...order, type, stop, ticks, ...life };
    return action.life === 'postOnly'
      ? { ...order, type, stop }
      : { ...order, type, stop, ...life };
  }

  /** One of the latest names: its order may be alive, of this account, or neither. */
  #picked(pick: number): string {
    return `o${Math.max(1, this.#names - (pick % 12))}`;
  }

  #number(change: number): number {
    if (change === 0) return 0;
    this.#sequence += change;
    return this.#sequence;
  }
}
