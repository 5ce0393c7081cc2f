import { CHECKS, type CheckName } from '../feeds/quality/checks.ts';
import { QualityIssues, type CheckResult } from '../feeds/quality/findings.ts';
import { Inspector } from '../feeds/quality/inspector.ts';
import type { Recording } from '../feeds/reader.ts';
import type { InstrumentState } from '../model/instrument-state.ts';
import { isoTime } from '../platform/time.ts';
import { clock, span } from './page/format.ts';
import type { QualityRecord, RecordingRecord } from './result.ts';

/** Findings in each recording up to a time, shared by successive runs on the same recordings. */
export type QualityMemo = Map<number, readonly (readonly QualityRecord[])[]>;

/** Checks the rows of a run as `feed check` does, in the same pass and with the existing books. */
export class Quality {
  /** One for each recording; none if all findings are known. */
  readonly inspectors: readonly Inspector[];
  readonly #findings: readonly QualityIssues[];
  readonly #memo: QualityMemo | undefined;
  readonly #endAt: number;

  constructor(
    recordings: readonly Recording[],
    states: readonly InstrumentState[],
    { memo, endAt }: { readonly memo: QualityMemo | undefined; readonly endAt: number },
  ) {
    this.#memo = memo;
    this.#endAt = endAt;
    if (memo?.has(endAt) === true) {
      this.#findings = [];
      this.inspectors = [];
      return;
    }
    this.#findings = recordings.map(() => new QualityIssues(1));
    this.inspectors = recordings.map(
      ({ meta: { period } }, index) =>
        new Inspector(this.#findings[index], states[index].book, {
          period,
          judgesTradePrices: false,
        }),
    );
  }

  /** Findings in each recording; called once, after the last row. */
  found(): readonly (readonly QualityRecord[])[] {
    const known = this.#memo?.get(this.#endAt);
    if (known !== undefined) return known;
    for (const inspector of this.inspectors) inspector.end();
    const found = this.#findings.map((findings) => qualityRecord(findings.results()));
    this.#memo?.set(this.#endAt, found);
    return found;
  }
}

/** Quality of the replayed rows of a recording: the checks with findings, and their numbers. */
const qualityRecord = (checks: readonly CheckResult[]): readonly QualityRecord[] =>
  checks
    .filter(({ count }) => count > 0)
    .map(({ name, severity, count, extent, examples: [first] }) => ({
      name,
      severity,
      count,
      extent,
      firstAt: isoTime(first.at),
    }));

/** Gaps have their own warning; the other two change no result. */
const UNWARNED: readonly CheckName[] = ['gap', 'trade-jump', 'old-level'];

/** A warning for each kind of fault in the replayed data, the gravest first. */
export function qualityWarnings(
  recordings: readonly Pick<RecordingRecord, 'symbol' | 'candles' | 'quality'>[],
): readonly string[] {
  return recordings.flatMap(({ symbol, candles, quality }) => {
    const reported = quality.filter(
      ({ name, extent }) => !UNWARNED.includes(name) && extent?.value !== 0,
    );
    const faults = reported.filter(({ severity }) => severity === 'fault');
    const notices = reported.filter(({ severity }) => severity === 'notice');
    return [...faults, ...notices].map((found) => {
      const { name, severity, count, firstAt } = found;
      if (name === 'no-volume' && count === candles) {
        return `No candle of ${symbol} has a volume, so no order could be filled.`;
      }
      const times = `${count} ${count === 1 ? severity : `${severity}s`}`;
      return `The recording of ${symbol} has ${times} of ${name}${inAll(found)}, the first at ${clock(firstAt)} UTC: ${CHECKS[name].means}.`;
    });
  });
}

const inAll = ({ extent }: QualityRecord): string =>
  extent === undefined
    ? ''
    : ` (${extent.unit === 'us' ? span(extent.value) : `${extent.value} ${extent.unit}`} in all)`;
