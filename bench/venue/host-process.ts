import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { execArgv } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Ports, Question, Usage } from './host.ts';

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url));

/** Young objects have a room of one size, so that no process is judged by how V8 lets it grow. */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** The process that the venue and the echo run in. */
export class HostProcess {
  readonly ports: Ports;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ports: Ports) {
    this.#child = child;
    this.ports = ports;
  }

  /** `data`: the venue keeps its state in that folder, which is new. */
  static async start(data?: string): Promise<HostProcess> {
    const given = data === undefined ? ['host'] : ['host', data];
    const child = fork(HOST, given, { execArgv: [...execArgv, ...YOUNG_GENERATION] });
    const [ports] = (await once(child, 'message')) as [Ports];
    return new HostProcess(child, ports);
  }

  /** What it has used so far; `collect` lets go of what nobody holds first. */
  async usage(question: Question = 'usage'): Promise<Usage> {
    this.#child.send(question);
    const [usage] = (await once(this.#child, 'message')) as [Usage];
    return usage;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
