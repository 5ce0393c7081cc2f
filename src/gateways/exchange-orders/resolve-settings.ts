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
import type { ExchangeOrdersSettings } from './settings.ts';

/** The signing key and its name at the service. */
export interface SigningKey {
  readonly apiKey: string;
  readonly key: KeyObject;
}

export interface ResolvedExchangeOrdersSettings extends ResolvedHttpSettings {
  readonly main: SigningKey;
  readonly privateSend: SigningKey;
  readonly requestsPerSecond: number;
}

const SETTINGS = membersOf<ExchangeOrdersSettings>({
  ...HTTP_SETTINGS,
  privateKey: true,
  privateSendKey: true,
  requestsPerSecond: true,
});

/** Fills in defaults. Throws `config-invalid` for an invalid address or key. */
export function resolveExchangeOrdersSettings(
  settings: ExchangeOrdersSettings,
): ResolvedExchangeOrdersSettings {
  refuseWrongSettings('client', settings, SETTINGS);
  const { privateKey, privateSendKey, requestsPerSecond = 10 } = settings;
  if (!Number.isSafeInteger(requestsPerSecond) || requestsPerSecond < 1) {
    throw wrongSetting('requestsPerSecond', 'must be a whole number above 0');
  }
  const main = signingKey('privateKey', privateKey);
  const privateSend =
    privateSendKey === undefined ? main : signingKey('privateSendKey', privateSendKey);
  return { ...resolveHttpSettings(settings), main, privateSend, requestsPerSecond };
}

function signingKey(field: string, given: unknown): SigningKey {
  if (!isKey(given)) throw wrongSetting(field, 'must be text, or a key of Node');
  const key = readPrivateKey(given);
  return { key, apiKey: apiKeyOf(key) };
}
