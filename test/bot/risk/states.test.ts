import { describe, expect, test } from 'vitest';
import { States, type Transition } from '../../../src/bot/risk/states.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';

const accounts = new Map([
  ['cross', 'main'],
  ['maker', 'main'],
  ['alone', 'other'],
]);

function statesOf(kept: readonly Transition[] = []) {
  const saved: Transition[] = [];
  const scheduler = new VirtualScheduler(micros(7));
  const save = (transition: Transition): void => {
    saved.push(transition);
  };
  return { saved, scheduler, states: new States({ scheduler, accounts, save, kept }) };
}

test('everybody runs at first', () => {
  const { states } = statesOf();
  for (const scope of ['bot', 'account:main', 'strategy:cross'] as const) {
    expect(states.own(scope)).toBe('running');
    expect(states.effective(scope)).toBe('running');
    expect(states.why(scope)).toBeUndefined();
  }
});

test('what counts is the strictest of strategy, account and bot', () => {
  const { states } = statesOf();
  states.tighten('strategy:cross', 'halted', 'lost too much');
  states.tighten('account:main', 'reducing', 'fell too far');
  expect(states.effective('strategy:cross')).toBe('halted');
  expect(states.effective('strategy:maker')).toBe('reducing');
  expect(states.effective('strategy:alone')).toBe('running');
  expect(states.effective('account:main')).toBe('reducing');
  states.set('bot', 'halted', 'told so');
  expect(states.effective('strategy:alone')).toBe('halted');
  expect(states.own('strategy:alone')).toBe('running');
  expect(states.effective('account:other')).toBe('halted');
});

test('a transition says from where, to where, why and when, and is kept', () => {
  const { states, saved, scheduler } = statesOf();
  scheduler.advanceTo(micros(99));
  const reported = states.tighten('account:main', 'reducing', 'too many refusals');
  const expected = {
    scope: 'account:main',
    from: 'running',
    to: 'reducing',
    why: 'too many refusals',
    at: 99,
  };
  expect(reported).toEqual(expected);
  expect(saved).toEqual([expected]);
  expect(states.why('account:main')).toBe('too many refusals');
});

test('a breach never loosens, and the same state is no transition', () => {
  const { states, saved } = statesOf();
  states.tighten('bot', 'halted', 'first');
  expect(states.tighten('bot', 'reducing', 'second')).toBeUndefined();
  expect(states.tighten('bot', 'halted', 'third')).toBeUndefined();
  expect(states.set('bot', 'halted', 'fourth')).toBeUndefined();
  expect(states.why('bot')).toBe('first');
  expect(saved).toHaveLength(1);
});

test('an operator may loosen what is not killed', () => {
  const { states } = statesOf();
  states.set('bot', 'halted', 'paused');
  expect(states.set('bot', 'reducing', 'told so')).toMatchObject({
    from: 'halted',
    to: 'reducing',
  });
  states.set('bot', 'killed', 'told so');
  expect(states.set('bot', 'reducing', 'told so')).toBeUndefined();
  expect(states.own('bot')).toBe('killed');
});

test('only resume ends killed', () => {
  const { states } = statesOf();
  expect(states.resume('bot', 'nothing to resume')).toBeUndefined();
  states.tighten('bot', 'killed', 'drawdown');
  expect(states.resume('bot', 'looked into it')).toMatchObject({ from: 'killed', to: 'running' });
  expect(states.own('bot')).toBe('running');
});

test('states outlive the process', () => {
  const first = statesOf();
  first.states.tighten('strategy:cross', 'killed', 'drawdown');
  first.states.tighten('account:main', 'reducing', 'daily loss');
  first.states.resume('account:main', 'looked into it');
  const { states } = statesOf(first.saved);
  expect(states.own('strategy:cross')).toBe('killed');
  expect(states.why('strategy:cross')).toBe('drawdown');
  expect(states.own('account:main')).toBe('running');
});

describe('when a transition cannot be kept', () => {
  const failing = () =>
    new States({
      scheduler: new VirtualScheduler(micros(0)),
      accounts,
      save: () => {
        throw new Error('disk full');
      },
      kept: [{ scope: 'bot', to: 'reducing', why: 'before', at: micros(0) }],
    });

  test('a stricter state holds all the same', () => {
    const states = failing();
    expect(() => states.tighten('bot', 'halted', 'loss')).toThrow('disk full');
    expect(states.own('bot')).toBe('halted');
  });

  test('a looser one does not', () => {
    const states = failing();
    expect(() => states.resume('bot', 'go on')).toThrow('disk full');
    expect(states.own('bot')).toBe('reducing');
  });
});

describe('a state of a cause that passes', () => {
  test('goes with the cause', () => {
    const { states } = statesOf();
    states.tighten('account:main', 'halted', 'silence', 'data');
    expect(states.effective('strategy:cross')).toBe('halted');
    expect(states.passing('account:main')).toEqual(['data']);
    expect(states.lift('account:main', 'data', 'heard')).toMatchObject({
      from: 'halted',
      to: 'running',
      why: 'heard',
      passing: 'data',
    });
    expect(states.effective('strategy:cross')).toBe('running');
    expect(states.passing('account:main')).toEqual([]);
    expect(states.lift('account:main', 'data', 'heard')).toBeUndefined();
  });

  test('ends when the last of its causes is over', () => {
    const { states } = statesOf();
    states.tighten('bot', 'halted', 'silence', 'data');
    expect(states.tighten('bot', 'halted', 'apart', 'clock')).toBeUndefined();
    expect(states.lift('bot', 'data', 'heard')).toBeUndefined();
    expect(states.own('bot')).toBe('halted');
    expect(states.lift('bot', 'clock', 'set')).toMatchObject({ to: 'running' });
  });

  test('leaves what an operator or a loss led to meanwhile', () => {
    const { states, saved } = statesOf();
    states.tighten('bot', 'halted', 'silence', 'data');
    expect(states.set('bot', 'halted', 'told so')).toMatchObject({ to: 'halted', why: 'told so' });
    states.lift('bot', 'data', 'heard');
    expect(states.own('bot')).toBe('halted');
    states.tighten('strategy:cross', 'halted', 'silence', 'data');
    states.tighten('strategy:cross', 'reducing', 'loss');
    expect(states.own('strategy:cross')).toBe('halted');
    expect(states.lift('strategy:cross', 'data', 'heard')).toMatchObject({ to: 'reducing' });
    const kept = saved.filter(({ passing }) => passing === undefined);
    expect(kept.map(({ scope, to }) => [scope, to])).toEqual([
      ['bot', 'halted'],
      ['strategy:cross', 'reducing'],
    ]);
  });

  test('ends when an operator lets the scope run', () => {
    const { states } = statesOf();
    states.tighten('bot', 'halted', 'silence', 'data');
    states.resume('bot', 'looked into it');
    expect(states.own('bot')).toBe('running');
    expect(states.passing('bot')).toEqual([]);
  });
});
