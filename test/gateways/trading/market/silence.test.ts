import { describe, expect, test } from 'vitest';
import { Silence } from '../../../../src/gateways/trading/market/silence.ts';
import { micros, US_PER_SECOND, type Micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { BOOK, book, received, levels, scene } from './harness.ts';
import { until } from './kit.ts';

function silence() {
  const clock = new VirtualScheduler(micros(0));
  let lateUs = 0;
  // A process that stands still reads a later time than that for which its timers were set.
  const scheduler = {
    now: () => micros(clock.now() + lateUs),
    at: (at: Micros, task: () => void) => clock.at(micros(Math.max(clock.now(), at)), task),
  };
  const reported: string[] = [];
  const one = new Silence({
    scheduler,
    silentUs: 10 * US_PER_SECOND,
    ask: () => reported.push(`ask ${scheduler.now() / US_PER_SECOND}`),
    dead: () => reported.push(`dead ${scheduler.now() / US_PER_SECOND}`),
  });
  const at = (seconds: number): void => {
    clock.advanceTo(micros(seconds * US_PER_SECOND));
  };
  const standStill = (seconds: number): void => {
    lateUs = seconds * US_PER_SECOND;
  };
  return { one, reported, at, standStill, receive: () => one.received(scheduler.now()) };
}

/** Lets the time pass in steps, as it does for a process that lives. */
function pass({ at }: ReturnType<typeof silence>, from: number, till: number): void {
  for (let second = from; second <= till; second += 0.5) at(second);
}

describe('a connection that brings no data', () => {
  test('is asked for some, and is alive where that comes', () => {
    const kit = silence();
    kit.one.begin();
    pass(kit, 0, 12);
    expect(kit.reported).toEqual(['ask 10']);
    kit.receive();
    pass(kit, 12, 21.5);
    expect(kit.reported).toEqual(['ask 10']);
    pass(kit, 22, 23);
    expect(kit.reported).toEqual(['ask 10', 'ask 22']);
  });

  test('is broken off where none comes, with more patience each time', () => {
    const kit = silence();
    kit.one.begin();
    pass(kit, 0, 16);
    expect(kit.reported).toEqual(['ask 10', 'dead 15']);
    kit.one.begin();
    kit.receive();
    pass(kit, 16, 42);
    expect(kit.reported.slice(2)).toEqual(['ask 36', 'dead 41']);
    kit.one.begin();
    pass(kit, 42, 60);
    kit.receive();
    kit.reported.length = 0;
    pass(kit, 60, 82);
    kit.receive();
    pass(kit, 82, 93);
    expect(kit.reported).toEqual(['ask 82', 'ask 92']);
  });

  test('is left alone while data comes, and once it has ended', () => {
    const kit = silence();
    kit.one.begin();
    for (let second = 1; second < 60; second += 1) {
      kit.at(second);
      kit.receive();
    }
    kit.one.end();
    pass(kit, 60, 120);
    expect(kit.reported).toEqual([]);
  });

  test('is asked once more by a process that stood still', () => {
    const kit = silence();
    kit.one.begin();
    pass(kit, 0, 11);
    kit.standStill(30);
    pass(kit, 11, 15);
    expect(kit.reported).toEqual(['ask 10', 'ask 45']);
  });
});

describe('a market whose connection brings no data', () => {
  const SILENT = { silentUs: US_PER_SECOND };

  test('asks for the book, which proves that a quiet market is connected', async () => {
    const stage = await scene({ book: 'full' }, SILENT);
    const asked = () => stage.service.asked.filter((one) => one === `subscribe ${BOOK}`).length;
    await until(stage.timed, () => asked() === 3);
    expect(stage.ear.hearings).toEqual(['0 live']);
    expect(stage.ear.isStale()).toBe(false);
    expect(stage.warnings).toEqual([]);
  });

  test('asks for trades where nothing else is wanted, and an answer has to do where there are none', async () => {
    const stage = await scene({ trades: true }, SILENT);
    stage.service.received = () => undefined;
    const asked = () => stage.service.asked.filter((one) => one === 'subscribe trades').length;
    await until(stage.timed, () => asked() === 4);
    expect(stage.ear.hearings).toEqual(['0 live']);
  });

  test('is lost and connects again where the book does not come', async () => {
    const stage = await scene({ book: 'full' }, SILENT);
    const { received: answer } = stage.service;
    stage.service.received = () => undefined;
    await until(stage.timed, () => stage.ear.hearings.length === 2);
    expect(stage.ear.whys[0]).toContain('brought no data of any symbol');
    stage.service.received = answer;
    await until(stage.timed, () => stage.ear.hearings.length === 3);
    expect(stage.ear.hearings).toEqual(['0 live', '0 lost', '0 live']);
    stage.service.emit(BOOK, 'update', book(6, levels([101, 1])));
    await received(stage, stage.ear.frames.length + 1);
    expect(stage.ear.book().bids[0]).toEqual([10_100, 100_000]);
  });
});
