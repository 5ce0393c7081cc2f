import { existsSync } from 'node:fs';
import { marginAccountKey, type MarginAccountId } from '../../model/margin-account.ts';
import { journalPath } from '../journal/path.ts';
import { JournalReader } from '../journal/reader.ts';
import type { BotSettings } from '../settings/settings.ts';

/**
 * The strategies that own the margin accounts of an account, by its journal; none if it has no journal yet.
 * `undefined` if the journal cannot be read, which the check of journals reports.
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
