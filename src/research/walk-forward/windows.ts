import { MillraceError } from '../../model/errors.ts';
import type { WalkForwardWindows } from '../sweep/definition.ts';

/** Times in microseconds since 1970; each window ends before its `till`. */
export interface Windows {
  readonly folds: readonly {
    readonly train: Window;
    readonly test: Window;
  }[];
  /** Remaining time at the end, too short for another test. */
  readonly leftUs: number;
}

export interface Window {
  readonly fromUs: number;
  readonly tillUs: number;
}

/** Most folds. */
const FOLDS_MAX = 1_000;

/** Cuts a time into folds of a training and a test. Throws `out-of-range`. */
export function windowsOf({ fromUs, tillUs }: Window, cut: WalkForwardWindows): Windows {
  const { trainUs, testUs, stepUs, gapUs, isAnchored } = cut;
  check(cut);
  const count = Math.floor((tillUs - fromUs - trainUs - gapUs - testUs) / stepUs) + 1;
  const days = (us: number): string => `${(us / 86_400e6).toFixed(2)} days`;
  if (count < 1 || count > FOLDS_MAX) {
    throw new MillraceError(
      'out-of-range',
      count < 1
        ? `A training of ${days(trainUs)}, a gap of ${days(gapUs)} and a test of ${days(testUs)} do not fit into the ${days(tillUs - fromUs)} that there are.`
        : `The windows make ${count} folds, and ${FOLDS_MAX} are the most.`,
      { field: 'train' },
    );
  }
  const folds = Array.from({ length: count }, (_, fold) => {
    const trainTill = fromUs + fold * stepUs + trainUs;
    const testFrom = trainTill + gapUs;
    return {
      train: { fromUs: isAnchored ? fromUs : trainTill - trainUs, tillUs: trainTill },
      test: { fromUs: testFrom, tillUs: testFrom + testUs },
    };
  });
  return { folds, leftUs: tillUs - folds[count - 1].test.tillUs };
}

function check({ trainUs, testUs, stepUs, gapUs }: WalkForwardWindows): void {
  const invalidOption = (field: string, must: string): MillraceError =>
    new MillraceError('out-of-range', `${field} ${must}.`, { field });
  if (!(trainUs > 0)) throw invalidOption('train', 'must be longer than nothing');
  if (!(testUs > 0)) throw invalidOption('test', 'must be longer than nothing');
  if (!(gapUs >= 0)) throw invalidOption('gap', 'must be nothing or more');
  if (!(stepUs >= testUs)) {
    throw invalidOption(
      'step',
      'must be as long as test at least, or a time would be tested twice',
    );
  }
}
