import { Journal } from '../../../src/bot/journal/journal.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_HOUR } from '../../../src/platform/time.ts';
import { intent, place } from './requests.ts';

/**
 * A process of its own that holds a journal, for tests that kill it: says `open`, then writes
 * intents and says each once it is durable, until it is killed or the disk gives out.
 */
const [path = '', count = '0'] = process.argv.slice(2);
const scheduler = new SystemScheduler();
const options = { account: 'main', scheduler, random: new Random(3), holder: 'child' };

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  const journal = Journal.open(path, options);
  journal.learn([
    new Instrument({
      symbol: 'BTCUSDT',
      type: 'spot',
      baseCurrency: 'BTC',
      quoteCurrency: 'USDT',
      tickSize: '0.01',
      quantityIncrement: '0.00001',
      takeRate: '0.001',
      makeRate: '0.001',
      feeCurrency: 'USDT',
    }),
  ]);
  say('open');
  for (let i = 1; i <= Number(count); i += 1) {
    const id = `ema-abcd-${String(i).padStart(7, '0')}`;
    journal.intend([intent(place(id))]);
    say(id);
  }
  // A task keeps the process alive until it is killed.
  scheduler.at(micros(scheduler.now() + US_PER_HOUR), () => undefined);
} catch (error) {
  const known = error as { code?: unknown; message?: unknown };
  say(`failed ${String(known.code)} ${String(known.message)}`);
}
