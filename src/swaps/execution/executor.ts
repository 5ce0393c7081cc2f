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
import { haveSucceeded, reportOf, type Happening, type RebalanceReport } from './report.ts';
import { RunningPlan } from './running-plan.ts';
import { checkPlan } from './soundness.ts';

export interface ExecutorOptions {
  readonly scheduler: Scheduler;
  readonly journal: RebalanceJournal;
  readonly routes: readonly TransferRoute[];
  /** `EXECUTION_LIMITS` where absent. */
  readonly limits?: Partial<ExecutionLimits>;
  /** Receives every report; it must not throw. */
  readonly listener?: (report: RebalanceReport) => void;
  /**
   * Makes another plan from present holdings after transfers that did not succeed; called again
   * where it throws. Without it a rebalance ends with its plan.
   */
  readonly replan?: (report: RebalanceReport) => Promise<RebalancePlan | Rejection>;
}

/**
 * Executes plans, one at a time. Each step is in the journal before it is done, so that another
 * executor can `resume` after a crash and nothing is paid twice.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #limits: ExecutionLimits;
  readonly #routes: ReadonlyMap<string, TransferRoute>;
  readonly #waits: TransferWaits;
  #ended: readonly JournaledPlan[] = [];
  #running: RunningPlan | undefined;
  #result: Promise<RebalanceReport> | undefined;
  #isClosed = false;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#limits = withDefaults(EXECUTION_LIMITS, options.limits);
    this.#routes = new Map(options.routes.map((one) => [one.name, one]));
    this.#waits = new TransferWaits(options.scheduler);
  }

  /** True while it executes a rebalance. */
  get isRunning(): boolean {
    return this.#result !== undefined;
  }

  /**
   * Resumes the rebalance under way in the journal; `undefined` where there is none. Resolves with
   * the last report. Throws `config-invalid` where one of its routes is missing.
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
   * Executes a plan and resolves with the last report, when all transfers have ended or the executor
   * is closed. Throws `request-invalid` for a plan that contradicts itself, or while another one is
   * under way: `supersede` that first. Throws `journal-unwritable`.
   */
  execute(plan: RebalancePlan): Promise<RebalanceReport> {
    this.#checkFree();
    if (this.#options.journal.underWay().length > 0) throw underWay('resume it first.');
    this.#ended = [];
    const opened = this.#open(plan);
    return this.#start(opened, { kind: 'begun', message: `Plan ${plan.id} is begun.` });
  }

  /**
   * Gives up unpaid transfers and resolves with the last report when the paid ones have ended;
   * `undefined` where no rebalance is under way. After `journal-unwritable` they are given up too,
   * and the journal gets it as soon as it can be written.
   */
  supersede(why: string): Promise<RebalanceReport> | undefined {
    if (this.#running === undefined) return undefined;
    this.#running.supersede(why);
    this.#emit({ kind: 'superseded', message: why });
    return this.#result;
  }

  /** Begins no further step and resolves when present ones are done; `resume` goes on later. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.close();
    this.#waits.wake();
    await this.#result;
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
    const whole = this.#runPlans().finally(() => {
      this.#running = undefined;
      this.#result = undefined;
    });
    this.#result = whole;
    return whole;
  }

  #run(plan: JournaledPlan): RunningPlan {
    const { scheduler, journal } = this.#options;
    this.#running = new RunningPlan(plan, {
      scheduler,
      journal,
      limits: this.#limits,
      waits: this.#waits,
      emit: (happening) => this.#emit(happening),
    });
    return this.#running;
  }

  async #runPlans(): Promise<RebalanceReport> {
    for (let plan = this.#running; plan !== undefined;) {
      await Promise.all(this.#executions(plan).map((one) => one.run()));
      const next = this.#isClosed ? undefined : await this.#nextPlan(plan);
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

  /** The plan after one whose transfers have ended, if any. */
  async #nextPlan(plan: RunningPlan): Promise<JournaledPlan | undefined> {
    const { replan, scheduler } = this.#options;
    const giveUpAt = scheduler.now() + this.#limits.unpaidUs;
    while (!this.#isClosed) {
      const { transfers, superseded } = plan.present;
      const isLast = this.#ended.length >= this.#limits.replans || haveSucceeded(transfers);
      if (isLast || superseded !== undefined || replan === undefined) return;
      try {
        const next = await replan(
          this.#report({ kind: 'replanned', message: 'Transfers failed.' }),
        );
        if (this.#isClosed || plan.superseded !== undefined) continue;
        if (!isRejection(next)) return next.transfers.length === 0 ? undefined : this.#open(next);
        this.#emit({ kind: 'trouble', message: `There is no further plan: ${next.message}` });
        return undefined;
      } catch (error) {
        this.#emit({ kind: 'trouble', message: sentenceOf(error) });
        if (scheduler.now() >= giveUpAt) return undefined;
        await this.#waits.wait(this.#limits.pollMostUs);
      }
    }
    return undefined;
  }

  /** Ends the rebalance in the journal, again until the journal takes it. */
  async #end(): Promise<RebalanceReport> {
    while (!this.#isClosed) {
      try {
        this.#options.journal.end(this.#options.scheduler.now());
        return this.#emit({ kind: 'ended', message: 'All transfers have ended.' });
      } catch (error) {
        this.#emit({ kind: 'trouble', message: sentenceOf(error) });
        await this.#waits.wait(this.#limits.pollMostUs);
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
    if (this.#result !== undefined) throw underWay('wait for its end, or supersede it.');
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
