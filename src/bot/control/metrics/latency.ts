import { US_PER_SECOND } from '../../../platform/time.ts';

interface Counts {
  /** Observations between the previous bound and this one; the last counts those beyond all bounds. */
  readonly within: Float64Array;
  sumUs: number;
}

/**
 * A histogram of a duration, by account. Every market row passes here, so observations are added to plain
 * numbers in whole microseconds, whose sum is exact. The client library's histogram looks up labels for
 * each observation and adds seconds as floats.
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

  /** Counts a duration; a negative one, of clocks that disagree, counts as zero. */
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
