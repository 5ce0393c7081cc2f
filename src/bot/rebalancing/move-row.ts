import { z } from 'zod';
import { slotName } from '../../model/portfolio.ts';
import { MOVE_STATES } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import type { MoveRecord } from '../../swaps/execution/carrier.ts';
import type { JournaledMove } from '../../swaps/execution/journal.ts';
import { amount } from '../journal/amounts-text.ts';
import { readData, readNetworkFee, readPaidFee, readStep, slotText } from './texts.ts';

/** Columns of a move after its id, plan and position, in the order of the table. */
export const MOVE_COLUMNS = [
  ...(['carrier', 'from_slot', 'to_slot', 'send', 'least', 'expected', 'expires_at'] as const),
  ...(['duration_us', 'state', 'paying', 'pay_by', 'data', 'step', 'arrived'] as const),
  ...(['refunded', 'reason', 'created_at', 'changed_at', 'sent', 'network_fee'] as const),
  ...(['paid_fee'] as const),
];

/** What stands in those columns. */
export function columnsOf({ record, step }: JournaledMove): readonly (string | number | null)[] {
  const { from, to, send, least, expected, sent, arrived, refunded, reason } = record;
  const { carrier, expiresAt, durationUs, state, paying, payBy, data } = record;
  return [
    ...[carrier, slotName(from), slotName(to), send.toFixed(), least.toFixed()],
    ...[expected.toFixed(), expiresAt, durationUs, state, paying ? 1 : 0, payBy ?? null],
    ...[JSON.stringify(data), step === undefined ? null : JSON.stringify(step)],
    ...[arrived?.toFixed() ?? null, refunded?.toFixed() ?? null, reason ?? null],
    ...[record.createdAt, record.changedAt, sent?.toFixed() ?? null],
    ...[textOf(record.networkFee), textOf(record.paidFee)],
  ];
}

/** JSON, or nothing; decimals become text. */
const textOf = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Reads a row of the table; throws for what no release has written. */
export function readMove(row: unknown): JournaledMove {
  const read = rowForm.parse(row);
  const { id, plan, carrier, from_slot: from, to_slot: to, send, least, expected, state } = read;
  const { pay_by: payBy, sent, arrived, refunded, reason, step } = read;
  const { network_fee: networkFee, paid_fee: paidFee } = read;
  const record: MoveRecord = {
    id,
    plan,
    carrier,
    from,
    to,
    send,
    least,
    expected,
    state,
    expiresAt: micros(read.expires_at),
    durationUs: read.duration_us,
    paying: read.paying === 1,
    data: readData(read.data),
    ...(payBy !== null && { payBy: micros(payBy) }),
    ...(sent !== null && { sent }),
    ...(arrived !== null && { arrived }),
    ...(refunded !== null && { refunded }),
    ...(networkFee !== null && { networkFee: readNetworkFee(networkFee) }),
    ...(paidFee !== null && { paidFee: readPaidFee(paidFee) }),
    ...(reason !== null && { reason }),
    createdAt: micros(read.created_at),
    changedAt: micros(read.changed_at),
  };
  return { record, ...(step !== null && { step: readStep(step) }) };
}

const rowForm = z.object({
  id: z.string(),
  plan: z.string(),
  carrier: z.string(),
  from_slot: slotText,
  to_slot: slotText,
  send: amount,
  least: amount,
  expected: amount,
  expires_at: z.int(),
  duration_us: z.int(),
  state: z.enum(MOVE_STATES),
  paying: z.union([z.literal(0), z.literal(1)]),
  pay_by: z.int().nullable(),
  data: z.string(),
  step: z.string().nullable(),
  arrived: amount.nullable(),
  refunded: amount.nullable(),
  reason: z.string().nullable(),
  created_at: z.int(),
  changed_at: z.int(),
  sent: amount.nullable(),
  network_fee: z.string().nullable(),
  paid_fee: z.string().nullable(),
});
