import { z } from 'zod';
import { get, post } from '../../call.ts';
import { code, numeric, optional, text } from '../../fields.ts';
import { feeEstimate, feeEstimateRow, feeLevel, hash } from '../records/wallet.ts';

const access = 'payment';

const estimated = z.object({ currency: code, amount: numeric, network_code: optional(text) });
const many = z.array(estimated);
const rows = z.array(feeEstimateRow);

/** Fees of deposits and withdrawals. */
export const walletFeeCalls = {
  estimateFee: get('/wallet/crypto/fee/estimate', {
    access,
    summary: 'What a withdrawal costs',
    params: estimated,
    response: feeEstimate,
  }),
  estimateFees: post('/wallet/crypto/fees/estimate', {
    access,
    summary: 'What several withdrawals cost',
    params: many,
    response: rows,
  }),
  estimateFeesByQuery: get('/wallet/crypto/fees/estimate', {
    access,
    summary: 'What a withdrawal costs, as a list of one',
    params: estimated,
    response: rows,
  }),
  estimateFeesInBulk: post('/wallet/crypto/fee/estimate/bulk', {
    access,
    summary: 'What several withdrawals cost',
    params: many,
    response: rows,
  }),
  getFeeLevels: get('/wallet/crypto/fee/levels', {
    access,
    summary: 'What a withdrawal costs at each level of urgency',
    params: z.object({
      currency: code,
      amount: optional(numeric),
      network_code: optional(text),
    }),
    response: z.array(feeLevel),
  }),
  getWithdrawFeeHash: get('/wallet/crypto/fee/withdraw/hash', {
    access,
    summary: 'A hash that changes when the fees of withdrawals do',
    response: hash,
  }),
  getDepositFeeHash: get('/wallet/crypto/fee/deposit/hash', {
    access,
    summary: 'A hash that changes when the fees of deposits do',
    response: hash,
  }),
  estimateDepositFee: get('/wallet/crypto/fee/deposit/estimate', {
    access,
    summary: 'What a deposit costs',
    params: estimated,
    response: feeEstimate,
  }),
  estimateDepositFees: post('/wallet/crypto/fee/deposit/estimate/bulk', {
    access,
    summary: 'What several deposits cost',
    params: many,
    response: rows,
  }),
  estimateLabelledDepositFee: get('/wallet/crypto/fee/deposit/label/{label_id}/estimate', {
    access,
    summary: 'What a deposit costs under a label',
    params: estimated,
    response: feeEstimate,
  }),
  estimateLabelledDepositFees: post('/wallet/crypto/fee/deposit/label/{label_id}/estimate/bulk', {
    access,
    summary: 'What several deposits cost under a label',
    params: many,
    response: rows,
  }),
} as const;
