import type { KeyObject } from 'node:crypto';
import { membersOf } from '../../model/members.ts';
import { apiKeyOf, isKey, readPrivateKey } from '../../wire/key-pair.ts';
import {
  HTTP_SETTINGS,
  resolveHttpSettings,
  wrongSetting,
  type ResolvedHttpSettings,
} from '../http/settings.ts';
import { refuseWrongSettings } from '../http/unknown-members.ts';
import { DIALECTS } from './settings.ts';
import { SIGNING_SETTINGS } from './signing.ts';
import type { AffiliateClientSettings, SwapClientSettings, SwapDialect } from './settings.ts';

export interface ResolvedSwapSettings extends ResolvedHttpSettings {
  readonly key: KeyObject;
  readonly apiKey: string;
  readonly dialect: SwapDialect;
}

const SETTINGS = membersOf<SwapClientSettings>({
  ...HTTP_SETTINGS,
  ...SIGNING_SETTINGS,
  privateKey: true,
  keyForm: true,
  dialect: true,
});

const AFFILIATE_SETTINGS = membersOf<AffiliateClientSettings>({
  ...HTTP_SETTINGS,
  ...SIGNING_SETTINGS,
  apiKey: true,
});

/** Fills in defaults. Throws `config-invalid` for an invalid address or key. */
export function resolveSwapSettings(settings: SwapClientSettings): ResolvedSwapSettings {
  refuseWrongSettings('client', settings, SETTINGS);
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

/** The same for the Affiliate surface, whose key is text that a header can hold. */
export function resolveAffiliateSettings(settings: AffiliateClientSettings): ResolvedHttpSettings {
  refuseWrongSettings('client', settings, AFFILIATE_SETTINGS);
  const { apiKey } = settings;
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw wrongSetting('apiKey', 'must be text of letters, digits and signs without blanks');
  }
  return resolveHttpSettings(settings);
}
