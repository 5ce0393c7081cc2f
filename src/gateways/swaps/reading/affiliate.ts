import { z } from 'zod';
import {
  affiliateApprovalAnswer,
  affiliateIntentAnswer,
  affiliateStatusAnswer,
  affiliateTokensAnswer,
  bestQuoteAnswer,
  historyAnswer,
} from '../../../wire/swaps/affiliate/answers.ts';
import { networksAnswer } from '../../../wire/swaps/execution.ts';
import { membersOf, reader, renamed, unixTime } from './read.ts';
import { readStatus } from './state.ts';

/** Answers of the Affiliate surface, converted to the names of the specification. */

const quote = bestQuoteAnswer.extend({ expiry: unixTime });

const plainIntent = (json: unknown): unknown => {
  const named = renamed(membersOf(json), {
    intent_id: ['id'],
    deadline_secs: ['deadline_at', 'expires_at'],
    approval_mechanism: ['approval_type'],
  });
  return Object.fromEntries(
    Object.entries(named).filter(([, member]) => (member ?? undefined) !== undefined),
  );
};

const intent = z.preprocess(
  plainIntent,
  affiliateIntentAnswer.extend({ deadline_secs: unixTime.optional() }),
);

const status = affiliateStatusAnswer.transform((record) => ({
  ...record,
  ...readStatus(record.status),
}));

const history = historyAnswer.extend({ items: z.array(status) });

/** A quote; lots are `bigint`, times microseconds. */
export type AffiliateQuote = z.output<typeof quote>;
/** Content to sign for an intent. */
export type AffiliateIntent = z.output<typeof intent>;
/** State of an intent: the service's status, and its meaning. */
export type AffiliateStatus = z.output<typeof status>;
export type AffiliateHistory = z.output<typeof history>;
export type AffiliateTokens = z.output<typeof affiliateTokensAnswer>;

export const readBestQuote = reader(quote);
export const readAffiliateIntent = reader(intent);
export const readAffiliateStatus = reader(status);
export const readHistory = reader(history);
export const readAffiliateApproval = reader(affiliateApprovalAnswer);
export const readAffiliateTokens = reader(affiliateTokensAnswer);
export const readAffiliateNetworks = reader(networksAnswer);
