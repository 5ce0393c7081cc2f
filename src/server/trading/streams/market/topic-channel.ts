import type { Cancel } from '../../../../platform/scheduler.ts';
import { Frame } from '../../../socket/frame.ts';
import type { Broadcast, Follower, Topic } from './broadcast.ts';

/** The topic of one key, and its subscribers. */
interface Circle {
  readonly topic: Topic;
  readonly followers: Set<Follower>;
  readonly stop: Cancel;
}

/**
 * A channel that begins with the present state and continues with changes. A key without followers costs
 * nothing; a frame is written once for all of them.
 */
export class TopicChannel implements Broadcast {
  readonly #open: (key: string) => Topic;
  readonly #pulse: (key: string, topic: Topic, emit: () => void) => Cancel;
  readonly #circles = new Map<string, Circle>();

  /** `open` makes the topic of a key; `pulse` calls `emit` when frames may be due. */
  constructor(
    open: (key: string) => Topic,
    pulse: (key: string, topic: Topic, emit: () => void) => Cancel,
  ) {
    this.#open = open;
    this.#pulse = pulse;
  }

  join(follower: Follower, keys: readonly string[], limit: number): void {
    for (const key of keys) {
      const circle = this.#circles.get(key) ?? this.#begin(key);
      const first = circle.topic.first(limit);
      if (first !== undefined) follower.send(first);
      circle.followers.add(follower);
    }
  }

  leave(follower: Follower, keys: readonly string[]): void {
    for (const key of keys) {
      const circle = this.#circles.get(key);
      if (circle?.followers.delete(follower) !== true || circle.followers.size > 0) continue;
      circle.stop();
      this.#circles.delete(key);
    }
  }

  #begin(key: string): Circle {
    const topic = this.#open(key);
    const followers = new Set<Follower>();
    const stop = this.#pulse(key, topic, () => {
      emit({ topic, followers });
    });
    const circle = { topic, followers, stop };
    this.#circles.set(key, circle);
    return circle;
  }
}

/** Writes each frame once, for all of them. */
function emit({ topic, followers }: Pick<Circle, 'topic' | 'followers'>): void {
  for (const text of topic.due()) {
    const frame = new Frame(text);
    for (const follower of followers) follower.send(frame);
  }
}
