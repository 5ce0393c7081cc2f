import { existsSync } from 'node:fs';
import { marginAccountKey, type MarginAccountId } from '../../model/margin-account.ts';
import { journalPath } from '../journal/path.ts';
import { JournalReader } from '../journal/reader.ts';
import type { BotSettings } from '../settings/settings.ts';

/**
 * The strategies that opened the margin accounts of an account, as its journal has them; of one that has no
 * journal yet nobody opened any. `undefined` where the journal cannot be read: the check of journals says so.
 */
export function marginOwners(
  settings: BotSettings,
  account: string,
): ((marginAccount: MarginAccountId) => string | undefined) | undefined {
  const path = journalPath(settings, account);
  if (!existsSync(path)) return () => undefined;
  try {
    const reader = JournalReader.open(path);
    try {
      const owners = new Map(
        reader
          .marginAccounts()
          .map(({ marginAccount, strategy, parts }) => [
            marginAccountKey(marginAccount),
            parts?.shares.map((one) => one.strategy).join(', ') ?? strategy,
          ]),
      );
      return (marginAccount) => owners.get(marginAccountKey(marginAccount));
    } finally {
      reader.close();
    }
  } catch {
    return undefined;
  }
}
