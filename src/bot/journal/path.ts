import { join } from 'node:path';
import type { BotSettings } from '../settings/settings.ts';

/** The journal of an account; what is played on paper stands apart from what was real. */
export const journalPath = (
  { data, mode }: Pick<BotSettings, 'data' | 'mode'>,
  account: string,
): string => join(data, mode === 'paper' ? `${account}.paper.sqlite` : `${account}.sqlite`);

/**
 * The journal of the transfers of inventory that are played on paper, beside that of their account.
 */
export const transfersPath = ({ data }: Pick<BotSettings, 'data'>, account: string): string =>
  join(data, `${account}.paper-moves.sqlite`);

/** The file beside a journal with what must outlive it: the journal's own mark, and trading states. */
export const statePath = (journal: string): string => `${journal.replace(/\.sqlite$/, '')}.state`;
