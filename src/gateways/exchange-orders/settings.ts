import type { PrivateKey } from '../../model/private-key.ts';
import type { HttpSettings } from '../http/settings.ts';

/** What a client of the exchange order service is made of. */
export interface ExchangeOrdersSettings extends HttpSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | PrivateKey;
  /** The key of the account for private sends, where that is another one. */
  readonly privateSendKey?: string | PrivateKey | undefined;
  /** What the service lets through in a second for a key; 10 where absent. */
  readonly requestsPerSecond?: number | undefined;
}
