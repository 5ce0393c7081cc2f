import { resolve } from 'node:path';
import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { isoTime, US_PER_SECOND } from '../../platform/time.ts';
import type { Restored } from '../../server/simulation/stored-state.ts';
import type {
  DataFolder,
  Simulation,
  SimulationListener,
} from '../../server/simulation/simulation.ts';
import type { SimulationSettings } from '../../server/simulation/settings.ts';
import { wholeNumber, usageError } from '../arguments.ts';
import type { Environment } from '../bot/secret.ts';
import { internalError } from '../failure.ts';
import { messageOf } from '../../config/excerpt.ts';
import { interruptible, Stopped } from '../../platform/interruption.ts';
import { version } from '../../modules/package.ts';
import { exampleConfig } from '../own-config.ts';
import { withSourceLines } from '../source-lines.ts';
import type { Terminal } from '../terminal.ts';
import { addressesOf, type DepositAddresses } from '../venue/addresses.ts';
import { readVenueConfig } from '../venue-config.ts';

/** Flags of `millrace venue`. */
export interface VenueFlags {
  readonly host?: string;
  readonly port?: string;
  readonly data?: string;
  readonly json?: true;
}

/** Runs the trading service on this machine until it is stopped. */
export async function venue(
  configPath: string | undefined,
  flags: VenueFlags,
  terminal: Terminal,
): Promise<void> {
  const path = configPath ?? exampleConfig('venue');
  const settings = settingsOf(path, flags, terminal.env);
  await interruptible(
    async (signal) => {
      const lost = new AbortController();
      const listener = listenerOf(terminal, (error) => {
        lost.abort(error);
      });
      const simulation = await open(path, settings, listener, dataOf(flags));
      try {
        const addresses = addressesOf(simulation.venue);
        const { restored } = simulation;
        terminal.out.write(
          flags.json === true
            ? `${JSON.stringify({ ...addresses, ...(restored && { data: shown(restored) }) })}\n`
            : welcome(addresses, settings, path, restored),
        );
        await ending(AbortSignal.any([signal, lost.signal]));
        if (lost.signal.aborted) throw lost.signal.reason;
      } finally {
        await simulation.close();
      }
      if (!(signal.reason instanceof Stopped)) return;
      if (flags.json !== true) terminal.out.write('The venue is closed.\n');
    },
    internalError,
    terminal.signals,
  );
}

/** The configuration with the flags applied. */
function settingsOf(
  path: string,
  { host, port }: VenueFlags,
  env: Environment,
): SimulationSettings {
  const settings = readVenueConfig(path, env);
  return {
    ...settings,
    ...(host === undefined ? {} : { host: hostOf(host) }),
    ...(port === undefined ? {} : { port: portOf(port) }),
  };
}

/** The folder of the state; none without `--data`. */
function dataOf({ data }: VenueFlags): DataFolder | undefined {
  if (data === undefined) return undefined;
  if (data.trim() !== '') return { folder: resolve(data), release: version() };
  throw usageError('--data', 'a folder such as data/venue, and was given an empty name');
}

/** The state found in the data folder, as JSON. */
const shown = (restored: Restored): object => {
  const { folder, isNew, inputs, timers, until, bytes, bytesCut, tookUs } = restored;
  return {
    folder,
    isNew,
    inputs,
    timers,
    bytes,
    bytesCut,
    seconds: tookUs / US_PER_SECOND,
    until: isoTime(until),
  };
};

function hostOf(text: string): string {
  if (text.trim() !== '') return text;
  throw usageError('--host', 'an address such as 127.0.0.1, and was given an empty one');
}

const PORT_MAX = 65_535;

function portOf(text: string): number {
  const port = wholeNumber(text, '--port');
  if (port >= 0 && port <= PORT_MAX) return port;
  throw usageError('--port', `a number from 0 to ${PORT_MAX}, not "${excerpt(text)}"`);
}

/** Faults of a configuration beyond its form are reported with its file. */
const OF_CONFIG = new Set([
  'parameter-invalid',
  'symbol-unknown',
  'currency-unknown',
  'instrument-invalid',
  'currency-invalid',
  'off-grid',
  'out-of-range',
  'decimal-invalid',
]);

async function open(
  path: string,
  settings: SimulationSettings,
  listener: SimulationListener,
  data: DataFolder | undefined,
): Promise<Simulation> {
  try {
    // A mistake in the configuration is reported before the services are loaded.
    const { Simulation } = await import('../../server/simulation/simulation.ts');
    return await Simulation.open(settings, new SystemScheduler(), listener, data);
  } catch (error) {
    if (error instanceof MillraceError && OF_CONFIG.has(error.code)) {
      throw new MillraceError('config-invalid', `${path}: ${error.message}`, {
        where: path,
        cause: error,
        field: error.field,
      });
    }
    throw unopened(error, settings) ?? error;
  }
}

const LISTEN_FAULTS: ReadonlyMap<unknown, (settings: SimulationSettings) => string> = new Map([
  [
    'EADDRINUSE',
    ({ port }: SimulationSettings) =>
      `port ${port} is taken, perhaps by another venue. Choose another with --port, or any free one with --port 0.`,
  ],
  [
    'EACCES',
    ({ port }: SimulationSettings) =>
      `port ${port} is not for everybody. Choose one above 1023 with --port.`,
  ],
  [
    'EADDRNOTAVAIL',
    () =>
      'this machine has no such address. Leave --host out for loopback, or give one of its own.',
  ],
  ['ENOTFOUND', () => 'nobody knows that name. Leave --host out for loopback, or give an address.'],
]);

/** Why the venue could not listen. */
function unopened(error: unknown, settings: SimulationSettings): MillraceError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const why = LISTEN_FAULTS.get(error.code)?.(settings);
  if (why === undefined) return undefined;
  const { host, port } = settings;
  return new MillraceError('port-unavailable', `Cannot listen on ${host}:${port}: ${why}`, {
    field: 'port',
    cause: error,
  });
}

const ending = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else {
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
    }
  });

/** Prints events beside the results, a line each. */
const listenerOf = (
  { err }: Terminal,
  stateLost: (error: MillraceError) => void,
): SimulationListener => ({
  stateLost,
  stateFull: (isFull) => {
    err.write(
      isFull
        ? 'The disk of the data folder is full. The venue refuses what changes its state until there is room.\n'
        : 'The disk of the data folder has room again. The venue takes all requests.\n',
    );
  },
  restoring: ({ inputs, bytes, bytesTotal, reached, tookUs }) => {
    const percent = Math.floor((100 * bytes) / Math.max(1, bytesTotal));
    const seconds = Math.round(tookUs / US_PER_SECOND);
    err.write(
      `Restoring the state: ${inputs} inputs, ${percent}% of the log, up to ${isoTime(reached)}, after ${seconds} s.\n`,
    );
  },
  failed: (error, where) => {
    // An error from a live chain is not an internal error.
    if (error instanceof MillraceError && error.code !== 'internal') {
      err.write(`warning [${error.code}] ${where}: ${error.message}\n`);
      return;
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    err.write(`error [internal] ${where}: ${withSourceLines(stack)}\n`);
  },
  marketEnded: ({ symbols }, fault) => {
    const names = symbols.join(', ');
    if (fault === undefined) err.write(`The recorded market of ${names} is at its end.\n`);
    else err.write(`The market of ${names} has ended by a fault: ${messageOf(fault)}\n`);
  },
});

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Describes the restored state. */
function stateLines(restored: Restored): readonly string[] {
  const { folder, isNew, inputs, timers, until, bytes, bytesCut, tookUs } = restored;
  const seconds = (tookUs / US_PER_SECOND).toFixed(1);
  if (isNew) return [`  state           begins in ${folder}`];
  return [
    `  state           ${folder}, as it was at ${isoTime(until)}`,
    `                  (replayed ${inputs} inputs, ${timers} timers and turns of the market, ${bytes} bytes in ${seconds} s)`,
    ...(bytesCut === 0
      ? []
      : [`                  (cut ${bytesCut} bytes of an input that was not written to its end)`]),
  ];
}

/** A few lines for people. */
function welcome(
  addresses: DepositAddresses,
  { members }: SimulationSettings,
  path: string,
  restored: Restored | undefined,
): string {
  const key = members.flatMap(({ keys }) => keys).at(0);
  const { rest, sockets } = addresses.v3;
  const lines = [
    `The venue of ${path} is open. Ctrl-C closes it.`,
    '',
    `  REST            ${rest}`,
    `  sockets         ${sockets.public}`,
    `                  ${sockets.trading}`,
    `                  ${sockets.wallet}`,
    `  version 2       ${addresses.v2.rest}`,
    `  to read         ${addresses.docs}`,
    ...(restored === undefined ? [] : stateLines(restored)),
    ...(isLoopback(addresses.host)
      ? []
      : [`  listens on      ${addresses.host}, so other machines may reach it too`]),
    '',
    'Try:',
    `  curl ${rest}/public/ticker`,
    ...(key === undefined
      ? []
      : [`  curl -u ${key.key} ${rest}/spot/balance     (asks for the secret)`]),
  ];
  return `${lines.join('\n')}\n`;
}
