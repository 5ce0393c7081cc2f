import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { onTestFinished, test } from 'vitest';
import { temporaryFolder } from './recordings.ts';
import { pause } from '../../src/platform/pause.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { US_PER_MS } from '../../src/platform/time.ts';

const BINARY = 'nats-server';
const isThere = spawnSync(BINARY, ['--version']).error === undefined;

/** A test with a real server; skipped where none is installed, as the title of its suite says. */
export const testWithNats = test.skipIf(!isThere);

export const WHY = isThere ? '' : ' (skipped: nats-server is not installed)';

const scheduler = new SystemScheduler();
export const wait = (ms: number): Promise<void> => pause(scheduler, ms * US_PER_MS);

/** A NATS server as a process of its own, with its files in a folder that goes with the test. */
export class NatsServer {
  readonly url: string;
  readonly #args: readonly string[];
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[], scheme: string) {
    this.#port = port;
    this.url = `${scheme}://127.0.0.1:${port}`;
    this.#args = ['-a', '127.0.0.1', '-p', String(port), ...args];
  }

  static async start(
    more: readonly string[] = [],
    { jetStream = true, scheme = 'nats' } = {},
  ): Promise<NatsServer> {
    const args = jetStream ? ['-js', '-sd', temporaryFolder(), ...more] : more;
    const server = new NatsServer(await freePort(), args, scheme);
    onTestFinished(() => server.kill());
    await server.run();
    return server;
  }

  async run(): Promise<void> {
    this.#child = spawn(BINARY, [...this.#args], { stdio: 'ignore' });
    for (let turn = 0; turn < 200; turn += 1) {
      if (await answers(this.#port)) return;
      await wait(50);
    }
    throw new Error('the NATS server did not start');
  }

  /** As the kernel ends a process: it writes nothing more. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    // The server speaks first.
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
  });

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
