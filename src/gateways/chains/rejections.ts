import type { Rejection } from '../../model/rejections.ts';
import type { NetworkTerms } from '../../swaps/tokens.ts';

/** A transfer that is not made, by the field that stands in its way. */
export const refused = (field: string, message: string): Rejection => ({
  code: 'transfer-invalid',
  field,
  message,
});

/** A wallet has too little. */
export const short = (message: string): Rejection => ({
  code: 'funds-insufficient',
  field: 'lots',
  message,
});

/** A fee in smallest units of the coin that is above a bound of the configuration. */
export const tooDear = ({ name }: NetworkTerms, fee: string, bound: string): Rejection =>
  refused('fee', `The fee on ${name} may be ${fee}, which is above the ${bound}: wait, or raise the bound.`); // prettier-ignore
