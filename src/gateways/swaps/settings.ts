import type { KeyObject } from 'node:crypto';
import { apiKeyOf, isKey, readPrivateKey } from '../../wire/key-pair.ts';
import {
  resolveHttpSettings,
  wrongSetting,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../http/settings.ts';

/**
 * How requests to the Execution surface are worded, of which several forms are about: `plain` is
 * that of the specification, `prefixed` calls members `from_token` and the like, `newest` is that of
 * the newest public pages. Answers are read in all of them, whatever the setting.
 */
export const DIALECTS = ['plain', 'prefixed', 'newest'] as const;
export type SwapDialect = (typeof DIALECTS)[number];

/** What a client of the Execution surface is made of. */
export interface SwapClientSettings extends HttpSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | KeyObject;
  /** The form of the public key whose hash is the API key; `pkcs1` where absent. */
  readonly keyForm?: 'pkcs1' | 'spki' | undefined;
  /** `plain` where absent. */
  readonly dialect?: SwapDialect | undefined;
}

/** What a client of the Affiliate surface is made of. */
export interface AffiliateClientSettings extends HttpSettings {
  /** Goes with every request. */
  readonly apiKey: string;
}

export interface ResolvedSwapSettings extends ResolvedHttpSettings {
  readonly key: KeyObject;
  readonly apiKey: string;
  readonly dialect: SwapDialect;
}

/** Fills in what was left out. Throws `config-invalid` for an address or a key of no use. */
export function resolveSwapSettings(settings: SwapClientSettings): ResolvedSwapSettings {
  const { privateKey, keyForm = 'pkcs1', dialect = 'plain' } = settings;
  if (!isKey(privateKey)) throw wrongSetting('privateKey', 'must be text, or a key of Node');
  if (keyForm !== 'pkcs1' && keyForm !== 'spki') {
    throw wrongSetting('keyForm', 'must be pkcs1 or spki');
  }
  if (!DIALECTS.includes(dialect)) {
    throw wrongSetting('dialect', `must be one of ${DIALECTS.join(', ')}`);
  }
  const key = readPrivateKey(privateKey);
  return { ...resolveHttpSettings(settings), key, apiKey: apiKeyOf(key, keyForm), dialect };
}

/** The same of the Affiliate surface, whose key is text that a header can hold. */
export function resolveAffiliateSettings(settings: AffiliateClientSettings): ResolvedHttpSettings {
  const { apiKey } = settings;
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw wrongSetting('apiKey', 'must be text of letters, digits and signs without blanks');
  }
  return resolveHttpSettings(settings);
}
