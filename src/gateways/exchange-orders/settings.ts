import type { PrivateKey } from '../../model/private-key.ts';
import type { HttpSettings } from '../http/settings.ts';

/** Settings of a client of the exchange order service. */
export interface ExchangeOrdersSettings extends HttpSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | PrivateKey;
  /** The key of the account for private sends, if that is another one. */
  readonly privateSendKey?: string | PrivateKey | undefined;
  /** The service's rate limit for a key; 10 if absent. */
  readonly requestsPerSecond?: number | undefined;
}
