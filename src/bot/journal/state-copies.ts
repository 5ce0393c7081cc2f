import { micros } from '../../platform/time.ts';
import { TRADING_STATES } from '../../risk/state.ts';
import type { JournaledState } from './records.ts';
import type { StateFile } from './state-file.ts';

/** A state as the file has it, by its scope. */
type Copy = readonly [state: string, why: string, at: number];

/**
 * Keeps a trading state in the journal and in the file beside it, which a full disk does not refuse.
 * It is on the disk when this returns. Throws `journal-unwritable` where neither could be written, and
 * for `running` where one of them could not, as nothing could be sent then.
 */
export function keepTwice(
  file: StateFile,
  state: JournaledState,
  journal: { readonly toJournal: () => void; readonly failed: (error: unknown) => void },
): void {
  if (state.state === 'running') {
    journal.toJournal();
    keepState(file, state);
    return;
  }
  const isKept = succeeds(() => keepState(file, state));
  try {
    journal.toJournal();
  } catch (error) {
    if (!isKept) throw error;
    journal.failed(error);
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

/** Keeps a trading state in the file beside the journal. Throws `journal-unwritable`. */
function keepState(file: StateFile, { scope, state, why, at }: JournaledState): void {
  file.set({ states: { ...copiesOf(file), [scope]: [state, why, at] } });
}

/** The trading states that the file beside a journal keeps. */
export const keptStatesOf = (file: StateFile): readonly JournaledState[] =>
  Object.entries(copiesOf(file)).map(([scope, [state, why, at]]) => ({
    scope,
    // A word that this release does not know is taken for the strictest.
    state: TRADING_STATES.find((one) => one === state) ?? 'killed',
    why,
    at: micros(at),
  }));

/** The latest of each scope; of two at the same time the one that comes later in the list. */
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
