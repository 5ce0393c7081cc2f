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

/** What a service said to a request that was given up already. */
export interface LateReply {
  readonly method: string;
  /** As they were sent. */
  readonly params: unknown;
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'error'; readonly error: ErrorMember };
}

/** What every listener may have. */
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
   * What nobody waits for: a frame that is none, an error without a request, a subscription that was
   * not given again, a listener that threw.
   */
  failed?(error: MillraceError): void;
  /** A reply that came after its request had ended as `outcome-unknown`. */
  late?(reply: LateReply): void;
  /** A frame of data as it came, before anything is read. True: it is done with, and no other method receives it. */
  raw?(frame: string, receivedAt: Micros): boolean;
}
