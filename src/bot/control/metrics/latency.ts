import { Histogram } from 'prom-client';
import { US_PER_SECOND } from '../../../platform/time.ts';

interface Counts {
  /** How many fell between the bound before and this one; the last is beyond all bounds. */
  readonly within: Float64Array;
  sumUs: number;
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * How long something takes, by account, in seconds as Prometheus wants them. Every row of a market
 * passes here, so what is observed is added to plain numbers; the text is made when it is asked for.
 */
export class Latency extends Histogram<'account'> {
  readonly #name: string;
  readonly #help: string;
  readonly #boundsUs: readonly number[];
  readonly #counts = new Map<string, Counts>();

  /** `boundsUs` in microseconds, least first. */
  constructor(name: string, help: string, boundsUs: readonly number[]) {
    super({ name, help, labelNames: ['account'], registers: [] });
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

  /** What the registry asks a metric for; `get` of prom-client is made of it. */
  async getForPromString(): Promise<object> {
    return {
      name: this.#name,
      help: this.#help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#counts].flatMap(([account, counts]) => this.#values(account, counts)),
    };
  }

  #values(account: string, { within, sumUs }: Counts): Value[] {
    let count = 0;
    const buckets = [...within].map((more, i): Value => {
      count += more;
      const bound = this.#boundsUs[i];
      const le = bound === undefined ? '+Inf' : bound / US_PER_SECOND;
      return { metricName: `${this.#name}_bucket`, labels: { le, account }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels: { account }, value: sumUs / US_PER_SECOND },
      { metricName: `${this.#name}_count`, labels: { account }, value: count },
    ];
  }
}
