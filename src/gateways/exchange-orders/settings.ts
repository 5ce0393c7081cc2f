import type { KeyObject } from 'node:crypto';
import { apiKeyOf, isKey, readPrivateKey } from '../../wire/key-pair.ts';
import {
  resolveHttpSettings,
  wrongSetting,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../http/settings.ts';

/** What a client of the exchange order service is made of. */
export interface ExchangeOrdersSettings extends HttpSettings {
  /** PEM, hexadecimal PKCS#8 DER, or a key that Node has read. It signs here and goes nowhere. */
  readonly privateKey: string | KeyObject;
  /** The key of the account for private sends, where that is another one. */
  readonly privateSendKey?: string | KeyObject | undefined;
  /** What the service lets through in a second for a key; 10 where absent. */
  readonly requestsPerSecond?: number | undefined;
}

/** Who signs, and the name by which the service knows whose signature it is. */
export interface SigningKey {
  readonly apiKey: string;
  readonly key: KeyObject;
}

export interface ResolvedExchangeOrdersSettings extends ResolvedHttpSettings {
  readonly main: SigningKey;
  readonly privateSend: SigningKey;
  readonly requestsPerSecond: number;
}

/** Fills in what was left out. Throws `config-invalid` for an address or a key of no use. */
export function resolveExchangeOrdersSettings(
  settings: ExchangeOrdersSettings,
): ResolvedExchangeOrdersSettings {
  const { privateKey, privateSendKey, requestsPerSecond = 10 } = settings;
  if (!Number.isSafeInteger(requestsPerSecond) || requestsPerSecond < 1) {
    throw wrongSetting('requestsPerSecond', 'must be a whole number above 0');
  }
  const main = signingKey('privateKey', privateKey);
  const privateSend =
    privateSendKey === undefined ? main : signingKey('privateSendKey', privateSendKey);
  return { ...resolveHttpSettings(settings), main, privateSend, requestsPerSecond };
}

function signingKey(field: string, given: string | KeyObject): SigningKey {
  if (!isKey(given)) throw wrongSetting(field, 'must be text, or a key of Node');
  const key = readPrivateKey(given);
  return { key, apiKey: apiKeyOf(key) };
}
