import { Decimal } from '../../model/decimal.ts';
import type { BacktestResult, MarginAccountRecord, MarginRecord, MarginSide } from '../result.ts';
import { exact, money, NONE, percent, signedMoney, signedPercent } from './format.ts';
import { plainTable } from './plain-table.ts';
import { text } from './escape.ts';

/** Section of margin accounts and positions, with margin trading. */
export function margin({ margin: record, metrics }: BacktestResult): string {
  if (record === undefined) return '';
  const { currency } = metrics.equity;
  const { liquidations, deleveraged, settled, marginCalls, insurance } = record;
  const forced = [
    `${liquidations} liquidations`,
    `${marginCalls} margin calls`,
    ...(deleveraged === 0 ? [] : [`${deleveraged} positions reduced by deleveraging`]),
    ...(settled === 0 ? [] : [`${settled} settled`]),
  ];
  const insured =
    Number(insurance) === 0
      ? ''
      : ` Losses beyond the funds were ${money(insurance)} ${currency}: the exchange paid them, and round trips and open positions have them.`;
  const summary = `Margin accounts had ${money(record.maxFunds)} ${currency} at the most and returned ${signedPercent(record.returnOnFunds)} on it; orders and positions held ${percent(record.maxUse, 1)} of their equity at the most. Funding ${signedMoney(record.funding)}, interest ${signedMoney(record.interest)}. ${forced.join(', ')}.${insured}`;
  return `<section class="card"><h2>Margin</h2>
<p>${text(summary)}</p>
${plainTable(
  ['Side', 'Round trips', 'Won', 'Net', 'Fees'],
  [sideCells('long', record.long), sideCells('short', record.short)],
  1,
)}
<p class="note">Round trips ${signedMoney(sumOf(record.long.net, record.short.net))}, open positions ${signedMoney(record.unrealized)}, funding ${signedMoney(record.funding)}, interest ${signedMoney(record.interest)}, insurance ${signedMoney(insurance)}: together ${signedMoney(totalOf(record))} ${text(currency)}. payments.csv beside this page has each payment.</p>
${plainTable(['Account', 'Currency', 'Balance', 'Equity', 'Positions'], record.accounts.map(accountCells), 2)}
</section>`;
}

const sumOf = (...amounts: readonly string[]): string => Decimal.sum(...amounts).toFixed();

/** Total gain or loss of margin accounts. */
const totalOf = ({ long, short, unrealized, funding, interest, insurance }: MarginRecord): string =>
  sumOf(long.net, short.net, unrealized, funding, interest, insurance);

const sideCells = (name: string, side: MarginSide): readonly string[] => [
  name,
  String(side.count),
  side.count === 0 ? NONE : percent(side.winRate, 1),
  signedMoney(side.net),
  money(side.fees),
];

const accountCells = (account: MarginAccountRecord): readonly string[] => [
  account.symbol === null ? account.mode : `${account.symbol}, ${account.mode}`,
  account.currency,
  exact(account.balance),
  exact(account.equity),
  account.positions
    .map(({ symbol, size, entryPrice }) => `${exact(size)} ${symbol} at ${exact(entryPrice)}`)
    .join(', '),
];
