import { MillraceError } from '../../../model/errors.ts';
import type { LateReply, SocketListener, SocketState } from './state.ts';

/**
 * Calls the listener of a socket. An error that it throws goes to its `failed` and does not break the
 * socket. Once silenced, nothing more is called.
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

  /** Calls the listener and catches what it throws. */
  guard(emit: () => void): void {
    if (this.#isSilent) return;
    try {
      emit();
    } catch (cause) {
      this.threw(cause);
    }
  }

  /** Reports what the listener threw. */
  threw(cause: unknown): void {
    const words = cause instanceof Error ? cause.message : String(cause);
    this.failed(new MillraceError('internal', `A listener of a socket threw: ${words}`, { cause }));
  }
}
