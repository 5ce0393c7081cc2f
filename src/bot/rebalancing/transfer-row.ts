import { z } from 'zod';
import { holdingName } from '../../model/portfolio.ts';
import { TRANSFER_STATES } from '../../model/portfolio.ts';
import { micros } from '../../platform/time.ts';
import type { TransferRecord } from '../../swaps/execution/transfer-route.ts';
import type { JournaledTransfer } from '../../swaps/execution/journal.ts';
import { amount } from '../journal/amounts-text.ts';
import { readData, readNetworkFee, readPaidFee, readStep, holdingText } from './texts.ts';

/** Columns of a transfer after its id, plan and position, in the order of the table. */
export const TRANSFER_COLUMNS = [
  ...(['carrier', 'from_slot', 'to_slot', 'send', 'least', 'expected', 'expires_at'] as const),
  ...(['duration_us', 'state', 'paying', 'pay_by', 'data', 'step', 'arrived'] as const),
  ...(['refunded', 'reason', 'created_at', 'changed_at', 'sent', 'network_fee'] as const),
  ...(['paid_fee'] as const),
];

/** The values of those columns. */
export function columnsOf({
  record,
  step,
}: JournaledTransfer): readonly (string | number | null)[] {
  const { from, to, send, least, expected, sent, arrived, refunded, reason } = record;
  const { route: carrier, expiresAt, durationUs, state, paying, payBy, data } = record;
  return [
    ...[carrier, holdingName(from), holdingName(to), send.toFixed(), least.toFixed()],
    ...[expected.toFixed(), expiresAt, durationUs, state, paying ? 1 : 0, payBy ?? null],
    ...[JSON.stringify(data), step === undefined ? null : JSON.stringify(step)],
    ...[arrived?.toFixed() ?? null, refunded?.toFixed() ?? null, reason ?? null],
    ...[record.createdAt, record.changedAt, sent?.toFixed() ?? null],
    ...[textOf(record.networkFee), textOf(record.paidFee)],
  ];
}

/** JSON or null; decimals become text. */
const textOf = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** Reads a row of the table; throws for one that no release has written. */
export function readTransfer(row: unknown): JournaledTransfer {
  const read = rowForm.parse(row);
  const { id, plan, carrier, from_slot: from, to_slot: to, send, least, expected, state } = read;
  const { pay_by: payBy, sent, arrived, refunded, reason, step } = read;
  const { network_fee: networkFee, paid_fee: paidFee } = read;
  const record: TransferRecord = {
    id,
    plan,
    route: carrier,
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
  from_slot: holdingText,
  to_slot: holdingText,
  send: amount,
  least: amount,
  expected: amount,
  expires_at: z.int(),
  duration_us: z.int(),
  state: z.enum(TRANSFER_STATES),
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
