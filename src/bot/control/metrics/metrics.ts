import { collectDefaultMetrics, Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Meter, BotApi } from '../../api/bot-api.ts';
import type { Mode } from '../../settings/settings.ts';
import { LatencyMetrics } from './latency.ts';
import { MetricsSnapshot, type Described, type LabelValues } from './snapshot.ts';

/** 1, 2.5 and 5 of each power of ten between two, both included, in microseconds. */
function steps(from: number, till: number): readonly number[] {
  const found: number[] = [];
  for (let power = from; power <= till; power *= 10) {
    for (const step of [power, (power * 5) / 2, power * 5]) if (step <= till) found.push(step);
  }
  return found;
}

/** The longest delay of a Node timer, 24 days. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Registers the default metrics of the client library except event loop utilization, which wakes the
 * process ten times a second. Event loop lag is measured without a timer.
 */
function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: LONGEST_DELAY_MS });
  for (const kind of ['summary', 'histogram']) {
    registry.removeSingleMetric(`nodejs_eventloop_utilization_${kind}`);
  }
}

/** Inputs of a bot's metrics. */
export interface MetricsOf {
  readonly bot: string;
  readonly mode: Mode;
  readonly version: string;
}

/** What each counter counts, and its labels. */
const COUNTERS = {
  requests_sent: ['Requests that left, by kind.', 'account', 'kind'],
  requests_rejected: ['Requests rejected, by whom and why.', 'account', 'by', 'code'],
  fills: ['Executions of own orders.', 'account'],
  reconnects: ['Reconnects.', 'account', 'what'],
  discrepancies: [
    'Discrepancies that reconciliation found and repaired.',
    ...(['account', 'kind'] as const),
  ],
  margin_events: [
    'What happened to margin accounts: payments, calls, forced closings, settings.',
    ...(['account', 'strategy', 'kind'] as const),
  ],
} as const satisfies Described;

type CounterLabels<N extends keyof typeof COUNTERS> = LabelValues<(typeof COUNTERS)[N]>;

/** What is measured of a bot, as text for Prometheus; in a registry of its own. */
export class BotMetrics implements Meter {
  readonly #registry = new Registry();
  readonly #latencies: LatencyMetrics[] = [];
  readonly #standing: MetricsSnapshot;
  readonly #feedDelay: LatencyMetrics;
  readonly #decision: LatencyMetrics;
  readonly #journal: LatencyMetrics;
  readonly #acknowledged: LatencyMetrics;
  readonly #counters: ReadonlyMap<string, Counter<string>>;

  constructor({ bot, mode, version }: MetricsOf) {
    const latency = (name: string, help: string, boundsUs: readonly number[]): LatencyMetrics => {
      const made = new LatencyMetrics(`millrace_${name}_seconds`, help, boundsUs);
      this.#latencies.push(made);
      return made;
    };
    const counters = Object.entries(COUNTERS).map(([name, [help, ...labelNames]]) => {
      const registers = [this.#registry];
      return [name, new Counter<string>({ name: `millrace_${name}_total`, help, labelNames, registers })] as const; // prettier-ignore
    });
    this.#counters = new Map(counters);
    this.#feedDelay = latency(
      'feed_delay',
      "From the venue's stamp of a market row or report to its receipt here.",
      steps(100, 50_000_000),
    );
    this.#decision = latency(
      'decision',
      'From the receipt of a market message to the hand-over of the request that answers it.',
      steps(10, 1_000_000),
    );
    this.#journal = latency(
      'journal',
      'The share of the journal in a decision: until the intent is durable.',
      steps(10, 1_000_000),
    );
    this.#acknowledged = latency(
      'acknowledgement',
      'From sending a request to the first report on it.',
      steps(100, 50_000_000),
    );
    this.#standing = new MetricsSnapshot(this.#registry);
    new Gauge({
      name: 'millrace_info',
      help: 'The bot that this is, always 1.',
      labelNames: ['bot', 'mode', 'version'],
      registers: [this.#registry],
    }).set({ bot, mode, version }, 1);
    measureProcess(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text that Prometheus reads; while a bot starts, only what is known without it. */
  async text(bot: BotApi | undefined): Promise<string> {
    if (bot !== undefined) this.#standing.take(bot);
    const others = await this.#registry.metrics();
    return [...this.#latencies.map((one) => one.text()), others].join('\n\n');
  }

  feedDelay(account: string, us: number): void {
    this.#feedDelay.add(account, us);
  }

  decision(account: string, us: number, journalUs: number): void {
    this.#decision.add(account, us);
    this.#journal.add(account, journalUs);
  }

  acknowledged(account: string, us: number): void {
    this.#acknowledged.add(account, us);
  }

  sent(account: string, kind: string): void {
    this.#count('requests_sent', { account, kind });
  }

  rejected(account: string, by: 'risk' | 'venue', code: string): void {
    this.#count('requests_rejected', { account, by, code });
  }

  filled(account: string): void {
    this.#count('fills', { account });
  }

  reconnected(account: string, what: string): void {
    this.#count('reconnects', { account, what });
  }

  found(account: string, kind: string): void {
    this.#count('discrepancies', { account, kind });
  }

  marginEvent(account: string, strategy: string, kind: string): void {
    this.#count('margin_events', { account, strategy, kind });
  }

  #count<N extends keyof typeof COUNTERS>(name: N, labels: CounterLabels<N>): void {
    this.#counters.get(name)?.inc({ ...labels });
  }
}
