import { addressOf, originOf, wrongSetting } from '../../http/settings.ts';

/**
 * Address of a version of the trading service: one origin with the standard paths, or an address for REST
 * calls and one for sockets.
 */
export type TradingAddress =
  | {
      /** The origin, without a path: `https://api.example.com`. */
      readonly url: string;
      readonly baseUrl?: undefined;
      readonly wsUrl?: undefined;
    }
  | {
      readonly url?: undefined;
      /** Of REST calls, up to their paths: `https://api.example.com/api/3`. */
      readonly baseUrl: string;
      /** Of sockets, up to their names: `wss://stream.example.com/api/3/ws`. */
      readonly wsUrl: string;
    };

/** The same as requests and sockets need it; no part ends with a slash. */
export interface ResolvedAddress {
  readonly origin: string;
  /** Prefix of the path of every call; a signature covers it. */
  readonly prefix: string;
  /** Prefix of `/public` and so on. */
  readonly wsUrl: string;
}

/** Differences from the standard address, as given and unchecked. */
interface GivenAddress {
  readonly url?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly wsUrl?: string | undefined;
}

/**
 * Reads an address; `prefix` is the standard one of the version, such as `/api/3`. Throws `config-invalid`
 * for an invalid one, and unless it is either `url` alone or the two others.
 */
export function resolveAddress(given: GivenAddress, prefix: string): ResolvedAddress {
  const { url, baseUrl, wsUrl } = given;
  if (baseUrl === undefined && wsUrl === undefined) {
    const origin = originOf(url ?? '', 'give addresses with paths as baseUrl and wsUrl');
    return { origin, prefix, wsUrl: `${origin.replace(/^http/, 'ws')}${prefix}/ws` };
  }
  if (url !== undefined) {
    throw wrongSetting('url', 'must be left out where baseUrl and wsUrl say where the service is');
  }
  // With half an address the other half would be a guess.
  if (baseUrl === undefined) throw wrongSetting('baseUrl', 'must be there beside wsUrl');
  if (wsUrl === undefined) throw wrongSetting('wsUrl', 'must be there beside baseUrl');
  const rest = addressOf('baseUrl', baseUrl, /^https?:$/, 'https://api.example.com/api/3');
  const sockets = addressOf('wsUrl', wsUrl, /^wss?:$/, 'wss://api.example.com/api/3/ws');
  return {
    origin: rest.origin,
    prefix: pathOf(rest),
    wsUrl: `${sockets.protocol}//${sockets.host}${pathOf(sockets)}`,
  };
}

/** The service's address for messages. */
export const shownAddress = ({ url, baseUrl }: TradingAddress): string => url ?? baseUrl;

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');
