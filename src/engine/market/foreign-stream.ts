import { MillraceError } from '../../model/errors.ts';

/** Timers of another copy of RxJS would run on wall-clock time and not on that of the market. */
export const foreignStream = (): MillraceError =>
  new MillraceError(
    'rxjs-foreign',
    'The strategy is built on another copy of rxjs than the one that Millrace runs on, so its timers would not follow event time. Run it with the millrace command, which gives every strategy this copy; elsewhere install rxjs once, beside millrace, and do not bundle it.',
    { field: 'rxjs' },
  );
