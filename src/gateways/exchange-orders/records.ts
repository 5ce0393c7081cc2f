import {
  EXCHANGE_METHODS,
  type ExchangeMethod,
  type ReadResult,
} from '../../wire/exchange-orders/methods.ts';
import type { Reading } from '../http/request-outcome.ts';

/** Payin address of a transaction. Its members belong together: without its extra id money is lost. */
export interface PayinAddress {
  readonly address: string;
  /** Required with the payment if there is one. */
  readonly extraId: string | undefined;
  /** The network's name of it, such as `Destination Tag`, if the service reports it. */
  readonly extraIdName: string | undefined;
}

/** A record with a payin address on the wire. */
interface Payable {
  readonly payinAddress: string;
  readonly payinExtraId?: string | undefined;
  readonly payinExtraIdName?: string | undefined;
}

/** The same with its payin address as one object. */
export type WithPayin<T extends Payable> = Omit<
  T,
  'payinAddress' | 'payinExtraId' | 'payinExtraIdName'
> & { readonly payin: PayinAddress };

/** A created exchange; its `payin` says where to pay, and with what. */
export type CreatedTransaction = WithPayin<ReadResult<'createTransaction'>>;
/** The same at a fixed rate, which is paid until `payTill`. */
export type CreatedFixTransaction = WithPayin<ReadResult<'createFixTransaction'>>;
export type ExchangeTransaction = WithPayin<ReadResult<'getTransactions'>[number]>;
export type CreatedPrivateSend = WithPayin<ReadResult<'createPrivateSendTransaction'>>;
export type PrivateSend = WithPayin<ReadResult<'getPrivateSendTransactions'>[number]>;

/** Puts the parts of the payin address together. */
export function withPayin<T extends Payable>(record: T): WithPayin<T> {
  const { payinAddress: address, payinExtraId, payinExtraIdName, ...rest } = record;
  return { ...rest, payin: { address, extraId: payinExtraId, extraIdName: payinExtraIdName } };
}

/**
 * Reads the result of a method. Unknown members are left out; null and empty text count as missing, as
 * services write all three.
 */
export function readResult<M extends ExchangeMethod>(
  method: M,
  result: unknown,
): Reading<ReadResult<M>> {
  const read = EXCHANGE_METHODS[method].result.safeParse(withoutBlanks(result));
  if (read.success) return { kind: 'ok', value: read.data as ReadResult<M> };
  const [issue] = read.error.issues;
  const member = ['result', ...(issue?.path ?? [])].join('.');
  return { kind: 'fault', why: `${member} ${issue?.message ?? 'does not fit'}`, member };
}

function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== '');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutBlanks(member)]));
}
