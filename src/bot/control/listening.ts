import { MillraceError } from '../../model/errors.ts';
import type { ControlSettings } from './settings.ts';

const PROBE_MS = 1_000;

/** Why the control API cannot listen, in a sentence; `undefined` for an unexpected error. */
export async function listeningFault(
  error: unknown,
  settings: ControlSettings,
): Promise<MillraceError | undefined> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = await whyNot(code, settings);
  if (why === undefined) return undefined;
  const { host, port } = settings;
  return new MillraceError(
    'port-unavailable',
    `The control API cannot listen on ${host}:${port}: ${why}`,
    { field: 'control.port', cause: error },
  );
}

async function whyNot(code: string, settings: ControlSettings): Promise<string | undefined> {
  switch (code) {
    case 'EADDRINUSE':
      return `${await holder(settings)}. Stop it, or give this bot another control.port.`;
    case 'EACCES':
      return 'the port is not for everybody. Choose a control.port above 1023.';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address. Leave control.host out for loopback.';
    case 'ENOTFOUND':
      return 'nobody knows that name. Leave control.host out for loopback, or give an address.';
    default:
      return undefined;
  }
}

/** Names the owner of the port: another bot identifies itself. */
async function holder({ host, port }: ControlSettings): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host;
  const bot = await botAt(`http://${name}:${port}`);
  if (bot === undefined) return 'another program has it';
  return `the bot ${bot.name}, process ${bot.pid}, has it`;
}

/** The bot that answers at an address; nothing if none does. */
export async function botAt(
  url: string,
): Promise<{ readonly name: string; readonly pid: string } | undefined> {
  try {
    // Loaded only if another program has the port, or a previous run may still exist.
    const { request } = await import('undici');
    const times = { headersTimeout: PROBE_MS, bodyTimeout: PROBE_MS };
    const { body } = await request(`${url}/healthz`, times);
    const read: unknown = await body.json();
    const known = typeof read === 'object' && read !== null && 'pid' in read && 'name' in read;
    return known ? { name: String(read.name), pid: String(read.pid) } : undefined;
  } catch {
    // No bot answers there.
    return undefined;
  }
}
