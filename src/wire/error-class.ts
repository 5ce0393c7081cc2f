/** What a client can do about an error of a service, whatever its code. */
export type ErrorClass =
  /** The credentials or their rights do not suffice. */
  | 'authorization'
  /** The request is wrong as it stands. */
  | 'bad-request'
  /** The request is sound, and was refused. */
  | 'refused'
  /** Nothing was done: the owner of a token must let a contract take it first, on its chain. */
  | 'token-unapproved'
  /** Too fast: nothing was done, the same request may pass later. */
  | 'rate-limit'
  /** Nothing was done, as the service or the market is closed. */
  | 'unavailable'
  /** It is not known whether anything was done. */
  | 'outcome-unknown';

/** The class of an error of which nothing but the HTTP status is known. */
export function classOfStatus(status: number): ErrorClass {
  if (status === 401 || status === 403) return 'authorization';
  if (status === 429) return 'rate-limit';
  if (status === 503) return 'unavailable';
  if (status >= 500) return 'outcome-unknown';
  return status === 400 || status === 404 ? 'bad-request' : 'refused';
}
