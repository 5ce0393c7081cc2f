import type { MillraceError } from '../../../model/errors.ts';
import type { Micros } from '../../../platform/time.ts';
import type { ErrorMember } from '../../../wire/trading/error-body.ts';

/**
 * - `idle`: made, not yet opened.
 * - `connecting`: connecting, logging in, asking for what was subscribed.
 * - `live`: logged in, and everything that was subscribed comes again.
 * - `lost`: not connected; the next attempt follows by itself.
 * - `closed`: for good.
 */
export type SocketState = 'idle' | 'connecting' | 'live' | 'lost' | 'closed';

/** The service's late answer to a request that was given up. */
export interface LateReply {
  readonly method: string;
  /** As they were sent. */
  readonly params: unknown;
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'error'; readonly error: ErrorMember };
}

/** Methods of every listener. */
export const SOCKET_LISTENER = {
  state: true,
  failed: true,
  late: true,
  raw: true,
} as const satisfies Readonly<Record<keyof SocketListener, true>>;

/** Events of every socket. Nothing is emitted any more once `close` was called. */
export interface SocketListener {
  /** `why` a socket is lost or closed; absent if its owner closed it. */
  state?(state: SocketState, why?: MillraceError): void;
  /**
   * Errors without a caller: an invalid frame, an error without a request, a rejected repeated
   * subscription, a listener that threw.
   */
  failed?(error: MillraceError): void;
  /** A reply that arrived after its request had ended as `outcome-unknown`. */
  late?(reply: LateReply): void;
  /**
   * A frame of data as received, before anything is read. True: it is handled, and no other method receives
   * it.
   */
  raw?(frame: string, receivedAt: Micros): boolean;
}
