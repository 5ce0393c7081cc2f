import { inlineMore } from '../platform/compiler.ts';
import { reportFailure } from './failure.ts';
import { drained, watchOutput } from './output-loss.ts';
import { run } from './program.ts';
import { terminal } from './terminal.ts';
import { hideWarnings } from './warnings.ts';

const args = process.argv.slice(2);

inlineMore();
hideWarnings();

// The process that opened this channel is gone and nobody waits for the result: as after Ctrl-C.
process.once('disconnect', () => void process.kill(process.pid, 'SIGINT'));

const isOutputLost = watchOutput(terminal);

for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => {
    // A command with its own listener knows the cause better.
    if (process.listenerCount(event) > 1) return;
    process.exit(reportFailure(error, terminal, args.includes('--json')));
  });
}

const code = await run(args);
await drained(terminal);
// Whatever a strategy left running, a timer or a socket, ends with the command.
process.exit(code === 0 && isOutputLost() ? 1 : code);
