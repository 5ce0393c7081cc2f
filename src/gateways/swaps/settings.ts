import type { PrivateKey } from '../../model/private-key.ts';
import type { HttpSettings } from '../http/settings.ts';
import type { SigningSettings } from './signing.ts';

/**
 * How requests to the Execution surface are worded, of which several forms are about: `plain` is
 * that of the specification, `prefixed` calls members `from_token` and the like, `newest` is that of
 * the newest public pages. Answers are read in all of them, whatever the setting.
 */
export const DIALECTS = ['plain', 'prefixed', 'newest'] as const;
export type SwapDialect = (typeof DIALECTS)[number];

/** What a client of the Execution surface is made of. */
export interface SwapClientSettings extends HttpSettings, SigningSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | PrivateKey;
  /** The form of the public key whose hash is the API key; `pkcs1` where absent. */
  readonly keyForm?: 'pkcs1' | 'spki' | undefined;
  /** `plain` where absent. */
  readonly dialect?: SwapDialect | undefined;
}

/** What a client of the Affiliate surface is made of. */
export interface AffiliateClientSettings extends HttpSettings, SigningSettings {
  /** Goes with every request. */
  readonly apiKey: string;
}
