import { decimal } from '../../../src/model/decimal.ts';
import { parseHoldingKey, type HoldingKey } from '../../../src/model/portfolio.ts';
import { nextTurn } from '../../../src/platform/turn.ts';
import { micros, parseIsoTime } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { TransferRoute } from '../../../src/swaps/execution/transfer-route.ts';
import { Executor, type ExecutorOptions } from '../../../src/swaps/execution/executor.ts';
import { MemoryJournal } from '../../../src/swaps/execution/memory-journal.ts';
import type { PlannedTransfer, RebalancePlan, Source } from '../../../src/swaps/execution/plan.ts';
import type { RebalanceReport } from '../../../src/swaps/execution/report.ts';
import { ScriptedRoute } from './scripted-route.ts';
import { ScriptedService } from './service.ts';

export const START = parseIsoTime('2026-11-20T10:00:00Z') ?? micros(0);

export const holding = (text: string): HoldingKey => {
  const parsed = parseHoldingKey(text);
  if (parsed === undefined) throw new Error(`${text} is no holding`);
  return parsed;
};

export interface ManagedOrder {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly send: string;
  readonly after?: readonly Source[];
}

/** A world of one scripted service, with a clock that stands still until `run`. */
export class Rig {
  readonly scheduler = new VirtualScheduler(START);
  readonly service = new ScriptedService(this.scheduler);
  readonly route = new ScriptedRoute(this.service, this.scheduler);
  readonly journal = new MemoryJournal();
  readonly reports: RebalanceReport[] = [];

  get lastReport(): RebalanceReport {
    const last = this.reports.at(-1);
    if (last === undefined) throw new Error('nothing was reported');
    return last;
  }

  executor(options: Partial<ExecutorOptions> = {}, route: TransferRoute = this.route): Executor {
    return new Executor({
      scheduler: this.scheduler,
      journal: this.journal,
      routes: [route],
      listener: (report) => this.reports.push(report),
      ...options,
    });
  }

  plan(id: string, managedOrders: readonly ManagedOrder[], maximumCost = '100'): RebalancePlan {
    return {
      id,
      createdAt: this.scheduler.now(),
      maximumCost: decimal(maximumCost),
      prices: new Map(['USDC', 'EUR', 'BTC'].map((asset) => [asset, decimal('1')])),
      transfers: managedOrders.map((managedOrder) => this.#transfer(managedOrder)),
    };
  }

  /** Moves the clock until the promise is kept, for so long at most; gives what it was kept with. */
  async run<T>(promise: Promise<T> | undefined, withinUs = 24 * 3_600_000_000): Promise<T> {
    const end = this.scheduler.now() + withinUs;
    let kept: { readonly value: T } | undefined;
    let failure: unknown;
    void promise?.then(
      (value) => {
        kept = { value };
      },
      (error: unknown) => {
        failure = error;
      },
    );
    for (;;) {
      await nextTurn();
      if (failure !== undefined) throw failure as Error;
      if (kept !== undefined) return kept.value;
      const at = this.scheduler.nextAt;
      if (!(at <= end)) throw new Error('it does not come to an end');
      this.scheduler.advanceTo(micros(at));
    }
  }

  /** Lets so much time pass. */
  async pass(us: number): Promise<void> {
    const passed = new Promise<void>((resolve) => {
      this.scheduler.at(micros(this.scheduler.now() + us), resolve);
    });
    await this.run(passed);
  }

  #transfer({ id, from, to, send, after = [] }: ManagedOrder): PlannedTransfer {
    const offer = this.route.quote(holding(from), holding(to), decimal(send));
    return { id, offer, least: offer.least, after };
  }
}
