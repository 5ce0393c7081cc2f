import type { Gauge, LabelValues } from '@prometheus-io/client';
import type {
  AccountStatus,
  MarginAccountLine,
  MarginPositionLine,
  PositionLine,
} from '../../api/bot-api.ts';

/** Makes a gauge that is reset with all others. */
export type GaugeMaker = <L extends string = never>(
  name: string,
  help: string,
  labelNames?: L[],
) => Gauge<L>;

/** Labels that identify a margin account; `symbol` is empty for a cross account. */
type AccountLabel = 'account' | 'strategy' | 'margin' | 'market' | 'symbol' | 'currency';
type PositionLabel = 'account' | 'strategy' | 'margin' | 'symbol';

const OF_ACCOUNT: AccountLabel[] = [
  ...(['account', 'strategy', 'margin', 'market', 'symbol', 'currency'] as const),
];
const OF_POSITION: PositionLabel[] = ['account', 'strategy', 'margin', 'symbol'];

/** Margin accounts and positions as numbers. `strategy` is empty if no strategy of the bot opened them. */
export class MarginMetrics {
  readonly #balance: Gauge<AccountLabel | 'part'>;
  readonly #equity: Gauge<AccountLabel>;
  readonly #leverage: Gauge<AccountLabel>;
  readonly #called: Gauge<AccountLabel>;
  readonly #quantity: Gauge<PositionLabel>;
  readonly #value: Gauge<PositionLabel>;
  readonly #unrealized: Gauge<PositionLabel>;
  readonly #distance: Gauge<PositionLabel>;

  constructor(gauge: GaugeMaker) {
    this.#balance = gauge(
      'margin_balance',
      'Funds of a margin account; part is balance, available or reserved.',
      [...OF_ACCOUNT, 'part'],
    );
    this.#equity = gauge(
      'margin_equity',
      'Funds with the results of open positions at the mark price.',
      OF_ACCOUNT,
    );
    this.#leverage = gauge(
      'margin_effective_leverage',
      'Value of the positions over the equity of their margin account.',
      OF_ACCOUNT,
    );
    this.#called = gauge(
      'margin_called',
      '1 while a margin account has a margin call.',
      OF_ACCOUNT,
    );
    this.#quantity = gauge(
      'margin_position_quantity',
      'An open position on margin, negative for a short.',
      OF_POSITION,
    );
    this.#value = gauge(
      'margin_position_value',
      'Value of a position at the mark price, positive either way.',
      OF_POSITION,
    );
    this.#unrealized = gauge(
      'margin_position_unrealized_pnl',
      'Result of a position at the mark price, fees apart.',
      OF_POSITION,
    );
    this.#distance = gauge(
      'margin_liquidation_distance',
      'From the mark price to the liquidation, as a fraction of the mark price.',
      OF_POSITION,
    );
  }

  take(accounts: readonly AccountStatus[], positions: readonly PositionLine[]): void {
    for (const { margin } of accounts) for (const line of margin) this.#account(line);
    for (const line of positions) if (line.accountType !== 'spot') this.#position(line);
  }

  #account(line: MarginAccountLine): void {
    const { account, strategy, accountType: margin, market, symbol = '', currency } = line;
    const labels = { account, strategy, margin, market, symbol, currency };
    for (const part of ['balance', 'available', 'reserved'] as const) {
      this.#balance.set({ ...labels, part }, Number(line[part]));
    }
    setKnown(this.#equity, labels, line.equity);
    setKnown(this.#leverage, labels, line.effectiveLeverage);
    this.#called.set(labels, line.state === 'marginCall' ? 1 : 0);
  }

  #position(line: MarginPositionLine): void {
    const { account, strategy, accountType: margin, symbol } = line;
    const labels = { account, strategy, margin, symbol };
    this.#quantity.set(labels, Number(line.quantity));
    setKnown(this.#value, labels, line.value);
    setKnown(this.#unrealized, labels, line.unrealizedPnl);
    setKnown(this.#distance, labels, line.distance);
  }
}

/** Unknown values are not exported. */
function setKnown<L extends string>(
  gauge: Gauge<L>,
  labels: LabelValues<L>,
  value: string | number | undefined,
): void {
  if (value !== undefined) gauge.set(labels, Number(value));
}
