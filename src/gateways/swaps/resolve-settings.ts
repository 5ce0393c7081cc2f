import type { KeyObject } from 'node:crypto';
import { apiKeyOf, isKey, readPrivateKey } from '../../wire/key-pair.ts';
import { resolveHttpSettings, wrongSetting, type ResolvedHttpSettings } from '../http/settings.ts';
import { DIALECTS } from './settings.ts';
import type { AffiliateClientSettings, SwapClientSettings, SwapDialect } from './settings.ts';

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
