import { Command, Option } from 'commander';
import {
  DEFAULT_BARS,
  DEFAULT_MARKET,
  DEFAULT_PERPETUAL,
} from '../../feeds/synthetic/parameters.ts';
import { SAMPLE } from '../../feeds/synthetic/sample.ts';
import { PERIOD_NAMES } from '../../model/period.ts';
import { isoTime } from '../../platform/time.ts';
import type { GenerateFlags } from '../actions/feed-generate.ts';
import type { Terminal } from '../terminal.ts';

/** `millrace feed generate`: a synthetic market from a seed. */
export const generateCommand = (terminal: Terminal): Command =>
  new Command('generate')
    .description('Generate a synthetic market from a seed: an order book with trades, or candles.')
    .requiredOption('-o, --out <file>', 'recording to write')
    .option(
      '--seed <number>',
      'random seed; the same seed gives the same file',
      String(SAMPLE.seed),
    )
    .option('--start <time>', 'time of the first event', isoTime(SAMPLE.startAt))
    .option('--duration <span>', 'length of the order book recording (default: 8h)')
    .option('--bars <count>', 'number of candles to generate instead, with many exact ties')
    .addOption(new Option('--period <period>', 'candle period').choices(PERIOD_NAMES).default('M1'))
    .option('--perpetual', 'generate a perpetual: mark and index price, funding, open interest')
    .option('--symbol <symbol>', 'symbol', SAMPLE.instrument.symbol)
    .option('--base-currency <currency>', 'base currency', SAMPLE.instrument.baseCurrency)
    .option('--quote-currency <currency>', 'quote currency', SAMPLE.instrument.quoteCurrency)
    .option('--tick-size <decimal>', 'price step', SAMPLE.instrument.tickSize)
    .option('--quantity-increment <decimal>', 'quantity step', SAMPLE.instrument.quantityIncrement)
    .option('--take-rate <fraction>', 'taker fee rate', SAMPLE.instrument.takeRate)
    .option('--make-rate <fraction>', 'maker fee rate', SAMPLE.instrument.makeRate)
    .option('-p, --set <parameter=value...>', 'market parameters, listed below')
    .option('-f, --force', 'overwrite an existing recording')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      () => `
Parameters of an order book with trades:
${defaults(DEFAULT_MARKET)}
Parameters of a perpetual, beside those:
${defaults(DEFAULT_PERPETUAL)}
Parameters of candles:
${defaults(DEFAULT_BARS)}
Example (the bundled sample):
  millrace feed generate --seed ${SAMPLE.seed} --duration 8h --out BTCUSDT.arrow`,
    )
    .action(async (flags: GenerateFlags) => {
      const { generate } = await import('../actions/feed-generate.ts');
      await generate(flags, terminal);
    });

const defaults = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `  ${name.padEnd(20)} ${String(value)}\n`)
    .join('');
