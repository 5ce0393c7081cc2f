import type { Scheduler } from '../../platform/scheduler.ts';

/** Unique client order ids of orders without a strategy. */
export class OperatorIds {
  readonly #scheduler: Pick<Scheduler, 'now'>;
  readonly #given = new Set<string>();

  constructor(scheduler: Pick<Scheduler, 'now'>) {
    this.#scheduler = scheduler;
  }

  /** An id for an account whose journal has this identity. */
  next(identity: string): string {
    let id: string;
    let number = this.#scheduler.now();
    do id = `op-${identity}-${(number++).toString(36)}`;
    while (this.#given.has(id));
    this.#given.add(id);
    return id;
  }
}
