import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bare, guarded, printable } from '../../src/cli/printable.ts';
import { paint, progressBar } from '../../src/cli/terminal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { anyCharacter } from '../kit/characters.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording } from '../kit/recordings.ts';
import { millraceHere } from './command.ts';

/** Clears the screen, sets the title, turns text round, hides text. */
const EVIL = '\u001b[2J\u001b]0;owned\u0007\u202eabc\u009b8m\r\u001b[8m';

function screen(isTTY: boolean): { readonly stream: Writable; readonly text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

describe('text of others', () => {
  test('is shown with its commands written out', () => {
    expect(printable(EVIL)).toBe(
      String.raw`\u001b[2J\u001b]0;owned\u0007\u202eabc\u009b8m\u000d\u001b[8m`,
    );
    expect(printable('BTC-USDT, Ω 日本 👩‍🚀\n\tnext')).toBe('BTC-USDT, Ω 日本 👩‍🚀\n\tnext');
    expect(printable('\u{e0041}')).toBe(String.raw`\udb40\udc41`);
  });

  test('is the same JSON afterwards', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const line = printable(JSON.stringify(text));
        expect(JSON.parse(line)).toBe(text);
        expect(line).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e]/u);
      }),
    );
  });
});

describe('a guarded stream', () => {
  test('passes on colours and writes everything else out', () => {
    const { stream, text } = screen(true);
    const out = guarded(stream);
    out.write('\u001b[31mbad\u001b[39m \u001b[8mhidden\u001b[0m \u001b[30mblack\n');
    expect(text()).toBe(
      `\u001b[31mbad\u001b[39m ${String.raw`\u001b[8mhidden`}\u001b[0m ${String.raw`\u001b[30mblack`}\n`,
    );
    expect(paint(out, 'red', EVIL)).toContain(printable(EVIL));
  });

  test('is itself when it is guarded again, and knows what stands behind it', () => {
    const { stream } = screen(false);
    const out = guarded(stream);
    expect(guarded(out)).toBe(out);
    expect(bare(out)).toBe(stream);
    expect(bare(stream)).toBe(stream);
  });

  test('leaves a bar its place on the screen, and its note none', () => {
    const { stream, text } = screen(true);
    const bar = progressBar({ out: stream, err: guarded(stream) }, 'reading');
    bar.update(0.5, EVIL);
    bar.end();
    expect(text().startsWith('\r\u001b[2Kreading ')).toBe(true);
    expect(text()).toContain(String.raw`\u001b[2J`);
    expect(text().split('\u001b')).toHaveLength(3);
  });
});

describe('a command', () => {
  test('obeys nothing that stands in a recording or its name', async () => {
    const folder = join(temporaryFolder(), 'd\u001b[2J');
    mkdirSync(folder);
    const meta = eventsMeta();
    const provenance = { ...meta.provenance, importer: EVIL, notes: [EVIL, `one\ntwo`] };
    const path = writeRecording(join(folder, 'a.arrow'), [], { ...meta, provenance });
    const named = join(folder, '\u009b2J.arrow');
    renameSync(path, named);
    for (const args of [['inspect'], ['check'], ['inspect', '--json'], ['check', '--json']]) {
      const { code, out, err } = await millraceHere(['feed', ...args, named]);
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e]/u);
    }
  });

  test('obeys nothing that stands in an argument which it repeats', async () => {
    const { err } = await millraceHere(['feed', 'inspect', `none${EVIL}.arrow`]);
    expect(err).toContain(String.raw`none\u001b[2J`);
    expect(err).not.toContain('\u001b');
    const usage = await millraceHere(['feed', `x${EVIL}`]);
    expect(usage.err).not.toContain('\u001b');
  });
});

test('an instrument whose name cannot be shown is refused', () => {
  const terms = eventsMeta().instrument;
  for (const field of ['symbol', 'baseCurrency', 'quoteCurrency'] as const) {
    expect(() => new Instrument({ ...terms, [field]: `BTC${EVIL}` })).toThrow(MillraceError);
  }
});
