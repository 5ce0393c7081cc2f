import { describe, expect, test } from 'vitest';
import { conformancePage, missingFrom, shownBy, strangersIn, type Row } from './table.ts';

const ROWS: readonly Row[] = [
  { id: 'trading-v3.spot.post-order', what: 'Places an order.', sides: ['server', 'client'] },
  { id: 'trading-v3.spot.get-order', what: 'Gives an order.', sides: ['server'] },
];

const passed = (fullName: string, ...tags: string[]) => ({ fullName, tags, status: 'passed' });

describe('the table of conformance', () => {
  test('counts what passing tests show by tag or by title', () => {
    const shown = shownBy([
      passed('an order is placed', 'server:trading-v3.spot.post-order'),
      passed('[server:trading-v3.spot.get-order] of %s'),
      { ...passed('fails', 'client:trading-v3.spot.post-order'), status: 'failed' },
    ]);
    expect(missingFrom(ROWS, shown)).toEqual(['client:trading-v3.spot.post-order']);
    expect(conformancePage(ROWS, shown)).toContain('- `trading-v3`: 2/2, 0/1');
  });

  test('names tags of rows and sides that are none, and leaves other tags alone', () => {
    const shown = shownBy([
      passed('a', 'slow', 'client:trading-v3.spot.get-order'),
      passed('[server:trading-v3.spot.put-order] b'),
    ]);
    expect(strangersIn(ROWS, shown)).toEqual([
      'client:trading-v3.spot.get-order',
      'server:trading-v3.spot.put-order',
    ]);
  });
});
