import { MillraceError } from '../../../model/errors.ts';
import type { LateReply, SocketListener, SocketState } from './state.ts';

/**
 * Speaks to the listener of a socket. One that throws breaks nothing of the socket: what it threw is
 * told to its `failed`. Once silenced it says nothing more.
 */
export class SafeListener {
  readonly #listener: SocketListener;
  #isSilent = false;

  constructor(listener: SocketListener) {
    this.#listener = listener;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  state(state: SocketState, why?: MillraceError): void {
    this.guard(() => this.#listener.state?.(state, why));
  }

  late(reply: LateReply): void {
    this.guard(() => this.#listener.late?.(reply));
  }

  failed(error: MillraceError): void {
    if (!this.#isSilent) this.#listener.failed?.(error);
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** Lets something be told. */
  guard(emit: () => void): void {
    if (this.#isSilent) return;
    try {
      emit();
    } catch (cause) {
      this.threw(cause);
    }
  }

  /** The listener threw while it was told something. */
  threw(cause: unknown): void {
    const words = cause instanceof Error ? cause.message : String(cause);
    this.failed(new MillraceError('internal', `A listener of a socket threw: ${words}`, { cause }));
  }
}
