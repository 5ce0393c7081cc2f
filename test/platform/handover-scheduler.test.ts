import { expect, test } from 'vitest';
import { HandoverScheduler } from '../../src/platform/handover-scheduler.ts';
import { micros } from '../../src/platform/time.ts';
import { VirtualScheduler } from '../../src/platform/virtual-scheduler.ts';

function handover() {
  const present = new VirtualScheduler(micros(1_000));
  return { present, clock: new HandoverScheduler(micros(100), present) };
}

test('runs through the past, then follows the present', () => {
  const { present, clock } = handover();
  const ran: [string, number][] = [];
  clock.at(micros(200), () => ran.push(['past', clock.now()]));
  clock.advanceTo(micros(300));
  expect(clock.now()).toBe(300);
  clock.handOver();
  clock.at(micros(1_500), () => ran.push(['present', clock.now()]));
  present.advanceTo(micros(2_000));
  expect(clock.now()).toBe(2_000);
  expect(ran).toEqual([
    ['past', 200],
    ['present', 1_500],
  ]);
});

test('runs what is due by the present when it hands over, and takes the rest along in order', () => {
  const { present, clock } = handover();
  const ran: string[] = [];
  clock.at(micros(1_000), () => ran.push('due'));
  clock.at(micros(1_200), () => ran.push('first'));
  clock.at(micros(1_200), () => ran.push('second'));
  clock.at(micros(1_100), () => ran.push('sooner'));
  clock.handOver();
  expect(ran).toEqual(['due']);
  present.advanceTo(micros(1_200));
  expect(ran).toEqual(['due', 'sooner', 'first', 'second']);
});

test('cancels a task before and after it was taken along', () => {
  const { present, clock } = handover();
  const ran: string[] = [];
  const before = clock.at(micros(1_100), () => ran.push('canceled before'));
  const after = clock.at(micros(1_100), () => ran.push('canceled after'));
  before();
  clock.handOver();
  after();
  present.advanceTo(micros(2_000));
  expect(ran).toEqual([]);
});

test('is not moved by hand any more once it follows the present', () => {
  const { clock } = handover();
  clock.handOver();
  clock.handOver();
  clock.advanceTo(micros(5_000));
  expect(clock.now()).toBe(1_000);
});
