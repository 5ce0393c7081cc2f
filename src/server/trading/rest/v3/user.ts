import { RIGHTS } from '../../../../wire/trading/rights.ts';
import type { userCalls } from '../../../../wire/trading/v3/calls/sub-account.ts';
import { answer, type RestHandlers } from '../handler.ts';

/** Handlers of the user's calls about the account. */
export const userHandlers: RestHandlers<typeof userCalls> = {
  getApiKeys: ({ members }, { account }) =>
    answer(
      members.keysOf(account).map(({ key, name, rights, createdAt }) => ({
        key,
        name,
        access: [...rights].map((right) => RIGHTS[right]),
        created_at: createdAt,
      })),
    ),
};
