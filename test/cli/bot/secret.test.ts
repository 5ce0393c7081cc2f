import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findSecret } from '../../../src/cli/bot/secret.ts';
import { KeyStore } from '../../../src/cli/keys/key-store.ts';
import { temporaryFolder } from '../../kit/recordings.ts';

const secret = (path: string): unknown => findSecret({ kind: 'file', path }, {}, 'bot.yaml:3:5');

describe.skipIf(process.platform === 'win32')('a secret is not read for ever', () => {
  test('from a device', () => {
    expect(() => secret('/dev/zero')).toThrow(
      /\/dev\/zero cannot be read \(it is not a regular file\)/,
    );
  });

  test('from a named pipe that nobody writes to', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => secret(pipe)).toThrow('it is not a regular file');
    await expect(KeyStore.open(pipe, 'x')).rejects.toThrow('cannot be read');
  });

  test('from a file longer than any secret', () => {
    const path = join(temporaryFolder(), 'secret');
    writeFileSync(path, 'x'.repeat(100_000), { mode: 0o600 });
    expect(() => secret(path)).toThrow('it has more than 65536 bytes');
  });
});
