import { join } from 'node:path';
import type { BotSettings } from '../settings/settings.ts';

/** Path of an account's journal; paper accounts have a different one than live ones. */
export const journalPath = (
  { data, mode }: Pick<BotSettings, 'data' | 'mode'>,
  account: string,
): string => join(data, mode === 'paper' ? `${account}.paper.sqlite` : `${account}.sqlite`);

/** Path of the journal of simulated inventory transfers, beside that of their account. */
export const transfersPath = ({ data }: Pick<BotSettings, 'data'>, account: string): string =>
  join(data, `${account}.paper-moves.sqlite`);

/** Path of the file beside a journal with facts that outlive it: its identity, and trading states. */
export const statePath = (journal: string): string => `${journal.replace(/\.sqlite$/, '')}.state`;
