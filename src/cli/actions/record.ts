import { excerpt } from '../../config/excerpt.ts';
import { suggest } from '../../model/suggest.ts';
import { MarketRecorder, type RecorderListener } from '../../bot/recorder/recorder.ts';
import { parseRotation, type Rotation } from '../../bot/recorder/rotation.ts';
import { contractsOf, instrumentsOf } from '../../gateways/trading/account/instruments.ts';
import { shownAddress, type TradingAddress } from '../../gateways/trading/client/address.ts';
import { TradingClient } from '../../gateways/trading/client/client.ts';
import { TradingMarket } from '../../gateways/trading/market/market.ts';
import type { MarketSource } from '../../gateways/market-source.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { micros, parseSpanUs, US_PER_SECOND } from '../../platform/time.ts';
import { jsonObject, requirePath, usageError } from '../arguments.ts';
import { flaggedAddress, type AddressFlags } from '../bot/trading-address.ts';
import { internalError } from '../failure.ts';
import { messageOf } from '../../config/excerpt.ts';
import { interruptible } from '../../platform/interruption.ts';
import { table } from '../table.ts';
import { statusLine, type Terminal } from '../terminal.ts';

/** Flags of `millrace record`. */
export interface RecordFlags extends AddressFlags {
  readonly ccxt?: string;
  readonly ccxtConfig?: string;
  readonly symbols: readonly string[];
  readonly out: string;
  readonly rotate?: string;
  readonly flush: string;
  readonly duration?: string;
  readonly raw?: true;
  readonly json?: true;
}

/** The parsed flags. */
interface Order {
  readonly venue: TradingAddress | CcxtAddress;
  readonly symbols: readonly string[];
  readonly folder: string;
  readonly rotation: Rotation | undefined;
  readonly flushUs: number;
  readonly durationUs: number | undefined;
  readonly raw: boolean;
}

/** An exchange of ccxt, and the options of its class. */
interface CcxtAddress {
  readonly ccxt: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The source of the rows. */
interface Source {
  readonly instruments: readonly Instrument[];
  readonly market: MarketSource;
  /** The source's name in recordings. */
  readonly from: string;
  close(): Promise<void>;
}

/** Writes a live feed into recordings. */
export async function record(flags: RecordFlags, terminal: Terminal): Promise<void> {
  const order = orderOf(flags);
  const json = flags.json === true;
  const scheduler = new SystemScheduler();
  const line = statusLine(terminal);
  const notes: Notes = {
    emit(text) {
      line.end();
      terminal.err.write(`${text}\n`);
    },
  };
  const source = await sourceOf(order, { scheduler, terminal, notes });
  try {
    await interruptible(
      async (signal) => {
        await recordTill(signal, order, { source, scheduler, line, notes, terminal, json });
      },
      internalError,
      terminal.signals,
    );
  } finally {
    await source.close();
  }
}

async function sourceOf(
  { venue, symbols }: Order,
  parts: { readonly scheduler: Scheduler; readonly terminal: Terminal; readonly notes: Notes },
): Promise<Source> {
  const { scheduler, terminal, notes } = parts;
  const random = systemRandom();
  const warn = ({ message }: MillraceError): void => notes.emit(`warning: ${message}`);
  if ('ccxt' in venue) {
    const { openCcxtMarket } = await import('../../gateways/ccxt/gateway.ts');
    const settings = { id: venue.ccxt, sandbox: false, config: venue.config, symbols };
    const opened = await openCcxtMarket(settings, { scheduler, random, warn });
    return { ...opened, from: `ccxt ${venue.ccxt}` };
  }
  const client = new TradingClient({ ...venue, scheduler });
  const close = (): Promise<void> => client.close();
  try {
    const instruments = await instrumentsFor(client, symbols, terminal);
    const market = new TradingMarket({ client, scheduler, random, warn });
    return { instruments, market, from: shownAddress(venue), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function orderOf(flags: RecordFlags): Order {
  return {
    venue: venueOf(flags),
    symbols: symbolsOf(flags.symbols),
    folder: requirePath(flags.out, '--out'),
    rotation: flags.rotate === undefined ? undefined : rotationOf(flags.rotate),
    flushUs: spanOf(flags.flush, '--flush'),
    durationUs: flags.duration === undefined ? undefined : spanOf(flags.duration, '--duration'),
    raw: flags.raw === true,
  };
}

/**
 * Throws `usage` if an exchange of ccxt is given together with an address, or its frames are to be kept.
 */
function venueOf(flags: RecordFlags): TradingAddress | CcxtAddress {
  const { ccxt, ccxtConfig, url, baseUrl, wsUrl, raw } = flags;
  if (ccxt === undefined) {
    if (ccxtConfig !== undefined) throw usageError('--ccxt-config', 'its place beside --ccxt');
    return flaggedAddress(flags);
  }
  if ((url ?? baseUrl ?? wsUrl) !== undefined)
    throw usageError('--ccxt', 'the place of an address');
  if (raw === true)
    throw usageError('--raw', 'an address: ccxt does not show the frames of its sockets');
  return { ccxt, config: jsonObject(ccxtConfig ?? '{}', '--ccxt-config') };
}

/** Symbols of an option, separated by spaces or commas, none twice. */
export function symbolsOf(texts: readonly string[]): readonly string[] {
  const symbols = texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
  if (symbols.length === 0) throw usageError('--symbols', 'a symbol such as BTCUSDT, and has none');
  return [...new Set(symbols)];
}

function rotationOf(text: string): Rotation {
  const rotation = parseRotation(text);
  if (rotation !== undefined) return rotation;
  throw usageError(
    '--rotate',
    `a part of a day such as 15m, 1h or 1d, or a size such as 500MB, not "${excerpt(text)}"`,
  );
}

export function spanOf(text: string, option: string): number {
  const us = parseSpanUs(text);
  if (us !== undefined && us > 0) return us;
  throw usageError(option, `a span such as 500ms, 5s or 8h, not "${excerpt(text)}"`);
}

/** Output of lines for people, besides the status line. */
interface Notes {
  emit(text: string): void;
}

interface RecordingParts {
  readonly source: Source;
  readonly scheduler: Scheduler;
  readonly line: ReturnType<typeof statusLine>;
  readonly notes: Notes;
  readonly terminal: Terminal;
  readonly json: boolean;
}

async function recordTill(signal: AbortSignal, order: Order, parts: RecordingParts): Promise<void> {
  const { source, scheduler, line, notes, terminal, json } = parts;
  const failure = Promise.withResolvers<never>();
  const files: string[] = [];
  const recorder = new MarketRecorder({
    instruments: source.instruments,
    source: source.market,
    scheduler,
    folder: order.folder,
    rotation: order.rotation,
    flushUs: order.flushUs,
    raw: order.raw,
    from: source.from,
    listener: listenerOf(notes, json, files, (error) => failure.reject(asError(error))),
  });
  const stopTicking = ticking(scheduler, () => line.update(progressOf(recorder)));
  try {
    await Promise.race([
      recorder.open().then(() => ending(signal, scheduler, order.durationUs)),
      ending(signal, scheduler, undefined),
      failure.promise,
    ]);
  } finally {
    stopTicking();
    line.end();
    await recorder.close();
  }
  emitEnd(recorder, files, json, terminal);
}

/** The instruments of symbols. Throws `symbol-unknown` for one that the service does not have. */
export async function instrumentsFor(
  client: TradingClient,
  symbols: readonly string[],
  { err }: Terminal,
): Promise<readonly Instrument[]> {
  const all = await client.rest.getSymbols({});
  const warn = ({ message }: MillraceError): void => void err.write(`warning: ${message}\n`);
  const known = [...instrumentsOf(all, [], warn), ...contractsOf(all, warn)];
  return symbols.map((symbol) => {
    const found = known.find((one) => one.symbol === symbol);
    if (found !== undefined) return found;
    const near = suggest(
      symbol,
      known.map((one) => one.symbol),
    );
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new MillraceError('symbol-unknown', `The service has no symbol ${symbol}.${hint}`, {
      field: 'symbols',
    });
  });
}

const listenerOf = (
  notes: Notes,
  json: boolean,
  files: string[],
  failed: (error: unknown) => void,
): RecorderListener => {
  const emit = (text: string): void => {
    if (!json) notes.emit(text);
  };
  return {
    failed,
    leftover: (leftover) => {
      const { kind, path } = leftover;
      if (kind === 'left') notes.emit(`warning: ${leftover.error.message}`);
      else emit(`Recovered ${path}; ${leftover.bytesLost} bytes behind its last flush are lost.`);
    },
    finished: (path) => {
      files.push(path);
      emit(`Finished ${path}`);
    },
    connectionState: (symbol, connectionState, why) => {
      if (connectionState === 'live') emit(`${symbol} is live.`);
      else notes.emit(`warning: ${symbol} is disconnected: ${why ?? 'the connection broke'}`);
    },
  };
};

function progressOf({ status: { rows, gaps, frames, symbols } }: MarketRecorder): string {
  const each = symbols.map(({ symbol, rows: own }) => `${symbol} ${own.toLocaleString('en')}`);
  const raw = frames === 0 ? '' : `, ${frames.toLocaleString('en')} frames`;
  return `recording  ${rows.toLocaleString('en')} rows${raw}, ${gaps} gaps  (${each.join(', ')})`;
}

function emitEnd(
  recorder: MarketRecorder,
  files: readonly string[],
  json: boolean,
  { out }: Terminal,
): void {
  const { rows, gaps, frames, symbols } = recorder.status;
  if (json) {
    out.write(`${JSON.stringify({ rows, gaps, frames, symbols, files })}\n`);
    return;
  }
  const lines = symbols.map(({ symbol, rows: own }) => [symbol, own.toLocaleString('en'), 'rows']);
  out.write(`${table(lines, { right: [1] })}\n`);
  for (const file of files) out.write(`${file}\n`);
}

/** Resolves when the command is to end: stopped, or after its time. */
export const ending = (
  signal: AbortSignal,
  scheduler: Scheduler,
  durationUs: number | undefined,
): Promise<void> =>
  new Promise((resolve) => {
    let cancel: Cancel = () => undefined;
    const end = (): void => {
      cancel();
      resolve();
    };
    if (signal.aborted) {
      end();
      return;
    }
    signal.addEventListener('abort', end, { once: true });
    if (durationUs !== undefined) cancel = scheduler.at(micros(scheduler.now() + durationUs), end);
  });

/** Calls `tick` every second until the returned function is called. */
function ticking(scheduler: Scheduler, tick: () => void): Cancel {
  let cancel: Cancel;
  const next = (): void => {
    tick();
    cancel = scheduler.at(micros(scheduler.now() + US_PER_SECOND), next);
  };
  cancel = scheduler.at(micros(scheduler.now() + US_PER_SECOND), next);
  return () => cancel();
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(messageOf(error));
