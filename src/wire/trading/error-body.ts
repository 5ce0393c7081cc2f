import { z } from 'zod';
import type { Fault } from './faults.ts';
import { optional, text, whole } from './fields.ts';

/** An error on the wire. Some servers send the code as text. */
export const errorMember = z.object({
  code: whole(),
  message: text,
  description: optional(text),
});

/** The body of an HTTP answer with an error; siblings of `error` are left out. */
export const errorBody = z.object({ error: errorMember }).meta({ id: 'Error' });

export type ErrorMember = z.output<typeof errorMember>;

/** A fault in the shape that both REST and sockets put into `error`. */
export const errorMemberOf = ({ code, message, description }: Fault): ErrorMember => ({
  code,
  message,
  description,
});
