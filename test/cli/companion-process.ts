import { Writable } from 'node:stream';
import { run } from '../../src/cli/program.ts';

/** Runs commands, one after the other, for the process that started this one (`companion.ts`). */

process.on('message', (args: readonly string[]) => {
  void answer(args);
});

async function answer(args: readonly string[]): Promise<void> {
  let [out, err] = ['', ''];
  const code = await run(args, {
    out: listener((text) => (out += text)),
    err: listener((text) => (err += text)),
    env: process.env,
    signals: process,
  });
  process.send?.({ code, out, err });
}

const listener = (receive: (text: string) => void): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      receive(chunk.toString('utf8'));
      done();
    },
  });
