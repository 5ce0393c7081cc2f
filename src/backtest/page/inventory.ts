import type { BacktestResult, MoveRow, SlotRecord } from '../result.ts';
import { text } from './escape.ts';
import { clock, exact, money } from './format.ts';
import { plainTable } from './plain-table.ts';

/** Moves that are shown; the file of results holds more. */
const MOVES_SHOWN = 500;

/** What the portfolio held and moved, where the run had one. */
export function inventory({ portfolio }: BacktestResult): string {
  if (portfolio === undefined) return '';
  const { slots, moves, onWay, cost, rebalances } = portfolio;
  const way = onWay.map(({ asset, amount }) => `${exact(amount)} ${asset}`);
  const shown = moves.rows.slice(0, MOVES_SHOWN);
  const count = `${rebalances.begun} rebalances with ${moves.total} moves, which cost ${money(cost)} of worth.`;
  const left = way.length === 0 ? '' : ` On its way at the end: ${way.join(', ')}.`;
  const more =
    shown.length < moves.total
      ? `<p class="note">The first ${shown.length} of ${moves.total}; result.json beside this page has more.</p>`
      : '';
  return `<section class="card"><h2>Inventory</h2>
<p>${text(`${count}${left}`)}</p>
${plainTable(['Slot', 'Start', 'End', 'Worth'], slots.map(slotCells), 1)}
${plainTable(['Planned', 'Carrier', 'From', 'To', 'State', 'Sent', 'Arrived', 'Ended', 'Reason'], shown.map(moveCells), MOVE_COLUMNS)}${more}
</section>`;
}

/** No column of moves is set as a figure: they are read across. */
const MOVE_COLUMNS = 9;

const slotCells = ({ slot, start, end, value }: SlotRecord): readonly string[] => [
  slot,
  exact(start),
  exact(end),
  money(value),
];

const moveCells = (row: MoveRow): readonly string[] => [
  clock(row.plannedAt),
  ...[row.carrier, row.from, row.to, row.state],
  exact(row.send),
  row.arrived === null ? '' : exact(row.arrived),
  clock(row.changedAt),
  row.reason ?? '',
];
