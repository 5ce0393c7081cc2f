/** Credentials that sign the calls of an account. The secret appears in no error and no log. */
export interface TradingCredentials {
  readonly key: string;
  readonly secret: string;
  /** `hs256` signs each request and keeps the secret here; `basic` sends it along. */
  readonly scheme: 'hs256' | 'basic';
  /**
   * Allowed difference of this clock from the service's, 1 to 60,000; the service uses 10,000 if absent.
   */
  readonly windowMs?: number;
}
