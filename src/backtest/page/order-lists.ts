import type { OrderRow } from '../result.ts';

const KINDS = {
  allOrNone: 'AON',
  oneCancelOther: 'OCO',
  oneTriggerOther: 'OTO',
  oneTriggerOneCancelOther: 'OTOCO',
} as const;

/** The number of each order list, from 1, in the order of sending. */
export function listNumbers(rows: readonly OrderRow[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { list } of rows) {
    if (list !== null && !numbers.has(list)) numbers.set(list, numbers.size + 1);
  }
  return numbers;
}

/** List and role of an order: `OTOCO #4 · primary`; empty for a single order. */
export function positionInList(row: OrderRow, numbers: ReadonlyMap<string, number>): string {
  const { contingencyType, list } = row;
  if (contingencyType === null || list === null) return '';
  return `${KINDS[contingencyType]} #${numbers.get(list) ?? ''} · ${roleOf(row)}`;
}

/** The first order of a list that triggers others is its primary; in other lists all are legs. */
function roleOf({ contingencyType, listIndex }: OrderRow): string {
  const index = listIndex ?? 0;
  if (contingencyType === 'allOrNone' || contingencyType === 'oneCancelOther') {
    return `leg ${index + 1}`;
  }
  return index === 0 ? 'primary' : `secondary ${index}`;
}
