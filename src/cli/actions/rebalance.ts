import type { PortfolioPlan, Rebalancer } from '../../bot/rebalancing/rebalancer.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRejection } from '../../model/rejections.ts';
import { systemRandom } from '../../platform/system-random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import type { RebalanceReport } from '../../swaps/execution/report.ts';
import { confirm } from '../bot/question.ts';
import { internalError } from '../failure.ts';
import { interruptible } from '../../platform/interruption.ts';
import { readRebalancingConfig } from '../rebalancing-config.ts';
import { ownConfig } from '../own-config.ts';
import {
  formatEnd,
  happeningLine,
  planJson,
  formatPlan,
  reportJson,
} from '../rebalancing/words.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace rebalance`. */
export interface RebalanceFlags {
  readonly plan?: true;
  readonly execute?: true;
  readonly supersede?: true;
  /** The id of the previewed plan to execute unchanged. */
  readonly confirm?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** Plans, and executes the plan if the flags say so. */
export async function rebalance(
  path: string | undefined,
  flags: RebalanceFlags,
  terminal: Terminal,
  scheduler: Scheduler = new SystemScheduler(),
): Promise<void> {
  if ((flags.plan === true) === (flags.execute === true)) {
    const sentence = 'Say one of the two: --plan shows what would be done, --execute does it.';
    throw new MillraceError('usage', sentence);
  }
  if (flags.supersede === true && flags.execute !== true) {
    const sentence = '--supersede gives up what is not paid and goes with --execute.';
    throw new MillraceError('usage', sentence);
  }
  if (flags.confirm !== undefined && (flags.execute !== true || flags.supersede === true)) {
    const sentence = '--confirm makes the plan that was shown, and goes with --execute alone.';
    throw new MillraceError('usage', sentence, { field: '--confirm' });
  }
  const { settings, warnings } = await readRebalancingConfig(
    ownConfig('rebalancing', path),
    terminal.env,
  );
  for (const warning of warnings) terminal.err.write(`warning: ${warning}\n`);
  const work = async (signal: AbortSignal): Promise<void> => {
    // A mistake in the configuration is reported without waiting for what signs and swaps.
    const { Rebalancer } = await import('../../bot/rebalancing/rebalancer.ts');
    const rebalancer = await Rebalancer.open(settings, {
      scheduler,
      random: systemRandom(),
      listener: listenerOf(flags, terminal),
    });
    // The running step ends before the process does; the next process continues the rest.
    const closed = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => void rebalancer.close().finally(resolve), {
        once: true,
      });
    });
    try {
      await run(rebalancer, flags, terminal);
    } finally {
      if (signal.aborted) await closed;
      else await rebalancer.close();
    }
    signal.throwIfAborted();
  };
  const kept = 'what is under way goes on with the next "millrace rebalance --execute"';
  await interruptible(work, internalError, terminal.signals, kept);
}

async function run(
  rebalancer: Rebalancer,
  flags: RebalanceFlags,
  terminal: Terminal,
): Promise<void> {
  const confirmed = flags.confirm === undefined ? undefined : rebalancer.shown(flags.confirm);
  const resumed = flags.execute === true ? rebalancer.resume() : undefined;
  if (resumed !== undefined && confirmed !== undefined) {
    const report = await resumed;
    terminal.err.write(`${CAME_FIRST}\n`);
    end(report, flags, terminal);
    return;
  }
  if (confirmed !== undefined) {
    end(await rebalancer.execute(confirmed), flags, terminal);
    return;
  }
  if (resumed !== undefined && flags.supersede !== true) {
    terminal.err.write(`${GOES_ON}\n`);
    end(await resumed, flags, terminal);
    return;
  }
  if (resumed !== undefined) {
    void rebalancer.supersede('Another rebalance takes its place.');
    const { state } = await resumed;
    if (state === 'running') return;
  }
  const underWay = rebalancer.underWay();
  const plan = await planOf(rebalancer);
  const { out } = terminal;
  const canBeMade = flags.plan === true && plan.transfers.length > 0 && underWay.length === 0;
  const isKept = canBeMade && keep(rebalancer, plan, terminal);
  if (flags.json === true) out.write(`${JSON.stringify(planJson(plan, underWay))}\n`);
  else out.write(formatPlan(plan, underWay, out));
  if (isKept && flags.json !== true) out.write(`${confirmText(plan.plan.id)}\n`);
  if (flags.execute !== true || plan.transfers.length === 0) return;
  const count =
    plan.transfers.length === 1 ? 'this transfer' : `these ${plan.transfers.length} transfers`;
  if (flags.yes !== true) await confirm(`Make ${count}?`, terminal);
  end(await rebalancer.execute(plan.plan), flags, terminal);
}

const GOES_ON =
  'A rebalance was under way; it goes on by its own targets, and nothing new is planned. --supersede gives up what of it is not paid.';

/** Saves a plan so that it can be confirmed; false with a warning if it cannot be saved. */
function keep(rebalancer: Rebalancer, plan: PortfolioPlan, { err }: Terminal): boolean {
  try {
    rebalancer.keepShown(plan);
    return true;
  } catch (error) {
    if (!(error instanceof MillraceError && error.code === 'journal-unwritable')) throw error;
    err.write(`warning: ${error.message}\n`);
    return false;
  }
}

const CAME_FIRST =
  'A rebalance was under way; it went on by its own targets, and the plan that you confirmed was not made. Look at a new one with --plan.';

const confirmText = (id: string): string =>
  `To make just this plan, within 10 minutes: millrace rebalance --execute --confirm ${id}`;

/** The plan, or an error that says why there is none. */
async function planOf(rebalancer: Rebalancer): Promise<PortfolioPlan> {
  const plan = await rebalancer.plan();
  if (!isRejection(plan)) return plan;
  throw new MillraceError('rebalance-impossible', `${plan.message} (${plan.code})`, {
    field: plan.field,
  });
}

const listenerOf =
  ({ json }: RebalanceFlags, { out, err }: Terminal) =>
  (report: RebalanceReport): void => {
    if (json === true) out.write(`${JSON.stringify(reportJson(report))}\n`);
    else err.write(`${happeningLine(report)}\n`);
  };

/** Prints how it ended; an end that is not that of the plan is an error. */
function end(report: RebalanceReport, { json }: RebalanceFlags, { out }: Terminal): void {
  if (json !== true) out.write(formatEnd(report, out));
  if (report.state !== 'incomplete') return;
  throw new MillraceError(
    'rebalance-impossible',
    'Not all transfers succeeded, and those above say why. What they were to move is where it says; plan anew.',
  );
}
