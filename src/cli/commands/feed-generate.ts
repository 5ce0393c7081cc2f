import { Command, Option } from 'commander';
import { DEFAULT_BARS, DEFAULT_MARKET } from '../../feeds/synthetic/parameters.ts';
import { SAMPLE } from '../../feeds/synthetic/sample.ts';
import { PERIODS } from '../../model/period.ts';
import { isoTime } from '../../platform/time.ts';
import type { GenerateFlags } from '../actions/feed-generate.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed generate`: a made-up market from a seed. */
export const generateCommand = (terminal: Terminal): Command =>
  new Command('generate')
    .description('Make up a market from a seed: a book with trades, or candles.')
    .requiredOption('-o, --out <file>', 'the recording to write')
    .option('--seed <number>', 'the same seed gives the same file', String(SAMPLE.seed))
    .option('--start <time>', 'time of the first event', isoTime(SAMPLE.startAt))
    .option('--duration <span>', 'length of a book with trades (default: 8h)')
    .option('--bars <count>', 'make so many candles instead, full of exact ties')
    .addOption(
      new Option('--period <period>', 'period of the candles').choices(PERIODS).default('M1'),
    )
    .option('--symbol <symbol>', 'symbol', SAMPLE.instrument.symbol)
    .option('--base-currency <currency>', 'what is traded', SAMPLE.instrument.baseCurrency)
    .option('--quote-currency <currency>', 'what it is priced in', SAMPLE.instrument.quoteCurrency)
    .option('--tick-size <decimal>', 'step of prices', SAMPLE.instrument.tickSize)
    .option(
      '--quantity-increment <decimal>',
      'step of quantities',
      SAMPLE.instrument.quantityIncrement,
    )
    .option('--take-rate <fraction>', 'taker fee', SAMPLE.instrument.takeRate)
    .option('--make-rate <fraction>', 'maker fee', SAMPLE.instrument.makeRate)
    .option('-p, --set <parameter=value...>', 'what shapes the market, from the list below')
    .option('-f, --force', 'replace a recording of that name')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      () => `
What shapes a book with trades:
${defaults(DEFAULT_MARKET)}
What shapes candles:
${defaults(DEFAULT_BARS)}
Example (the sample that comes with Millrace):
  millrace feed generate --seed ${SAMPLE.seed} --duration 8h --out BTCUSDT.arrow`,
    )
    .action(async (flags: GenerateFlags) => {
      const { generate } = await import('../actions/feed-generate.ts');
      await generate(flags, terminal);
    });

const defaults = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `  ${name.padEnd(18)} ${String(value)}\n`)
    .join('');
