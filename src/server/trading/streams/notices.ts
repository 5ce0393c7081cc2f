import type { z } from 'zod';
import type { Writable } from '../../../wire/trading/decoding.ts';
import { notificationFrame } from '../../../wire/trading/rpc.ts';
import { writerOf } from '../../../wire/trading/writer.ts';

type Table = Readonly<Record<string, z.ZodType>>;

/** Writes the frame of a notification. */
export type Notices<T extends Table> = <Name extends keyof T & string>(
  method: Name,
  params: Writable<T[Name]>,
) => string;

/** Writes the notifications of a table. */
export function noticesOf<T extends Table>(table: T): Notices<T> {
  const writers = new Map(
    Object.entries(table).map(([name, schema]) => [name, writerOf(schema)] as const),
  );
  return (method, params) => notificationFrame(method, writers.get(method)?.(params));
}
