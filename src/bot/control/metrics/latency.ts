import { US_PER_SECOND } from '../../../platform/time.ts';

interface Counts {
  /** How many fell between the bound before and this one; the last is beyond all bounds. */
  readonly within: Float64Array;
  sumUs: number;
}

/**
 * A histogram of how long something takes, by account. Every row of a market passes here, so an
 * observation is added to plain numbers, in whole microseconds, whose sum is exact. The histogram of
 * the client library looks up labels for each observation and adds seconds as floats.
 */
export class LatencyMetrics {
  readonly #name: string;
  readonly #help: string;
  readonly #boundsUs: readonly number[];
  readonly #counts = new Map<string, Counts>();

  /** `boundsUs` in microseconds, least first. */
  constructor(name: string, help: string, boundsUs: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#boundsUs = boundsUs;
  }

  /** Counts a span; one below zero, of clocks that disagree, counts as none. */
  add(account: string, us: number): void {
    let counts = this.#counts.get(account);
    if (counts === undefined) {
      counts = { within: new Float64Array(this.#boundsUs.length + 1), sumUs: 0 };
      this.#counts.set(account, counts);
    }
    const bounds = this.#boundsUs;
    const span = us > 0 ? us : 0;
    let i = 0;
    while (i < bounds.length && span > bounds[i]) i += 1;
    counts.within[i] += 1;
    counts.sumUs += span;
  }

  /** The metric in the text format of Prometheus, in seconds, without a line's end behind it. */
  text(): string {
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    return [...head, ...[...this.#counts].flatMap((entry) => this.#samples(...entry))].join('\n');
  }

  #samples(account: string, { within, sumUs }: Counts): string[] {
    const label = `account="${escaped(account)}"`;
    let count = 0;
    const buckets = [...within].map((more, i) => {
      count += more;
      const boundUs = this.#boundsUs[i];
      const le = boundUs === undefined ? '+Inf' : boundUs / US_PER_SECOND;
      return `${this.#name}_bucket{le="${le}",${label}} ${count}`;
    });
    return [
      ...buckets,
      `${this.#name}_sum{${label}} ${sumUs / US_PER_SECOND}`,
      `${this.#name}_count{${label}} ${count}`,
    ];
  }
}

/** The value of a label, as the text format quotes it. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
