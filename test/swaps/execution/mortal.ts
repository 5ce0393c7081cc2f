import type { Carrier } from '../../../src/swaps/execution/carrier.ts';
import type { RebalanceJournal } from '../../../src/swaps/execution/journal.ts';

/**
 * The life of a process: it ends at a moment of its own, before or after something is written or
 * asked. From then on nothing that it does has an effect, and nothing answers it.
 */
export class Life {
  readonly ended: Promise<'dead'>;
  #end: (dead: 'dead') => void = () => undefined;
  #isOver = false;
  readonly #isLast: (moment: string, move: string) => boolean;

  /**
   * `isLast` is told of each moment, and of the move that is written, and says whether the life ends
   * with it.
   */
  constructor(isLast: (moment: string, move: string) => boolean) {
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

  #passes(moment: string, move = ''): boolean {
    if (this.#isOver) return true;
    this.#isOver = this.#isLast(moment, move);
    if (this.#isOver) this.#end('dead');
    return this.#isOver;
  }

  /** Moments of a journal: `before write approve`, `after write approved`, `before begin`. */
  journal(journal: RebalanceJournal): RebalanceJournal {
    const written = (what: string, write: () => void, move?: string): void => {
      if (this.#passes(`before ${what}`, move)) throw new Error('dead');
      write();
      if (this.#passes(`after ${what}`, move)) throw new Error('dead');
    };
    return {
      begin: (plan, moves) => written('begin', () => journal.begin(plan, moves)),
      write: (move, at) => {
        const what = `write ${move.step?.name ?? move.record.state}`;
        written(what, () => journal.write(move, at), move.record.id);
      },
      supersede: (plan, why, at) => written('supersede', () => journal.supersede(plan, why, at)),
      end: (at) => written('end', () => journal.end(at)),
      underWay: () => journal.underWay(),
    };
  }

  /** Moments of a carrier: `before offer`, `after perform approve`, `before recall approve`. */
  carrier(carrier: Carrier): Carrier {
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
      name: carrier.name,
      kind: carrier.kind,
      pairs: () => carrier.pairs(),
      next: (move, now) => carrier.next(move, now),
      offer: (from, to, send) => asked('offer', () => carrier.offer(from, to, send)),
      perform: (move, step) => asked(`perform ${step.name}`, () => carrier.perform(move, step)),
      recall: (move, step) => asked(`recall ${step.name}`, () => carrier.recall(move, step)),
      observe: (move) => asked(`observe ${move.state}`, () => carrier.observe(move)),
    };
  }
}
