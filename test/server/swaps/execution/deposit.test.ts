import { expect, test } from 'vitest';
import { isRejection, type Rejection } from '../../../../src/model/rejections.ts';
import { Escrow } from '../../../../src/swaps/intents/escrow.ts';
import type { Intent, Stage } from '../../../../src/swaps/intents/intent.ts';
import { BTC, openSwapVenue, USDC_TRON } from '../kit.ts';

test('a transaction of Bitcoin is the deposit of one intent, however many it was signed for', async () => {
  const venue = await openSwapVenue({ resolver: { byHand: true } });
  const created = await venue.createIntent(BTC, USDC_TRON, 0.5);
  expect((await venue.approve(created, BTC)).status).toBe(200);
  const [intent] = venue.service.intents();
  if (intent?.transaction === undefined) throw new Error('no transaction was signed');
  const escrow = new Escrow(venue.chains);
  const deposit = (of: Intent): Stage | Rejection | undefined => {
    let stage: Stage | Rejection | undefined;
    escrow.deposit(of, (made) => {
      stage = made;
    });
    return stage;
  };
  expect(deposit(intent)).toMatchObject({ hash: expect.any(String) });
  // The chain answers what it has already as when it came.
  expect(isRejection(venue.chains.spend('bitcoin', intent.transaction))).toBe(false);
  expect(deposit({ ...intent, id: 'another' })).toMatchObject({
    code: 'approval-invalid',
    message: 'The transaction has paid for another intent.',
  });
  expect(venue.isConserved).toBe(true);
});
