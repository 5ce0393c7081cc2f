import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { micros, type Micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { Simulation } from '../../../src/server/simulation/simulation.ts';
import { OPENED, TestVenue } from '../kit.ts';

/** A folder of its own, which the test run removes. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'venue-data-'));

/** What a process that is killed now leaves behind. */
export function leftBehind(data: string): string {
  const copy = folder();
  for (const file of ['inputs.log', 'reached']) cpSync(join(data, file), join(copy, file));
  return copy;
}

export const clockAt = (at: Micros = OPENED): VirtualScheduler => new VirtualScheduler(at);

/** A venue that keeps its state in a folder, on a free port, by a clock that a test moves. */
export class KeptVenue extends TestVenue {
  readonly simulation: Simulation;

  constructor(simulation: Simulation, scheduler: VirtualScheduler) {
    super(simulation.venue, scheduler);
    this.simulation = simulation;
  }

  static async open(
    settings: SimulationSettings,
    data: string,
    scheduler = clockAt(),
  ): Promise<KeptVenue> {
    const kept = { folder: data, release: '1.0.0' };
    const simulation = await Simulation.open({ ...settings, port: 0 }, scheduler, {}, kept);
    onTestFinished(() => simulation.close());
    return new KeptVenue(simulation, scheduler);
  }

  get until(): Micros {
    return this.simulation.restored?.until ?? micros(0);
  }
}
