import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { reportFailure } from '../../src/cli/failure.ts';
import { interruptible, Stopped } from '../../src/platform/interruption.ts';
import { watchOutput } from '../../src/cli/output-loss.ts';
import { nextTurn } from '../../src/platform/turn.ts';

const explain = (error: unknown): Error => new Error(`nobody caught: ${String(error)}`);

describe('work that may be interrupted', () => {
  test('gives what it gives, and listens no longer', async () => {
    const source = new EventEmitter();
    expect(await interruptible(() => Promise.resolve(5), explain, source)).toBe(5);
    expect(source.eventNames()).toEqual([]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('gets %s by its signal', async (name, exitCode) => {
    const source = new EventEmitter();
    const work = interruptible(
      async (signal) => {
        source.emit(name);
        await nextTurn();
        signal.throwIfAborted();
      },
      explain,
      source,
    );
    await expect(work).rejects.toMatchObject({ name: 'Stopped', exitCode });
    expect(source.eventNames()).toEqual([]);
  });

  test('is stopped, whatever it makes of that', async () => {
    const source = new EventEmitter();
    const work = interruptible(
      () => {
        source.emit('SIGINT');
        return Promise.reject(new Error('the file cannot be read'));
      },
      explain,
      source,
    );
    await expect(work).rejects.toThrow('Stopped by SIGINT; nothing was kept.');
    const failed = interruptible(() => Promise.reject(new Error('bad line')), explain, source);
    await expect(failed).rejects.toThrow('bad line');
  });

  test('that was done before the signal came is done', async () => {
    const source = new EventEmitter();
    const work = interruptible(() => Promise.resolve(source.emit('SIGINT')), explain, source);
    expect(await work).toBe(true);
  });

  test('gets a signal once, so that a second one ends the process at once', async () => {
    const source = new EventEmitter();
    const work = interruptible(
      async () => {
        source.emit('SIGINT');
        await nextTurn();
        return source.listenerCount('SIGINT');
      },
      explain,
      source,
    );
    expect(await work).toBe(0);
  });

  test.each(['uncaughtException', 'unhandledRejection'])(
    'fails of an %s that comes even in the turn after it',
    async (name) => {
      const source = new EventEmitter();
      const work = interruptible(
        () => {
          void nextTurn().then(() => source.emit(name, 'x'));
          return Promise.resolve();
        },
        explain,
        source,
      );
      await expect(work).rejects.toThrow('nobody caught: x');
    },
  );

  test('that was stopped ends with a sentence and the exit code of its signal', () => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    expect(reportFailure(new Stopped('SIGINT', 'nothing was kept'), { out, err }, false)).toBe(130);
    expect(String(err.read())).toBe('Stopped by SIGINT; nothing was kept.\n');
    expect(out.read()).toBeNull();
  });
});

test('a fault of Millrace itself keeps its stack, whatever was thrown', () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  expect(reportFailure(new TypeError('odd'), { out, err }, true)).toBe(1);
  const reported = String(err.read()) + String(err.read());
  expect(reported).toMatch(/^error \[internal\] a fault in Millrace itself: odd\.[\s\S]*\n\s+at /);
  expect(JSON.parse(String(out.read()))).toMatchObject({ error: { code: 'internal' } });
  expect(reportFailure('text', { out, err }, false)).toBe(1);
  expect(String(err.read())).toMatch(/itself: text\. .*\n$/);
});

describe('output that is lost', () => {
  const lose = (...codes: readonly string[]): { lost: boolean; reported: string } => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const isLost = watchOutput({ out, err });
    for (const code of codes)
      out.emit('error', Object.assign(new Error(`${code}: gone`), { code }));
    err.emit('error', new Error('the same'));
    return { lost: isLost(), reported: String(err.read() ?? '') };
  };

  test('because nobody reads on is no failure', () => {
    expect(lose('EPIPE')).toEqual({ lost: false, reported: '' });
  });

  test('for another reason is reported once', () => {
    const { lost, reported } = lose('ENOSPC', 'ERR_STREAM_DESTROYED', 'ENOSPC');
    expect(lost).toBe(true);
    expect(reported.match(/The output cannot be written \(ENOSPC: gone\)/g)).toHaveLength(1);
  });
});
