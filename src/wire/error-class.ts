/** A client's options after an error of a service, whatever its code. */
export type ErrorClass =
  /** The credentials or their permissions do not suffice. */
  | 'authorization'
  /** The request itself is wrong. */
  | 'bad-request'
  /** The request is sound, and was refused. */
  | 'refused'
  /** Nothing was done: the owner of a token must first approve a contract on its chain. */
  | 'token-unapproved'
  /** Too fast: nothing was done, the same request may pass later. */
  | 'rate-limit'
  /** Nothing was done, as the service or the market is closed. */
  | 'unavailable'
  /** It is unknown whether anything was done. */
  | 'outcome-unknown';

/** The class of an error with only an HTTP status. */
export function classOfStatus(status: number): ErrorClass {
  if (status === 401 || status === 403) return 'authorization';
  if (status === 429) return 'rate-limit';
  if (status === 503) return 'unavailable';
  if (status >= 500) return 'outcome-unknown';
  return status === 400 || status === 404 ? 'bad-request' : 'refused';
}
