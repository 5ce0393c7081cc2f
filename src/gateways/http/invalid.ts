import { MillraceError } from '../../model/errors.ts';
import { fullStop } from '../../model/full-stop.ts';

/** An argument of a call is wrong; nothing was sent. */
export const invalid = (name: string, sentence: string, field?: string): MillraceError =>
  new MillraceError(
    'request-invalid',
    fullStop(`${name} was not sent: ${sentence}`),
    field === undefined ? {} : { field },
  );
