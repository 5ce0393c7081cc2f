import { micros } from '../../platform/time.ts';
import { TRADING_STATES } from '../../risk/state.ts';
import type { JournaledState } from './records.ts';
import type { JournalRows } from './rows.ts';
import type { StateFile } from './state-file.ts';
import type { OrderEventLog } from './order-event-log.ts';

/** A state as the file has it, by its scope. */
type Copy = readonly [state: string, why: string, at: number];

/** Where a state is stored. */
interface Keeping {
  readonly file: StateFile;
  readonly states: JournalRows<JournaledState>;
  readonly log: OrderEventLog;
  /** Writes the journal; on the disk when it returns. */
  readonly commit: () => void;
  /** Called when the journal could not be written although the state is stored. */
  readonly failed: (error: unknown) => void;
}

/**
 * Stores a trading state in the journal and in the file beside it, which works on a full disk. It is on
 * disk when this returns. Throws `journal-unwritable` if neither could be written, and for `running` if the
 * journal could not, as nothing could be sent then: the state stays `before`.
 */
export function keepTwice(
  next: JournaledState,
  before: JournaledState | undefined,
  { file, states, log, commit, failed }: Keeping,
): void {
  const { at, ...body } = next;
  states.set(next);
  if (next.state === 'running') {
    try {
      commit();
      keepState(file, next);
    } catch (error) {
      // The next commit must not write it.
      if (before !== undefined) states.set(before);
      throw error;
    }
    log.emit({ kind: 'state', at, body });
    return;
  }
  log.emit({ kind: 'state', at, body });
  const isKept = succeeds(() => keepState(file, next));
  try {
    commit();
  } catch (error) {
    if (!isKept) throw error;
    failed(error);
  }
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Stores a trading state in the file beside the journal. Throws `journal-unwritable`. */
function keepState(file: StateFile, { scope, state, why, at }: JournaledState): void {
  file.set({ states: { ...copiesOf(file), [scope]: [state, why, at] } });
}

/** The trading states in the file beside a journal. */
export const storedStatesOf = (file: StateFile): readonly JournaledState[] =>
  Object.entries(copiesOf(file)).map(([scope, [state, why, at]]) => ({
    scope,
    // A state unknown to this release counts as the strictest.
    state: TRADING_STATES.find((one) => one === state) ?? 'killed',
    why,
    at: micros(at),
  }));

/** The latest of each scope; of two at the same time the later one in the list. */
export function latestStates(states: readonly JournaledState[]): readonly JournaledState[] {
  const latest = new Map<string, JournaledState>();
  for (const one of states) {
    const known = latest.get(one.scope);
    if (known === undefined || one.at >= known.at) latest.set(one.scope, one);
  }
  return [...latest.values()];
}

const copiesOf = (file: StateFile): Readonly<Record<string, Copy>> =>
  (file.get('states') ?? {}) as unknown as Readonly<Record<string, Copy>>;
