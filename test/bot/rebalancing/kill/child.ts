import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { RebalancingJournal } from '../../../../src/bot/rebalancing/journal.ts';
import type { RebalancingSettings } from '../../../../src/bot/settings/rebalancing.ts';
import { PortfolioTransfers } from '../../../../src/bot/rebalancing/portfolio-transfers.ts';
import { Decimal, decimal } from '../../../../src/model/decimal.ts';
import { MillraceError } from '../../../../src/model/errors.ts';
import { systemRandom } from '../../../../src/platform/system-random.ts';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';
import { Executor } from '../../../../src/swaps/execution/executor.ts';
import type { RebalanceReport } from '../../../../src/swaps/execution/report.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import { NETWORKS } from '../../../swaps/chains/harness.ts';
import { Life } from '../../../swaps/execution/mortal.ts';
import { planOf, VALUE, type Errand } from './errand.ts';
import { isNew, KILLED, type Order } from './moments.ts';
import { Observer } from './witness.ts';

/**
 * A rebalance in a process of its own, to be killed. It waits for a line that names its errand and
 * the moment at which it ends itself by SIGKILL.
 */
flushCompileCache();
const order = await new Promise<Order>((resolve) => {
  createInterface({ input: process.stdin }).once('line', (line) => {
    resolve(JSON.parse(line) as Order);
  });
});
const { killAt, known } = order;
const errand = JSON.parse(readFileSync(order.errand, 'utf8')) as Errand;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let moments = 0;
const passes = (moment: string): void => {
  moments += 1;
  if (moments !== killAt && moment !== killAt && !isNew(moment, order)) return;
  say(`${KILLED}${moment}`);
  process.kill(process.pid, 'SIGKILL');
};
const life = new Life((moment, transfer) => {
  passes(`${moment} ${transfer}`.trim());
  return false;
});
const observer = new Observer(passes, say);

const scheduler = new SystemScheduler();
const { url, keys, credentials } = errand;
const service = { url, privateKey: createPrivateKey(errand.privateKey) };
const settings: RebalancingSettings = {
  name: 'trial',
  data: '.',
  swaps: service,
  exchangeOrders: service,
  prices: new Map(Object.entries(VALUE).map(([asset, one]) => [asset, decimal(one)])),
  account: {
    location: 'trading',
    address: { url },
    credentials,
    tolerance: new Decimal('0.005'),
    networks: new Map([['ethereum', 'ETH'], ['bitcoin', 'BTC']]), // prettier-ignore
  },
  chains: NETWORKS.map(({ code, family }) => ({
    location: code,
    node: url,
    signer: keySigner(family, keys[code] ?? ''),
  })),
  targets: { holdings: [], minimumValue: new Decimal(0), maximumCost: new Decimal(1) },
};
const portfolioTransfers = await PortfolioTransfers.open(settings, {
  scheduler,
  random: systemRandom(),
});
const journal = RebalancingJournal.open(errand.path, { scheduler, holder: 'child' });
const executor = new Executor({
  scheduler,
  journal: life.journal(journal),
  routes: portfolioTransfers.routes.map((one) => observer.of(one)),
  limits: { pollUs: 20_000, pollMostUs: known === undefined ? 100_000 : 30_000 },
  listener: ({ happening }: RebalanceReport) => say(`${happening.kind} ${happening.message}`),
});

try {
  const whole =
    executor.resume() ??
    executor.execute(await planOf(errand, portfolioTransfers.routes, scheduler.now()));
  const report = await whole;
  say(`report ${JSON.stringify(report.plans)}`);
} catch (error) {
  const hasEnded = error instanceof MillraceError && error.message.includes('There was a plan');
  if (!hasEnded) throw error;
}
say(`finished ${moments}`);
journal.close();
await portfolioTransfers.close();
