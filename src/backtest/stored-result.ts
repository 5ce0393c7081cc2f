import { messageOf } from '../config/excerpt.ts';
import { readSmallFile } from '../config/small-file.ts';
import { MillraceError } from '../model/errors.ts';
import { parseIsoTime } from '../platform/time.ts';
import { RESULT_FORMAT, type BacktestResult } from './result.ts';

/** Largest valid result file: its tables are cut to their first rows. */
const BYTES_MAX = 256 << 20;

/** Members that readers of a result rely on. */
const MEMBERS = [
  ...(['strategy', 'instruments', 'plan', 'metrics', 'orders', 'balances', 'warnings'] as const),
  ...(['series', 'orderHistory', 'fills', 'trades'] as const),
] satisfies readonly (keyof BacktestResult)[];

/**
 * Reads a `result.json`. Throws `file-missing` if there is none, and `result-invalid` for another
 * file or a format that this release does not read.
 */
export function readResult(path: string, bytesMax = BYTES_MAX): BacktestResult {
  const found = parsed(path, textOf(path, bytesMax));
  if (typeof found !== 'object' || found === null || !('format' in found)) throw foreign(path);
  const { format } = found;
  if (format !== RESULT_FORMAT) {
    throw invalid(
      path,
      `${path} has the format ${JSON.stringify(format)}, and this release of Millrace reads ${RESULT_FORMAT}. Run the backtest again, or use the release that wrote it.`,
    );
  }
  const members = found as Readonly<Record<string, unknown>>;
  if (MEMBERS.some((name) => typeof members[name] !== 'object' || members[name] === null)) {
    throw foreign(path);
  }
  // Both become parts of paths.
  const { hash, strategy } = members;
  const { name } = strategy as Readonly<Record<string, unknown>>;
  const isSafe = typeof name === 'string' && name !== '' && !/[/\\\0]|^\.+$/.test(name);
  const { tradingFrom, till } = members['plan'] as Readonly<Record<string, unknown>>;
  for (const [time, member] of [
    [tradingFrom, 'plan.tradingFrom'],
    [till, 'plan.till'],
  ] as const) {
    if (typeof time === 'string' && parseIsoTime(time) !== undefined) continue;
    throw invalid(path, `${path} is damaged: ${member} is no time. Run the backtest again.`);
  }
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || !isSafe) throw foreign(path);
  return found as unknown as BacktestResult;
}

function textOf(path: string, bytesMax: number): string {
  try {
    return readSmallFile(path, { bytesMax }).text;
  } catch (cause) {
    throw new MillraceError(
      'file-missing',
      `${path} cannot be read (${messageOf(cause)}). Give the folder of a backtest, such as runs/ema-cross-29eb8f7a355a.`,
      { where: path, cause },
    );
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(
      path,
      `${path} is not complete JSON (${messageOf(cause)}). Run the backtest again.`,
      cause,
    );
  }
}

const foreign = (path: string): MillraceError =>
  invalid(path, `${path} is not the result of a backtest. Give the folder of a backtest.`);

/** An error for an invalid result of a run. */
export const invalid = (where: string, message: string, cause?: unknown): MillraceError =>
  new MillraceError('result-invalid', message, {
    where,
    ...(cause === undefined ? {} : { cause }),
  });
