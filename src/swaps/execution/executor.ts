import { withDefaults } from '../../model/members.ts';
import { MillraceError } from '../../model/errors.ts';
import { hasEnded } from '../../model/portfolio.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros } from '../../platform/time.ts';
import type { TransferRoute } from './transfer-route.ts';
import type { JournaledPlan, RebalanceJournal } from './journal.ts';
import { EXECUTION_LIMITS, type ExecutionLimits } from './limits.ts';
import { openTransfer } from './transfer.ts';
import { TransferExecution } from './transfer-execution.ts';
import { TransferWaits } from './transfer-waits.ts';
import type { RebalancePlan } from './plan.ts';
import { reportOf, type Happening, type RebalanceReport } from './report.ts';
import { RunningPlan } from './running-plan.ts';
import { checkPlan } from './soundness.ts';

export interface ExecutorOptions {
  readonly scheduler: Scheduler;
  readonly journal: RebalanceJournal;
  readonly routes: readonly TransferRoute[];
  /** `EXECUTION_LIMITS` where absent. */
  readonly limits?: Partial<ExecutionLimits>;
  /** Told of everything; it must not throw. */
  readonly listener?: (report: RebalanceReport) => void;
  /**
   * Plans anew from what is held now, after transfers that did not succeed; asked again where it
   * throws. Without it a rebalance ends with its plan.
   */
  readonly replan?: (report: RebalanceReport) => Promise<RebalancePlan | Rejection>;
}

/**
 * Carries out plans, one at a time. What it does is in the journal before it is done, so that
 * another executor goes on after a crash, with `resume`, and never pays twice.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #limits: ExecutionLimits;
  readonly #routes: ReadonlyMap<string, TransferRoute>;
  readonly #pauses: TransferWaits;
  #ended: readonly JournaledPlan[] = [];
  #running: RunningPlan | undefined;
  #whole: Promise<RebalanceReport> | undefined;
  #isClosed = false;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#limits = withDefaults(EXECUTION_LIMITS, options.limits);
    this.#routes = new Map(options.routes.map((one) => [one.name, one]));
    this.#pauses = new TransferWaits(options.scheduler);
  }

  /** True while a rebalance is under way here. */
  get isRunning(): boolean {
    return this.#whole !== undefined;
  }

  /**
   * Goes on with what the journal has under way; nothing where it has nothing. Resolves with the
   * last report. Throws `config-invalid` where a route of it is not there.
   */
  resume(): Promise<RebalanceReport> | undefined {
    this.#checkFree();
    const plans = this.#options.journal.underWay();
    const last = plans.at(-1);
    if (last === undefined) return undefined;
    this.#checkRoutes(last);
    this.#ended = plans.slice(0, -1);
    return this.#start(last, { kind: 'resumed', message: `Plan ${last.plan.id} goes on.` });
  }

  /**
   * Carries out a plan and resolves with the last report, when all has ended or the executor was
   * closed. Throws `request-invalid` for a plan that is not sound, or while there is another one:
   * `supersede` that first, and plan when it has ended. Throws `journal-unwritable`.
   */
  execute(plan: RebalancePlan): Promise<RebalanceReport> {
    this.#checkFree();
    if (this.#options.journal.underWay().length > 0) throw underWay('resume it first.');
    this.#ended = [];
    const opened = this.#open(plan);
    return this.#start(opened, { kind: 'begun', message: `Plan ${plan.id} is begun.` });
  }

  /**
   * Gives up the transfers that are not paid, and resolves with the last report when those that are
   * have ended; nothing where no rebalance is under way. Throws `journal-unwritable`: they are
   * given up all the same, and the journal has it as soon as it can be written.
   */
  supersede(why: string): Promise<RebalanceReport> | undefined {
    if (this.#running === undefined) return undefined;
    this.#running.supersede(why);
    this.#emit({ kind: 'superseded', message: why });
    return this.#whole;
  }

  /** Begins nothing more and resolves when what is being done is done; `resume` goes on later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.leave();
    this.#pauses.wake();
    await this.#whole;
  }

  #open(plan: RebalancePlan): JournaledPlan {
    checkPlan(plan, this.#routes);
    const { scheduler, journal } = this.#options;
    const { unpaidUs } = this.#limits;
    const transfers = plan.transfers.map((one) =>
      openTransfer(plan, one, scheduler.now(), unpaidUs),
    );
    journal.begin(plan, transfers);
    return { plan, transfers: transfers.map((record) => ({ record })) };
  }

  #start(plan: JournaledPlan, happening: Happening): Promise<RebalanceReport> {
    this.#run(plan);
    this.#emit(happening);
    const whole = this.#carryOut().finally(() => {
      this.#running = undefined;
      this.#whole = undefined;
    });
    this.#whole = whole;
    return whole;
  }

  #run(plan: JournaledPlan): RunningPlan {
    const { scheduler, journal } = this.#options;
    this.#running = new RunningPlan(plan, {
      scheduler,
      journal,
      limits: this.#limits,
      pauses: this.#pauses,
      emit: (happening) => this.#emit(happening),
    });
    return this.#running;
  }

  async #carryOut(): Promise<RebalanceReport> {
    for (let plan = this.#running; plan !== undefined;) {
      await Promise.all(this.#executions(plan).map((one) => one.run()));
      const next = this.#isClosed ? undefined : await this.#follow(plan);
      if (this.#isClosed) break;
      if (next === undefined) return this.#end();
      this.#ended = [...this.#ended, plan.present];
      plan = this.#run(next);
      this.#emit({ kind: 'replanned', message: `Plan ${next.plan.id} follows.` });
    }
    return this.#emit({ kind: 'interrupted', message: 'It goes on when it is resumed.' });
  }

  #executions(plan: RunningPlan): readonly TransferExecution[] {
    return plan.present.plan.transfers.flatMap((transfer) => {
      const route = this.#routes.get(transfer.offer.route);
      return route === undefined ? [] : [new TransferExecution(transfer, route, plan)];
    });
  }

  /** The plan that follows one whose transfers have ended, if any does. */
  async #follow(plan: RunningPlan): Promise<JournaledPlan | undefined> {
    const { replan, scheduler } = this.#options;
    const giveUpAt = scheduler.now() + this.#limits.unpaidUs;
    while (!this.#isClosed) {
      const { transfers, superseded } = plan.present;
      const hasSucceeded = transfers.every(({ record }) => record.state === 'fulfilled');
      const isLast = this.#ended.length >= this.#limits.replans;
      if (hasSucceeded || isLast || superseded !== undefined || replan === undefined) return;
      try {
        const next = await replan(
          this.#report({ kind: 'replanned', message: 'Transfers failed.' }),
        );
        if (this.#isClosed || plan.superseded !== undefined) continue;
        if (!isRejection(next)) return next.transfers.length === 0 ? undefined : this.#open(next);
        this.#emit({ kind: 'trouble', message: `It is not planned anew: ${next.message}` });
        return undefined;
      } catch (error) {
        this.#emit({ kind: 'trouble', message: sentenceOf(error) });
        if (scheduler.now() >= giveUpAt) return undefined;
        await this.#pauses.wait(this.#limits.pollMostUs);
      }
    }
    return undefined;
  }

  /** Ends the rebalance in the journal, as often as that takes. */
  async #end(): Promise<RebalanceReport> {
    while (!this.#isClosed) {
      try {
        this.#options.journal.end(this.#options.scheduler.now());
        return this.#emit({ kind: 'ended', message: 'All transfers have ended.' });
      } catch (error) {
        this.#emit({ kind: 'trouble', message: sentenceOf(error) });
        await this.#pauses.wait(this.#limits.pollMostUs);
      }
    }
    return this.#emit({ kind: 'interrupted', message: 'It ends when it is resumed.' });
  }

  #emit(happening: Happening): RebalanceReport {
    const report = this.#report(happening);
    this.#options.listener?.(report);
    return report;
  }

  #report(happening: Happening): RebalanceReport {
    const present = this.#running?.present;
    const plans = present === undefined ? this.#ended : [...this.#ended, present];
    return reportOf(plans, happening, micros(this.#options.scheduler.now()), this.#limits);
  }

  #checkFree(): void {
    if (this.#whole !== undefined) throw underWay('wait for its end, or supersede it.');
    if (this.#isClosed) throw underWay('this executor is closed.');
  }

  #checkRoutes({ plan, transfers }: JournaledPlan): void {
    const missing = transfers.find(
      ({ record }) => !hasEnded(record.state) && !this.#routes.has(record.route),
    );
    if (missing === undefined) return;
    throw new MillraceError(
      'config-invalid',
      `Plan ${plan.id} is under way by ${missing.record.route}, which the configuration no longer has; put it back until the plan has ended.`,
    );
  }
}

const underWay = (what: string): MillraceError =>
  new MillraceError('request-invalid', `A rebalance is under way; ${what}`);

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
