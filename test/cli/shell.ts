import { spawn } from 'node:child_process';
import { millraceHere, type Ended } from './command.ts';
import { argumentsOf } from './pages.ts';
import { inShell } from './process.ts';

/**
 * Where lines of a page are pasted one after the other. What is a command of `millrace` alone runs in
 * this process, everything else in a shell.
 */
export class PastingShell {
  readonly #cwd: string;
  /** What `export` has set. */
  readonly env: Record<string, string> = {};

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  async paste(line: string): Promise<Ended> {
    const args = argumentsOf(line);
    if (args !== undefined) return await millraceHere(args, { cwd: this.#cwd, env: this.env });
    const [word, ...settings] = line.split(' ');
    if (word !== 'export') return await this.#shell(line);
    for (const setting of settings) {
      const [name = '', value = ''] = setting.split('=');
      this.env[name] = value;
    }
    return { code: 0, out: '', err: '' };
  }

  /** Asynchronous, as what it asks may be served by this process. */
  #shell(line: string): Promise<Ended> {
    const child = spawn('sh', ['-c', inShell(line)], {
      cwd: this.#cwd,
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    return new Promise((settle, fail) => {
      child.on('error', fail);
      child.on('close', (code) => {
        settle({ code, out, err });
      });
    });
  }
}
