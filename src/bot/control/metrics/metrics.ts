import { collectDefaultMetrics, Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Meter, BotApi } from '../../api/bot-api.ts';
import type { Mode } from '../../settings/settings.ts';
import { LatencyMetrics } from './latency.ts';
import { MetricsSnapshot } from './snapshot.ts';

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

/** Metrics of a bot as text for Prometheus, in a separate registry. */
export class BotMetrics implements Meter {
  readonly #registry = new Registry();
  readonly #latencies: LatencyMetrics[] = [];
  readonly #standing: MetricsSnapshot;
  readonly #feedDelay: LatencyMetrics;
  readonly #decision: LatencyMetrics;
  readonly #journal: LatencyMetrics;
  readonly #acknowledged: LatencyMetrics;
  readonly #sent: Counter<'account' | 'kind'>;
  readonly #rejected: Counter<'account' | 'by' | 'code'>;
  readonly #marginEvents: Counter<'account' | 'strategy' | 'kind'>;
  readonly #fills: Counter<'account'>;
  readonly #reconnects: Counter<'account' | 'what'>;
  readonly #discrepancies: Counter<'account' | 'kind'>;

  constructor({ bot, mode, version }: MetricsOf) {
    const latency = (name: string, help: string, boundsUs: readonly number[]): LatencyMetrics => {
      const made = new LatencyMetrics(`millrace_${name}_seconds`, help, boundsUs);
      this.#latencies.push(made);
      return made;
    };
    const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
      new Counter({
        name: `millrace_${name}_total`,
        help,
        labelNames,
        registers: [this.#registry],
      });
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
    this.#sent = counter('requests_sent', 'Requests that left, by kind.', ['account', 'kind']);
    this.#rejected = counter('requests_rejected', 'Requests rejected, by whom and why.', [
      'account',
      'by',
      'code',
    ]);
    this.#fills = counter('fills', 'Executions of own orders.', ['account']);
    this.#reconnects = counter('reconnects', 'Reconnects.', ['account', 'what']);
    this.#discrepancies = counter(
      'discrepancies',
      'Discrepancies that reconciliation found and repaired.',
      ['account', 'kind'],
    );
    this.#marginEvents = counter(
      'margin_events',
      'What happened to margin accounts: payments, calls, forced closings, settings.',
      ['account', 'strategy', 'kind'],
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
    this.#sent.inc({ account, kind });
  }

  rejected(account: string, by: 'risk' | 'venue', code: string): void {
    this.#rejected.inc({ account, by, code });
  }

  filled(account: string): void {
    this.#fills.inc({ account });
  }

  reconnected(account: string, what: string): void {
    this.#reconnects.inc({ account, what });
  }

  found(account: string, kind: string): void {
    this.#discrepancies.inc({ account, kind });
  }

  marginEvent(account: string, strategy: string, kind: string): void {
    this.#marginEvents.inc({ account, strategy, kind });
  }
}
