import { membersOf } from '../../../model/members.ts';
import { WINDOW_MS_MAX } from '../../../wire/trading/signing/authorization.ts';
import {
  HTTP_SETTINGS,
  resolveHttpSettings,
  wrongSetting,
  type HttpSettings,
  type ResolvedHttpSettings,
} from '../../http/settings.ts';
import { refuseUnknownSetting, refuseWrongSettings } from '../../http/unknown-members.ts';
import { resolveAddress, type ResolvedAddress, type TradingAddress } from './address.ts';
import type { TradingCredentials } from './credentials.ts';

const SETTINGS = membersOf<ClientSettings>({
  ...HTTP_SETTINGS,
  baseUrl: true,
  wsUrl: true,
  credentials: true,
  paced: true,
});

const CREDENTIALS = membersOf<TradingCredentials>({
  key: true,
  secret: true,
  scheme: true,
  windowMs: true,
});

/** Settings of a client besides the service's address. */
export interface ClientTerms extends Omit<HttpSettings, 'url'> {
  /** Absent: public calls only. */
  readonly credentials?: TradingCredentials | undefined;
  /** False sends at once whatever the limits are, for callers who keep them themselves. */
  readonly paced?: boolean | undefined;
}

/** Settings of a client. */
export type ClientSettings = ClientTerms & TradingAddress;

/** The same with all defaults. */
export interface ResolvedSettings extends ResolvedHttpSettings, ResolvedAddress {
  readonly credentials: TradingCredentials | undefined;
  readonly paced: boolean;
}

/**
 * Fills in defaults; `prefix` is the standard one of the version, such as `/api/3`. Throws `config-invalid`
 * for an invalid address or credentials.
 */
export function resolveSettings(settings: ClientSettings, prefix: string): ResolvedSettings {
  refuseWrongSettings('client', settings, SETTINGS);
  refuseUnknownSetting('setting credentials', settings.credentials, CREDENTIALS);
  if (settings.credentials !== undefined) checkCredentials(settings.credentials);
  const paced: unknown = settings.paced ?? true;
  if (typeof paced !== 'boolean') throw wrongSetting('paced', 'must be true or false');
  const address = resolveAddress(settings, prefix);
  return {
    ...resolveHttpSettings({ ...settings, url: address.origin }),
    ...address,
    credentials: settings.credentials,
    paced,
  };
}

function checkCredentials({ key, secret, scheme, windowMs }: TradingCredentials): void {
  if (typeof key !== 'string' || key === '' || key.includes(':')) {
    throw wrongSetting('credentials.key', 'must be text without a colon');
  }
  if (typeof secret !== 'string' || secret === '') {
    throw wrongSetting('credentials.secret', 'must be text');
  }
  if (scheme !== 'hs256' && scheme !== 'basic') {
    throw wrongSetting('credentials.scheme', 'must be hs256 or basic');
  }
  if (windowMs === undefined) return;
  if (!Number.isSafeInteger(windowMs) || windowMs < 1 || windowMs > WINDOW_MS_MAX) {
    throw wrongSetting('credentials.windowMs', `must be a whole number from 1 to ${WINDOW_MS_MAX}`);
  }
}
