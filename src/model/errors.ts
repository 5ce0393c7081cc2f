/**
 * All errors of Millrace, in one table. Codes are part of the interface: a code never changes its
 * meaning, and `docs/errors.md` lists exactly these rows.
 * `exit` is the exit code of a command that ends with the error: 2 for a wrong call or
 * configuration, 1 for bad data or a failed run.
 */
export const ERRORS = {
  usage: { exit: 2, means: 'Unknown command, argument or option.' },
  'config-invalid': { exit: 2, means: 'A key or value is wrong.' },
  'config-missing': { exit: 2, means: 'The configuration is missing or unreadable.' },
  'parameter-invalid': { exit: 2, means: 'Unknown parameter of the strategy, or out of range.' },
  'strategy-unknown': { exit: 2, means: 'No strategy or file has this name.' },
  'strategy-invalid': { exit: 2, means: 'The default export is not a strategy.' },
  'symbol-unknown': { exit: 2, means: 'No recording or venue has it.' },
  'rxjs-foreign': { exit: 2, means: 'The strategy uses another copy of rxjs.' },
  'delay-invalid': {
    exit: 1,
    means: "A timer's delay is not finite.",
  },
  'period-unknown': { exit: 2, means: 'No such candle period.' },
  'currency-unknown': { exit: 2, means: 'No instrument of the run uses it.' },
  'balances-unsupported': {
    exit: 2,
    means: 'The venue does not report them.',
  },
  'margin-forbidden': { exit: 2, means: 'Not traded on margin in this mode.' },
  'margin-mode-invalid': {
    exit: 2,
    means: 'Neither isolated nor cross.',
  },
  'project-missing': { exit: 2, means: 'The folder has no package.json.' },
  'file-missing': { exit: 1, means: 'A data file is missing or unreadable.' },
  'file-exists': { exit: 2, means: 'The output exists.' },
  'file-unwritable': { exit: 1, means: 'A file could not be written.' },
  'recording-invalid': { exit: 1, means: 'Not a recording, or damaged.' },
  'recording-truncated': { exit: 1, means: 'The recording is cut off.' },
  'feed-faulty': { exit: 1, means: 'The recording has faults.' },
  'import-invalid': { exit: 1, means: 'A line of the file is malformed.' },
  'download-failed': { exit: 1, means: 'The archive did not send the file.' },
  'event-invalid': { exit: 2, means: 'An event to record is malformed.' },
  'feed-lacks': { exit: 2, means: 'The feed lacks events that the strategy reads.' },
  'decimal-invalid': { exit: 2, means: 'Not a decimal number.' },
  'off-grid': { exit: 2, means: 'A price or quantity is off its grid.' },
  'out-of-range': { exit: 2, means: 'A number is too large to be exact.' },
  'instrument-invalid': { exit: 2, means: 'Its terms contradict themselves.' },
  'instrument-unsupported': {
    exit: 2,
    means: 'The contract cannot be valued here.',
  },
  'currency-invalid': { exit: 2, means: 'Its terms contradict themselves.' },
  'port-unavailable': { exit: 1, means: 'The address to listen on is unavailable.' },
  'strategy-failed': { exit: 1, means: 'The strategy threw and was stopped.' },
  'request-invalid': { exit: 2, means: 'The arguments are wrong; nothing was sent.' },
  'service-refused': { exit: 1, means: 'The service rejected it, with its own code.' },
  'service-unavailable': {
    exit: 1,
    means: 'No answer after all attempts.',
  },
  'rate-limited': { exit: 1, means: 'The rate limit was exceeded.' },
  unreachable: { exit: 1, means: 'No connection; the request did not leave.' },
  'outcome-unknown': {
    exit: 1,
    means: 'Sent without an answer; it may have been done.',
  },
  'answer-invalid': {
    exit: 1,
    means: 'The service sent a malformed answer.',
  },
  'login-refused': {
    exit: 2,
    means: 'The service rejects the key, its secret or the clock.',
  },
  'journal-locked': { exit: 2, means: 'Another process uses the account or journal.' },
  'key-shared': {
    exit: 2,
    means: 'Others sign with the key, or its file is an older copy; nothing new is signed.',
  },
  'journal-invalid': { exit: 1, means: 'Damaged, or of a newer release.' },
  'journal-unconfirmed': {
    exit: 2,
    means: 'Unexpected journal; a person must confirm it.',
  },
  'journal-unwritable': {
    exit: 1,
    means: 'The journal is unwritable; nothing is sent.',
  },
  'venue-data-locked': { exit: 2, means: 'Another venue uses the folder.' },
  'venue-data-invalid': {
    exit: 1,
    means: 'Damaged, or cannot be replayed.',
  },
  'venue-data-unwritable': {
    exit: 1,
    means: 'The state is unwritable; the venue stops.',
  },
  'venue-data-differs': {
    exit: 2,
    means: 'The state has another configuration.',
  },
  'secret-missing': { exit: 2, means: 'A secret is not where the configuration says.' },
  'bot-unreachable': { exit: 1, means: 'No bot answers at its control address.' },
  'control-refused': { exit: 2, means: 'The control API rejects the token or caller.' },
  'path-outside': {
    exit: 2,
    means: 'A path leads out of the folder of the MCP server.',
  },
  'check-failed': { exit: 1, means: 'A check failed; its line says what to do.' },
  'approval-refused': {
    exit: 1,
    means: 'The data to sign differ from the agreement, or the signer refuses.',
  },
  'key-invalid': { exit: 2, means: 'A key is malformed or locked.' },
  'rebalance-impossible': { exit: 1, means: 'The portfolio cannot be brought to its targets.' },
  'objective-unknown': { exit: 2, means: 'No metric of that name.' },
  'objective-invalid': { exit: 1, means: 'The objective of a run is not a finite number.' },
  'sweep-changed': {
    exit: 2,
    means: 'An input changed since it began.',
  },
  'sweep-invalid': { exit: 1, means: 'Not the store of a sweep, or damaged.' },
  'result-invalid': { exit: 1, means: 'Not the result of a backtest of this release, or damaged.' },
  'export-unsupported': { exit: 2, means: 'The result has no such form.' },
  'runs-failed': { exit: 1, means: 'Runs of a sweep failed; the others are ranked.' },
  'worker-lost': { exit: 1, means: 'The thread or worker ended before its run.' },
  'worker-unfit': {
    exit: 2,
    means: 'A worker has another release, Node or strategy.',
  },
  'recording-changed': { exit: 1, means: 'A recording changed since the sweep began.' },
  'run-not-deterministic': { exit: 1, means: 'One run had two results on two workers.' },
  'jetstream-missing': { exit: 2, means: 'The NATS server has none for this user.' },
  internal: { exit: 1, means: 'A fault in Millrace itself.' },
} as const satisfies Record<string, { exit: 1 | 2; means: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetails {
  /** The offending field, key or argument. */
  readonly field?: string;
  /** Location: a file, with `:line` or `:line:column` if known. */
  readonly where?: string;
  readonly cause?: unknown;
}

/** An error with a stable code and a message that says how to fix it. */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly where: string | undefined;

  constructor(code: ErrorCode, sentence: string, details: ErrorDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.where = details.where;
  }

  /** The exit code of a command that ends with this error. */
  get exitCode(): 1 | 2 {
    return ERRORS[this.code].exit;
  }
}

/** What an error says; of whatever else was thrown, its text. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Takes what is wrong and ends nothing. */
export type Warn = (warning: MillraceError) => void;
