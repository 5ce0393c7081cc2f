/** What calls of an account are signed with. The secret appears in no error and no log. */
export interface TradingCredentials {
  readonly key: string;
  readonly secret: string;
  /** `hs256` signs each request and keeps the secret here; `basic` sends it along. */
  readonly scheme: 'hs256' | 'basic';
  /** How far this clock may be from the service's, 1 to 60,000; the service takes 10,000 where absent. */
  readonly windowMs?: number;
}
