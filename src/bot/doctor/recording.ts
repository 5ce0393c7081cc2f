import { openRecording } from '../../feeds/reader.ts';
import { checkTraded } from '../../backtest/contracts.ts';
import { checker, type CheckResult } from './check-result.ts';
import { errorText } from '../../model/errors.ts';

/** Whether a recording that an account plays can be read. */
export function checkRecording(path: string): CheckResult {
  const { ok, fail } = checker('recording');
  try {
    const recording = openRecording(path);
    recording.close();
    checkTraded(recording);
    return ok(`${path} is a recording of ${recording.meta.instrument.symbol}.`);
  } catch (error) {
    return fail(errorText(error), 'Look at accounts.…market.recordings.');
  }
}
