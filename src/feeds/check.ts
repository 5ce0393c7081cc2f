import { DepthFeed } from '../model/depth-feed.ts';
import { QualityIssues, type CheckResult } from './quality/findings.ts';
import { Inspector, SILENCE_US } from './quality/inspector.ts';
import type { Recording } from './reader.ts';

export interface CheckOptions {
  /** A longer time without a row is reported; one minute by default. Not for candles. */
  readonly silenceUs?: number;
  /** Examples kept of each finding, 3 by default. */
  readonly examples?: number;
}

/** Quality of a recording. */
export interface QualityReport {
  readonly path: string;
  readonly rows: number;
  /** Findings that a sound feed does not have. */
  readonly faults: number;
  /** Findings to know about. */
  readonly notices: number;
  /** Every check, those that found nothing too. */
  readonly checks: readonly CheckResult[];
}

/**
 * Reads a recording once and reports its faults: kind, place and number. Memory does not grow with the
 * recording. Throws `recording-invalid` at a damaged batch.
 */
export function checkRecording(recording: Recording, options: CheckOptions = {}): QualityReport {
  const findings = new QualityIssues(options.examples ?? 3);
  const book = new DepthFeed();
  const { silenceUs = SILENCE_US } = options;
  const { period, prices } = recording.meta;
  const hasVolume = prices === undefined;
  const inspector = new Inspector(findings, book, { period, hasVolume, silenceUs });
  for (const columns of recording.batches()) {
    for (let row = 0; row < columns.length; row += 1) {
      inspector.before(columns, row);
      book.apply(columns, row);
      inspector.after(columns, row);
    }
  }
  inspector.end();
  const checks = findings.results();
  const sum = (severity: string): number =>
    checks.reduce((total, check) => total + (check.severity === severity ? check.count : 0), 0);
  const { path, summary } = recording;
  return { path, rows: summary.rows, faults: sum('fault'), notices: sum('notice'), checks };
}
