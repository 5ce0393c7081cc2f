import type { TransferRoute } from '../../../src/swaps/execution/transfer-route.ts';
import type { RebalanceJournal } from '../../../src/swaps/execution/journal.ts';

/**
 * The life of a process: it ends at a moment of its own, before or after something is written or
 * asked. From then on nothing that it does has an effect, and nothing answers it.
 */
export class Life {
  readonly ended: Promise<'dead'>;
  #end: (dead: 'dead') => void = () => undefined;
  #isOver = false;
  readonly #isLast: (moment: string, transfer: string) => boolean;

  /**
   * `isLast` is told of each moment, and of the transfer that is written, and says whether the life
   * ends with it.
   */
  constructor(isLast: (moment: string, transfer: string) => boolean) {
    this.#isLast = isLast;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** A life of so many moments. */
  static of(moments: number): Life {
    let left = moments;
    return new Life(() => {
      left -= 1;
      return left < 0;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #passes(moment: string, transfer = ''): boolean {
    if (this.#isOver) return true;
    this.#isOver = this.#isLast(moment, transfer);
    if (this.#isOver) this.#end('dead');
    return this.#isOver;
  }

  /** Moments of a journal: `before write approve`, `after write approved`, `before begin`. */
  journal(journal: RebalanceJournal): RebalanceJournal {
    const written = (what: string, write: () => void, transfer?: string): void => {
      if (this.#passes(`before ${what}`, transfer)) throw new Error('dead');
      write();
      if (this.#passes(`after ${what}`, transfer)) throw new Error('dead');
    };
    return {
      begin: (plan, transfers) => written('begin', () => journal.begin(plan, transfers)),
      write: (transfer, at) => {
        const what = `write ${transfer.step?.name ?? transfer.record.state}`;
        written(what, () => journal.write(transfer, at), transfer.record.id);
      },
      supersede: (plan, why, at) => written('supersede', () => journal.supersede(plan, why, at)),
      end: (at) => written('end', () => journal.end(at)),
      underWay: () => journal.underWay(),
    };
  }

  /** Moments of a route: `before offer`, `after perform approve`, `before recall approve`. */
  route(route: TransferRoute): TransferRoute {
    const never = new Promise<never>(() => undefined);
    const asked = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
      if (this.#passes(`before ${what}`)) return never;
      try {
        const answer = await ask();
        return this.#passes(`after ${what}`) ? await never : answer;
      } catch (error) {
        if (this.#passes(`after ${what}`)) return await never;
        throw error;
      }
    };
    return {
      name: route.name,
      kind: route.kind,
      pairs: () => route.pairs(),
      next: (transfer, now) => route.next(transfer, now),
      offer: (from, to, send) => asked('offer', () => route.offer(from, to, send)),
      perform: (transfer, step) =>
        asked(`perform ${step.name}`, () => route.perform(transfer, step)),
      recall: (transfer, step) => asked(`recall ${step.name}`, () => route.recall(transfer, step)),
      observe: (transfer) => asked(`observe ${transfer.state}`, () => route.observe(transfer)),
    };
  }
}
