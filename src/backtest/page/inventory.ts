import type { BacktestResult, HoldingRecord, TransferRow } from '../result.ts';
import { text } from './escape.ts';
import { clock, exact, money } from './format.ts';
import { plainTable } from './plain-table.ts';

/** Most transfers on the page; the result file has more. */
const TRANSFERS_SHOWN = 500;

/** Section of the portfolio's holdings and transfers, if the run had one. */
export function inventory({ portfolio }: BacktestResult): string {
  if (portfolio === undefined) return '';
  const { holdings, transfers, inFlight, cost, rebalances } = portfolio;
  const way = inFlight.map(({ asset, amount }) => `${exact(amount)} ${asset}`);
  const visible = transfers.rows.slice(0, TRANSFERS_SHOWN);
  const count = `${rebalances.begun} rebalances with ${transfers.total} transfers, which cost ${money(cost)}.`;
  const left = way.length === 0 ? '' : ` In flight at the end: ${way.join(', ')}.`;
  const more =
    visible.length < transfers.total
      ? `<p class="note">The first ${visible.length} of ${transfers.total}; result.json in this folder has more.</p>`
      : '';
  return `<section class="card"><h2>Inventory</h2>
<p>${text(`${count}${left}`)}</p>
${plainTable(['Holding', 'Start', 'End', 'Value'], holdings.map(holdingCells), 1)}
${plainTable(['Planned', 'Route', 'From', 'To', 'State', 'Sent', 'Arrived', 'Ended', 'Reason'], visible.map(transferCells), TRANSFER_COLUMNS)}${more}
</section>`;
}

/** Number of transfer columns, all set as text: they are read across. */
const TRANSFER_COLUMNS = 9;

const holdingCells = ({ holding, start, end, value }: HoldingRecord): readonly string[] => [
  holding,
  exact(start),
  exact(end),
  money(value),
];

const transferCells = (row: TransferRow): readonly string[] => [
  clock(row.plannedAt),
  ...[row.route, row.from, row.to, row.state],
  exact(row.send),
  row.arrived === null ? '' : exact(row.arrived),
  clock(row.changedAt),
  row.reason ?? '',
];
