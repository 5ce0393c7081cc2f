import { shownAddress, type TradingAddress } from '../trading/client/address.ts';
import { US_PER_SECOND } from '../../platform/time.ts';

/** Interval of a publisher's heartbeats for each symbol. */
export const HEARTBEAT_US = US_PER_SECOND;
/** A publisher silent for this long counts as gone. */
export const SILENT_US = 3.5 * US_PER_SECOND;

/** More rows than this are several messages: a server takes 1 MB in one. */
export const ROWS_MAX = 10_000;

/** A name as one part of a subject, in which points, stars and spaces have a meaning. */
const part = (name: string): string =>
  encodeURIComponent(name).replaceAll(/[.*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** Default name of a venue: the host of its address, such as `127-0-0-1-8330`. */
export const venueName = (address: TradingAddress): string =>
  new URL(shownAddress(address)).host.replaceAll(/[^A-Za-z0-9]+/g, '-');

/** Subject of all data of a symbol, in one order. */
export const marketSubject = (venue: string, symbol: string): string =>
  `millrace.market.${part(venue)}.${part(symbol)}.rows`;

/** Subject for requesting a snapshot of a symbol; `*` for all symbols. */
export const snapshotSubject = (venue: string, symbol: '*' | (string & {})): string =>
  `millrace.market.${part(venue)}.${symbol === '*' ? '*' : part(symbol)}.snapshot`;

/** The symbol of a subject. */
export const symbolOf = (subject: string): string =>
  decodeURIComponent(subject.split('.')[3] ?? '');
