import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLog, type LogParts, type RootLog } from '../../../src/bot/logs/log.ts';
import { forPeople } from '../../../src/bot/logs/for-people.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { basicHeader } from '../../../src/wire/trading/signing/authorization.ts';
import { anyCharacter } from '../../kit/characters.ts';
import { runs, seed } from '../../kit/size.ts';

const START = micros(Date.parse('2026-11-21T10:00:00Z') * 1_000);

interface Written {
  readonly log: RootLog;
  readonly scheduler: VirtualScheduler;
  readonly text: () => string;
  readonly lines: () => readonly Record<string, unknown>[];
}

function opened(parts: Partial<LogParts> = {}): Written {
  const scheduler = new VirtualScheduler(START);
  let text = '';
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  const log = openLog({
    bot: 'b',
    scheduler,
    secrets: [],
    level: 'info',
    out,
    ...parts,
  });
  const lines = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, scheduler, text: () => text, lines };
}

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'millrace-log-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
};

describe('a line', () => {
  test('is JSON with level, time of the scheduler, bot, message and fields', () => {
    const { log, scheduler, lines } = opened();
    scheduler.advanceTo(micros(START + 1_500_001));
    log.info('placed', { lots: 3 });
    expect(lines()).toEqual([
      { level: 'info', time: '2026-11-21T10:00:01.500001Z', bot: 'b', msg: 'placed', lots: 3 },
    ]);
  });

  test('of a strategy carries its name, which its own fields cannot replace', () => {
    const { log, lines } = opened();
    const strategy = log.with({ strategy: 'maker', account: 'main' });
    strategy.warn('odd %s', { strategy: 'other', level: 9, msg: 'mine' });
    expect(lines()).toEqual([
      {
        level: 'warn',
        time: '2026-11-21T10:00:00.000Z',
        bot: 'b',
        strategy: 'maker',
        account: 'main',
        msg: 'odd %s',
        strategy_: 'other',
        level_: 9,
        msg_: 'mine',
      },
    ]);
  });

  test('is written only from the configured level on', () => {
    const { log, lines } = opened({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines().map(({ msg }) => msg)).toEqual(['c', 'd']);
    const all = opened({ level: 'debug' });
    all.log.debug('a');
    expect(all.lines().map(({ msg }) => msg)).toEqual(['a']);
  });

  test('shows decimals, maps, big numbers, times and errors as text, and cuts what has no end', () => {
    const { log, lines } = opened();
    const round: Record<string, unknown> = {};
    round['self'] = round;
    log.info('all', {
      price: new Decimal('0.100000000000000000001'),
      held: new Map([['BTC', new Decimal(1)]]),
      names: new Set(['a']),
      big: 2n ** 70n,
      none: undefined,
      infinite: Infinity,
      at: new Date(0),
      error: new MillraceError('usage', 'No.', { cause: new Error('why') }),
      round,
      long: 'x'.repeat(5_000),
      wide: Array(200).fill(1),
      f: () => 1,
    });
    const [line] = lines();
    expect(line).toMatchObject({
      price: '0.100000000000000000001',
      held: { BTC: '1' },
      names: ['a'],
      big: '1180591620717411303424',
      infinite: 'Infinity',
      at: '1970-01-01T00:00:00.000Z',
      error: { name: 'MillraceError', code: 'usage', message: 'No.', cause: { message: 'why' } },
      f: '() => 1',
    });
    expect(JSON.stringify(line['round'])).toBe(
      '{"self":{"self":{"self":{"self":{"self":"{…}"}}}}}',
    );
    expect(String(line['long']).length).toBe(4_001);
    expect(line['wide']).toHaveLength(100);
  });

  test('is written though a field throws when it is read', () => {
    const { log, lines } = opened();
    const trap = {
      get bad(): never {
        throw new Error('do not look');
      },
    };
    log.info('trap', trap);
    expect(lines()).toMatchObject([{ msg: 'trap', unreadable: 'do not look' }]);
  });

  test('for people is one to read', () => {
    const { log, text } = opened({ show: forPeople(false) });
    log.with({ strategy: 'maker' }).warn('odd', { lots: 3 });
    expect(text()).toMatch(
      /\[\d\d:\d\d:\d\d\.\d{3}\] WARN: odd\n {4}strategy: "maker"\n {4}lots: 3\n/,
    );
    const colours = opened({ show: forPeople(true) });
    colours.log.warn('odd');
    expect(colours.text()).toContain('\u001b[33mWARN');
  });

  test('goes to a file too, which nobody else may read', () => {
    const file = join(folder(), 'deep', 'bot.log');
    const { log, text } = opened({ file });
    log.info('one');
    log.info('two');
    expect(readFileSync(file, 'utf8')).toBe(text());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    log.close();
    const again = opened({ file });
    again.log.info('three');
    expect(readFileSync(file, 'utf8')).toBe(text() + again.text());
  });

  test('has no file where none can be', () => {
    expect(() => opened({ file: folder() })).toThrow(
      /^The log cannot be written to .* \(EISDIR.*\)\. Choose another file as log\.file\.$/,
    );
  });

  test('that a full disk loses is logged once to the other output', () => {
    const { log, lines } = opened({ file: '/dev/full' });
    log.info('one');
    log.info('two');
    expect(lines().map(({ msg }) => msg)).toEqual([
      'one',
      expect.stringMatching(/^Lines of the log cannot be written to \/dev\/full any more: ENOSPC/),
      'two',
    ]);
  });
});

describe('secrets', () => {
  const secret = 'A"secret/of\\mine+ü';
  const token = 'token-of-the-control-api';
  const basic = basicHeader({ key: 'key-0123456789', secret });

  test('are hidden by their names wherever they stand', () => {
    const { log, text } = opened();
    log.info('all', {
      secret: 'one',
      Authorization: 'two',
      signature: 'three',
      deep: [{ api_key: 'four', token: 'five', password: 'six' }],
      credentials: { key: 'seven' },
      lots: 8,
    });
    expect(text()).not.toMatch(/one|two|three|four|five|six|seven/);
    expect(text()).toContain('"lots":8');
  });

  test.each([
    ['in a message', (log: RootLog) => { log.warn(`it is ${secret}`); }],
    ['in a field', (log: RootLog) => { log.info('x', { note: `it is ${secret}` }); }],
    ['as the name of a field', (log: RootLog) => { log.info('x', { [secret]: 1 }); }],
    ['in the header of basic authorization', (log: RootLog) => { log.info('x', { header: basic }); }],
    ['in an address', (log: RootLog) => { log.info(`http://a:${encodeURIComponent(secret)}@b`); }],
    ['in an error', (log: RootLog) => { log.error('x', { error: new Error(secret) }); }],
    ['given later', (log: RootLog) => { log.hide(token); log.info(token); }],
  ] as const)('are hidden %s', (_, write) => {
    for (const show of [undefined, forPeople(false)]) {
      const file = join(folder(), 'bot.log');
      const { log, text } = opened({ secrets: [secret, 'key-0123456789'], show, file });
      write(log);
      for (const written of [text(), readFileSync(file, 'utf8')]) {
        expect(written).toContain('[secret]');
        expect(written).not.toContain(secret);
        expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(written).not.toContain(encodeURIComponent(secret));
        expect(written).not.toContain(basic.split(' ')[1]);
        expect(written).not.toContain(token);
      }
    }
  }); // prettier-ignore

  test('are hidden in Base64 wherever they begin', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 40, unit: anyCharacter }),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (hidden, before, after) => {
          const encoded = Buffer.from(before + hidden + after, 'utf8').toString('base64');
          const { log, lines } = opened({ secrets: [hidden] });
          log.info(encoded);
          const [{ msg }] = lines();
          expect(msg).not.toBe(encoded);
        },
      ),
      { numRuns: runs(200), seed: seed(7) },
    );
  });
});

describe('what is said again and again', () => {
  test('is logged five times a minute, and at its end how often it was held back', () => {
    const { log, scheduler, lines } = opened();
    for (let i = 0; i < 42; i += 1) log.warn(`refused ${i}`, { i });
    log.warn('something else');
    expect(lines().map(({ msg }) => msg)).toEqual([
      ...['refused 0', 'refused 1', 'refused 2', 'refused 3', 'refused 4', 'something else'],
    ]);
    scheduler.advanceTo(micros(START + 59_999_999));
    expect(lines()).toHaveLength(6);
    scheduler.advanceTo(micros(START + 60_000_000));
    expect(lines().at(-1)).toMatchObject({
      msg: 'refused 0 (37 more like this within the minute)',
    });
    expect(lines()).toHaveLength(7);
    log.warn('refused 99');
    expect(lines().at(-1)).toMatchObject({ msg: 'refused 99' });
  });

  test('is counted apart for each strategy and level, and not at all below a warning', () => {
    const { log, lines } = opened();
    const [one, two] = [log.with({ strategy: 'one' }), log.with({ strategy: 'two' })];
    for (let i = 0; i < 6; i += 1) {
      one.warn('odd');
      two.warn('odd');
      one.error('odd');
      one.info('odd');
    }
    expect(lines()).toHaveLength(5 + 5 + 5 + 6);
  });

  test('is logged when the log is closed', () => {
    const { log, lines } = opened();
    for (let i = 0; i < 8; i += 1) log.error('bad');
    log.close();
    expect(lines().at(-1)).toMatchObject({ msg: 'bad (3 more like this within the minute)' });
    expect(lines()).toHaveLength(6);
  });

  test('takes no more memory than a thousand sentences', () => {
    const { log, lines } = opened();
    const word = (i: number): string =>
      `w${'abcdefghij'.charAt(i % 10).repeat(1 + Math.floor(i / 10))}`;
    for (let i = 0; i < 6; i += 1) log.warn('first');
    for (let i = 0; i < 1_000; i += 1) log.warn(word(i));
    expect(lines().filter(({ msg }) => String(msg).startsWith('first'))).toHaveLength(6);
  });
});
