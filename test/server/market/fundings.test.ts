import { expect, test } from 'vitest';
import { ZERO } from '../../../src/model/decimal.ts';
import { Fundings } from '../../../src/server/trading/market/fundings.ts';
import { instruments } from '../instruments.ts';

test('the latest fundings of each contract are kept, and no more than there is room for', () => {
  const fundings = new Fundings(instruments(), 2);
  for (const at of [8, 16, 24]) {
    const nextFundingAt = at + 8;
    fundings.record(3, { at, fundingRate: ZERO, avgPremiumIndex: ZERO, nextFundingAt });
  }
  const page = { sort: 'ASC', limit: 10 } as const;
  expect(fundings.query(3, page).map(({ at }) => at)).toEqual([16, 24]);
  expect(fundings.query(2, page)).toEqual([]);
});
