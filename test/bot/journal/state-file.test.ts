import {
  closeSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StateFile } from '../../../src/bot/journal/state-file.ts';
import { desk, folder } from './kit.ts';

function opened(path: string): StateFile {
  const file = StateFile.open(path);
  onTestFinished(() => file.close());
  return file;
}

const SLOT = 32_768;

function overwrite(path: string, offset: number, text: string): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, text, offset);
  closeSync(descriptor);
}

test('facts are there for the next process, and a deleted one is not', () => {
  const path = join(folder(), 'main.state');
  const file = opened(path);
  expect(file.isNew).toBe(true);
  file.set({ states: [{ scope: 'bot', state: 'killed' }], mark: 7 });
  file.set({ mark: undefined, more: 'ä' });
  file.close();
  const next = opened(path);
  expect(next.isNew).toBe(false);
  expect(next.get('states')).toEqual([{ scope: 'bot', state: 'killed' }]);
  expect([next.get('mark'), next.get('more'), next.get('toString')]).toEqual([
    undefined,
    'ä',
    undefined,
  ]);
  expect(StateFile.read(path)).toMatchObject({
    states: [{ scope: 'bot', state: 'killed' }],
    more: 'ä',
  });
  expect(StateFile.read(`${path}.none`)).toBeUndefined();
});

test('a write that was torn leaves what was kept before it', () => {
  const path = join(folder(), 'main.state');
  const file = opened(path);
  file.set({ n: 1 });
  file.set({ n: 2 });
  file.close();
  overwrite(path, 55, '#');
  expect(StateFile.read(path)).toMatchObject({ n: 1 });
  const next = opened(path);
  next.set({ n: 3 });
  next.close();
  expect(StateFile.read(path)).toMatchObject({ n: 3 });
});

test('a file without a sound slot is refused and left as it is', () => {
  const path = join(folder(), 'main.state');
  const file = opened(path);
  file.set({ n: 1 });
  file.close();
  overwrite(path, 55, '#');
  overwrite(path, SLOT + 55, '#');
  const before = readFileSync(path);
  expect(() => StateFile.open(path)).toThrow(/main\.state is damaged/);
  expect(readFileSync(path)).toEqual(before);
  writeFileSync(path, '');
  expect(() => StateFile.open(path)).toThrow(/main\.state is damaged/);
});

test('a write stays within the file as it is, so that a full disk does not refuse it', () => {
  const path = join(folder(), 'main.state');
  const file = opened(path);
  const { size, ino } = statSync(path);
  expect(size).toBe(2 * SLOT);
  for (let n = 0; n < 9; n += 1) file.set({ text: 'x'.repeat(n * 1_000) });
  expect(statSync(path)).toMatchObject({ size, ino });
  file.set({ text: 'x'.repeat(2 * SLOT) });
  file.set({ more: 1 });
  file.close();
  expect(StateFile.read(path)).toMatchObject({ text: 'x'.repeat(2 * SLOT), more: 1 });
});

test('the file is for its owner alone, and a link in its place is not followed', () => {
  const path = join(folder(), 'main.state');
  opened(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const link = join(folder(), 'link.state');
  symlinkSync(path, link);
  expect(() => StateFile.open(link)).toThrow(
    expect.objectContaining({ code: 'journal-unwritable' }),
  );
});

test('a file knows which one it is and where it was made', () => {
  const path = join(folder(), 'main.state');
  const file = opened(path);
  expect(file.get('place')).toEqual(file.identity);
  expect(file.identity).toEqual({ inode: String(statSync(path).ino), path });
  // A file that grows is another one, and knows that.
  file.set({ text: 'x'.repeat(2 * SLOT) });
  expect(file.get('place')).toEqual({ inode: String(statSync(path).ino), path });
});

test('a journal brings along its state file, which is there again at the next start', () => {
  const at = desk();
  at.journal.stateFile.set({ fact: 1 });
  expect(at.restart().stateFile.get('fact')).toBe(1);
  expect(at.journal.stateFile.path).toBe(at.path.replace('.sqlite', '.state'));
});
