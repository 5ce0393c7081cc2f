import type { PrivateKey } from '../../model/private-key.ts';
import type { HttpSettings } from '../http/settings.ts';
import type { SigningSettings } from './signing.ts';

/**
 * Forms of requests to the Execution surface: `plain` is that of the specification, `prefixed` names
 * members `from_token` and so on, `newest` is that of the newest public pages. Answers are read in all
 * forms, whatever the setting.
 */
export const DIALECTS = ['plain', 'prefixed', 'newest'] as const;
export type SwapDialect = (typeof DIALECTS)[number];

/** Settings of a client of the Execution surface. */
export interface SwapClientSettings extends HttpSettings, SigningSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | PrivateKey;
  /** The form of the public key whose hash is the API key; `pkcs1` if absent. */
  readonly keyForm?: 'pkcs1' | 'spki' | undefined;
  /** `plain` if absent. */
  readonly dialect?: SwapDialect | undefined;
}

/** Settings of a client of the Affiliate surface. */
export interface AffiliateClientSettings extends HttpSettings, SigningSettings {
  /** Goes with every request. */
  readonly apiKey: string;
}
