import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS } from '../../platform/time.ts';
import type { FaultRules } from '../faults/rule.ts';
import type { StreamFault, StreamRule } from '../faults/stream-rule.ts';
import { Frame } from './frame.ts';
import { leaveOut } from './sequence.ts';
import { topicOf } from './topic.ts';

/** Output of frames, unharmed or late. */
export interface Way {
  put(frame: Frame): void;
  close(code: number, reason: string): void;
}

/** Injects the faults of a plan into the frames of one socket. */
export class FaultInjector {
  readonly #path: string;
  readonly #way: Way;
  readonly #scheduler: Scheduler;
  readonly #rules: () => FaultRules<StreamRule>;
  /** A frame that waits for the next one. */
  #held: Frame | undefined;
  /** Delayed frames. */
  readonly #late = new Set<Cancel>();
  /** Sequence numbers skipped so far, by topic and symbol. */
  readonly #skipped = new Map<string, number>();

  /** `rules` returns those of the present plan. */
  constructor(path: string, way: Way, scheduler: Scheduler, rules: () => FaultRules<StreamRule>) {
    this.#path = path;
    this.#way = way;
    this.#scheduler = scheduler;
    this.#rules = rules;
  }

  /** True while frames pass unharmed. */
  get isIdle(): boolean {
    return this.#held === undefined && this.#skipped.size === 0 && this.#rules().isEmpty;
  }

  /** Sends a frame, or applies a rule to it. */
  pass(frame: Frame): void {
    const topic = topicOf(frame.text);
    const rule = this.#rules().strike((one) => this.#fits(one, topic));
    if (rule?.fault.kind === 'reorder' && this.#held === undefined) {
      this.#held = frame;
      return;
    }
    if (rule !== undefined) this.#strike(rule.fault, frame, topic);
    else this.#put(frame, topic);
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#put(held, topicOf(held.text));
  }

  /** Drops the delayed frames. */
  close(): void {
    for (const cancel of this.#late) cancel();
    this.#late.clear();
    this.#held = undefined;
  }

  #fits(rule: StreamRule, topic: string): boolean {
    return (
      (rule.socket === undefined || rule.socket === this.#path) &&
      (rule.topic === undefined || rule.topic === topic)
    );
  }

  #strike(fault: StreamFault, frame: Frame, topic: string): void {
    switch (fault.kind) {
      case 'drop':
        return;
      case 'delay': {
        const at = micros(this.#scheduler.now() + fault.delayMs * US_PER_MS);
        const cancel = this.#scheduler.at(at, () => {
          this.#late.delete(cancel);
          this.#put(frame, topic);
        });
        this.#late.add(cancel);
        return;
      }
      case 'duplicate':
        this.#put(frame, topic);
        this.#put(frame, topic);
        return;
      case 'skip':
        this.#put(frame, topic, 1);
        return;
      case 'close':
        this.#way.close(fault.code, 'A fault of the plan');
        return;
      case 'reorder':
        this.#put(frame, topic);
    }
  }

  /** Sends a frame, its sequence numbers increased by the skipped ones. */
  #put(frame: Frame, topic: string, more = 0): void {
    const moves = more > 0 || this.#skipped.size > 0;
    this.#way.put(moves ? new Frame(leaveOut(frame.text, topic, more, this.#skipped)) : frame);
  }
}
