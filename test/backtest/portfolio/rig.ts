import { Mark } from '../../../src/backtest/metrics/mark.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import type { RunPortfolio } from '../../../src/backtest/portfolio/settings.ts';
import { LocalPortfolio } from '../../../src/backtest/portfolio/portfolio.ts';
import type {
  NetworkModel,
  OrderModel,
  SwapModel,
} from '../../../src/gateways/rebalancing/simulated/settings.ts';
import { SimulatedVenue } from '../../../src/gateways/simulated.ts';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { eventColumns, LAST, QUOTE } from '../../../src/model/events.ts';
import {
  parseHoldingKey,
  type PortfolioTargets,
  type HoldingKey,
} from '../../../src/model/portfolio.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { PortfolioReport } from '../../../src/strategy/portfolio.ts';
import type { RebalanceReport } from '../../../src/swaps/execution/report.ts';
import { instrumentOf } from '../../kit/instruments.ts';

const START = micros(1_700_000_000_000_000);

export const holdingOf = (name: string): HoldingKey =>
  parseHoldingKey(name) ?? { asset: name, location: '' };

const amounts = (values: Readonly<Record<string, string>>): ReadonlyMap<string, Decimal> =>
  new Map(Object.entries(values).map(([name, value]) => [name, decimal(value)]));

export const network = (changes: Partial<NetworkModel['deposit']> = {}): NetworkModel => {
  const transfer = { takes: 60 * US_PER_SECOND, fails: 0, ...changes };
  return { withdrawal: { fees: amounts({ USDT: '2' }), ...transfer }, deposit: transfer };
};

/** A service of exchange orders with the fee of a unit for each payout. */
export const orders = (changes: Partial<OrderModel> = {}): OrderModel => {
  const { fee: _, impact: __, confirm: ___, ...rest } = service();
  const networkFees = amounts({ USDT: '1', BTC: '0.00002' });
  const chances = { refused: 0, expired: 0, refunded: 0 };
  return { ...rest, kind: 'exchangeOrder', networkFees, chances, ...changes };
};

export const service = (changes: Partial<SwapModel> = {}): SwapModel => ({
  kind: 'swap',
  holdings: [holdingOf('USDT@ethereum'), holdingOf('BTC@bitcoin')],
  spread: decimal('0.002'),
  fee: decimal('1'),
  impact: ZERO,
  slippage: ZERO,
  minimum: ZERO,
  maximum: undefined,
  validUs: 30 * US_PER_SECOND,
  accept: US_PER_SECOND,
  confirm: 20 * US_PER_SECOND,
  deliver: 40 * US_PER_SECOND,
  chances: { refused: 0, expired: 0, failed: 0, refunded: 0 },
  ...changes,
});

export const model = (changes: Partial<RunPortfolio> = {}): RunPortfolio => ({
  account: 'trading',
  everyUs: 10 * US_PER_SECOND,
  planning: US_PER_SECOND,
  prices: new Map<string, Decimal | { symbol: string }>([
    ['USDT', decimal('1')],
    ['BTC', { symbol: 'BTCUSDT' }],
  ]),
  wallets: new Map([
    ['ethereum', amounts({ USDT: '4000' })],
    ['bitcoin', amounts({ BTC: '0.1' })],
  ]),
  decimals: new Map(),
  networks: new Map(),
  services: new Map(),
  tolerance: decimal('0.005'),
  ...changes,
});

/** Targets by weights and one band for all. */
export const targets = (
  weights: Readonly<Record<string, string>>,
  changes: Partial<Omit<PortfolioTargets, 'holdings'>> & { readonly band?: string } = {},
): PortfolioTargets => {
  const { band = '0.02', ...limits } = changes;
  return {
    holdings: Object.entries(weights).map(([name, weight]) => ({
      ...holdingOf(name),
      weight: decimal(weight),
      band: decimal(band),
      reserve: ZERO,
    })),
    minimumValue: ZERO,
    maximumCost: decimal('0.05'),
    ...limits,
  };
};

/** A modelled portfolio beside an exchange that shows one quote, on a clock that a test moves. */
export class Rig {
  readonly scheduler = new VirtualScheduler(START);
  readonly venue: SimulatedVenue;
  readonly reports: PortfolioReport[] = [];
  readonly reported: string[] = [];
  portfolio!: LocalPortfolio;

  constructor() {
    this.venue = new SimulatedVenue({
      venue: 'simulated',
      instruments: [instrumentOf()],
      scheduler: this.scheduler,
      latency: { orderUs: 20_000, reportUs: 20_000 },
      balances: amounts({ USDT: '6000', BTC: '0.1' }),
    });
    this.venue.connect((report) => {
      if (report.kind === 'balance') return;
      this.reported.push(report.kind);
    });
  }

  static async open(changes: Partial<RunPortfolio>, seed = 1): Promise<Rig> {
    const rig = new Rig();
    const { scheduler, venue } = rig;
    const marks = venue.instruments.map((instrument) => new Mark(new InstrumentState(instrument)));
    rig.portfolio = await LocalPortfolio.open(model(changes), {
      scheduler,
      venue,
      marks,
      seed,
      latency: { orderUs: 20_000, reportUs: 20_000 },
      observer: {
        rebalance: ({ at, happening }: RebalanceReport) => {
          rig.reported.push(`${at - START} ${happening.kind} ${happening.message}`);
        },
        unplanned: () => undefined,
        outside: () => undefined,
      },
    });
    rig.portfolio.connect({
      holdings: (holdings) => rig.reported.push(`${rig.at} holdings of ${holdings.length}`),
      report: (report) => rig.reports.push(report),
    });
    return rig;
  }

  /** Microseconds since the start. */
  get at(): number {
    return this.scheduler.now() - START;
  }

  /** The market shows a quote of 10 BTC a side. */
  quote(bid: number, ask: number, size = 1_000_000): void {
    const columns = eventColumns(1);
    columns.kind[0] = QUOTE;
    columns.flags[0] = LAST;
    columns.price[0] = bid * 100;
    columns.size[0] = size;
    columns.askPrice[0] = ask * 100;
    columns.askSize[0] = size;
    this.venue.market(0, columns, 0);
  }

  managedOrder(managed: PortfolioTargets): void {
    this.portfolio.send({ kind: 'rebalance', targets: managed });
  }

  /** Lets so many seconds pass; `each` is called after each moment at which something was done. */
  async pass(seconds: number, each: () => void = () => undefined): Promise<void> {
    const { scheduler, portfolio } = this;
    const till = scheduler.now() + seconds * US_PER_SECOND;
    for (;;) {
      const next = Math.min(scheduler.nextAt, portfolio.nextAt);
      if (next > till) break;
      scheduler.advanceTo(next as Micros);
      await portfolio.settle();
      portfolio.emit();
      each();
    }
    scheduler.advanceTo(till as Micros);
  }

  /** All that there is of an asset: at the exchange, in wallets, on its way and with services. */
  total(asset: string): Decimal {
    const { ledger } = this.venue.exchange;
    const index = ledger.currency(asset);
    const { outside } = this.portfolio;
    let sum = outside.held(asset).plus(outside.earned.get(asset) ?? ZERO);
    for (let account = 0; account < ledger.accounts; account += 1) {
      sum = sum.plus(ledger.available(account, index)).plus(ledger.reserved(account, index));
    }
    return sum;
  }

  /** What can be moved of a holding. */
  held(name: string): string {
    const { asset, location } = holdingOf(name);
    const found = this.portfolio
      .holdings()
      .find((one) => one.asset === asset && one.location === location);
    return found?.amount.toFixed() ?? 'none';
  }
}
