import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { trialSettings } from './venue.ts';

/**
 * A venue of its own process that keeps its state, to be killed: `venue-child.ts PORT FOLDER`. It says
 * `port N` once it listens.
 */
const [, , port = '0', folder = ''] = process.argv;
const scheduler = new SystemScheduler();
const simulation = await Simulation.open(
  { ...trialSettings(), port: Number(port) },
  scheduler,
  {},
  { folder, release: 'trial' },
);
process.stdout.write(`port ${simulation.venue.port}\n`);
process.once('SIGTERM', () => {
  void simulation.close().then(() => process.exit(0));
});
