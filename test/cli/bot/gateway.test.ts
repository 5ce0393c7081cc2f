import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ControlClient } from '../../../src/bot/control/client.ts';
import { readBotConfig } from '../../../src/cli/bot-config.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { project } from '../../kit/project.ts';
import { started } from '../process.ts';

const EXAMPLE = 'examples/gateway';

/** Rests a limit order a little off the price, and takes it back a second later. */
const RESTING = `
import { bufferCount, concatMap } from 'rxjs';
import { cancelAll, defineStrategy, place, z } from 'millrace';

export default defineStrategy({
  name: 'resting',
  summary: 'Bids one tick below the last trade.',
  parameters: z.object({ symbol: z.string().default('BETAUSD') }),
  run: ({ market, parameters: { symbol } }) =>
    market.trades(symbol).pipe(
      bufferCount(10),
      concatMap((trades) => {
        const ticks = trades[0].ticks - 1;
        const order = { type: 'limit', side: 'buy', ticks, lots: 100 };
        return [cancelAll(symbol), place(symbol, order)];
      }),
    ),
});
`;
const MORE = `  resting: { strategy: ./resting.ts }
control: { port: 0 }
`;

/** A project with the venue, the strategy and the bot of the example. */
function pasted(): string {
  const folder = project();
  for (const name of ['my-venue.ts', 'flipper.ts']) {
    cpSync(join(EXAMPLE, name), join(folder, name));
  }
  const bot = readFileSync(join(EXAMPLE, 'bot.yaml'), 'utf8');
  writeFileSync(join(folder, 'resting.ts'), RESTING);
  writeFileSync(join(folder, 'bot.yaml'), `${bot}${MORE}`);
  return folder;
}

/** What a command prints that ends well. */
async function reported(args: readonly string[], cwd: string): Promise<string> {
  const command = started(args, { cwd });
  const end = await command.ended;
  expect({ args, ...end, err: command.err() }).toEqual({ args, code: 0, signal: null, err: '' });
  return command.out();
}

test.each(['live', 'paper'])(
  'a bot trades on the venue of the example, %s, and is stopped',
  async (mode) => {
    const cwd = pasted();
    const path = join(cwd, 'bot.yaml');
    if (mode === 'paper') {
      const live = readFileSync(path, 'utf8');
      const paper = live
        .replace('mode: live', 'mode: paper')
        .replace('  mine:\n', '  mine:\n    paper: { balances: { USD: 10000 } }\n');
      writeFileSync(path, paper);
    }
    const examined = await reported(['doctor', 'bot.yaml'], cwd);
    expect(examined).toMatch(/ok +gateway \(mine\): .*my-venue.ts makes a gateway/);
    expect(examined).toContain('symbols (flipper): ALPHAUSD: there.');
    const bot = started(['run', 'bot.yaml'], { cwd });
    try {
      await bot.says(' trades (');
      const [, url = ''] = /"control":"([^"]+)"/.exec(bot.out()) ?? [];
      const token = readFileSync(join(cwd, 'data', 'control.token'), 'utf8').trim();
      const client = new ControlClient({ url, token });
      const held = async (symbol: string): Promise<number> => {
        const positions = await client.positions();
        return Number(positions.find((one) => one.symbol === symbol)?.quantity ?? 0);
      };
      await vi.waitUntil(async () => (await held('ALPHAUSD')) > 0, PATIENCE);
      await vi.waitUntil(async () => (await held('ALPHAUSD')) === 0, PATIENCE);
      await vi.waitUntil(async () => (await held('BETAUSD')) > 0, PATIENCE);
      client.close();
      bot.child.kill('SIGINT');
      expect(await bot.ended).toEqual({ code: 0, signal: null });
    } finally {
      bot.child.kill('SIGKILL');
    }
    const journal = mode === 'live' ? 'data/mine.sqlite' : 'data/mine.paper.sqlite';
    const orders = await reported(['journal', journal], cwd);
    expect(orders).toMatch(/flipper +ALPHAUSD +sell .* filled/);
    expect(orders).toMatch(/resting +BETAUSD +buy .* filled/);
    expect(orders).toMatch(/findings since .*: none/);
  },
  240_000,
);

test.each([
  ['module: my-venue.ts', 'module: no.ts', 'there is no file'],
  ['  mine:\n', '  mine:\n    url: http://127.0.0.1:1\n', 'url does not go with venue'],
  ['  mine:\n', '  mine:\n    key: { env: X }\n', 'key does not go with venue'],
  ['module: my-venue.ts', 'module: flipper.ts', 'expected a function that makes a gateway'],
])('a configuration with %j as %j is refused with its line', async (from, to, sentence) => {
  const path = join(pasted(), 'bot.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  const reading = readBotConfig(path, {});
  await expect(reading).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(sentence) as string,
  });
});
