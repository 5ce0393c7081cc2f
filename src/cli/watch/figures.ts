import { YEARLY_MIN_US } from '../../backtest/assumptions.ts';
import {
  figure,
  money,
  NONE,
  percent,
  signedMoney,
  signedPercent,
} from '../../backtest/page/format.ts';
import type { BacktestResult } from '../../backtest/result.ts';
import { decimal } from '../../model/decimal.ts';

/** A figure of a result: money exact, others as measured; `null` if undefined. */
type KeyFigure =
  | { readonly kind: 'money'; readonly value: string | null }
  | { readonly kind: 'share' | 'number'; readonly value: number | null };

/** Figures that are compared with those of the previous run. */
export interface KeyFigures {
  readonly hash: string;
  readonly figures: Readonly<Record<string, KeyFigure>>;
}

export function keyFigures({ hash, metrics, orders }: BacktestResult): KeyFigures {
  const { trades, drawdown, fees, turnover } = metrics;
  const amount = (value: string | null): KeyFigure => ({ kind: 'money', value });
  const share = (value: number | null): KeyFigure => ({ kind: 'share', value });
  const number = (value: number | null): KeyFigure => ({ kind: 'number', value });
  return {
    hash,
    figures: {
      profit: amount(metrics.profit),
      return: share(metrics.totalReturn),
      'largest drawdown': share(drawdown.maxRatio),
      // For a short run it is guesswork, as in the verdict.
      ...(metrics.spanUs < YEARLY_MIN_US ? {} : { Sharpe: number(metrics.sharpe) }),
      'round trips': number(trades.count),
      won: share(trades.winRate),
      'profit factor': number(trades.profitFactor),
      orders: number(orders.sent),
      fills: number(orders.fills),
      fees: amount(fees.value),
      turnover: amount(turnover.amount),
    },
  };
}

/** A row for each figure that differs: name, before, now, change. */
export const differences = (before: KeyFigures, now: KeyFigures): readonly (readonly string[])[] =>
  Object.entries(now.figures).flatMap(([name, figureNow]) => {
    const figureBefore = before.figures[name];
    if (figureBefore === undefined || figureBefore.value === figureNow.value) return [];
    return [[name, text(figureBefore), text(figureNow), change(figureBefore, figureNow)]];
  });

function text({ kind, value }: KeyFigure): string {
  if (kind === 'money') return money(value);
  return kind === 'share' ? percent(value) : figure(value);
}

function change(before: KeyFigure, now: KeyFigure): string {
  if (before.value === null || now.value === null) return NONE;
  if (before.kind === 'money' && now.kind === 'money') {
    return signedMoney(
      decimal(now.value ?? '0')
        .minus(before.value ?? '0')
        .toFixed(),
    );
  }
  const moved = Number(now.value) - Number(before.value);
  if (now.kind === 'share') return signedPercent(moved);
  return moved > 0 ? `+${figure(moved)}` : figure(moved);
}
