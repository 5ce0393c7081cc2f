import type { Inventory } from '../../gateways/rebalancing/inventory.ts';
import type { AccountContext } from '../account/account-context.ts';
import { transfersPath } from '../journal/path.ts';
import type { BotSettings, PortfolioSettings } from '../settings/settings.ts';
import type { InventorySurroundings } from './inventory.ts';

export interface PortfolioSurroundings extends InventorySurroundings {
  readonly bot: BotSettings;
  /** That of the strategy whose portfolio it is. */
  readonly context: AccountContext;
  /** The journal can not be written any more: nothing may be moved. */
  readonly journalFailed: (error: unknown) => void;
}

/**
 * The inventory of a bot: over the services that it names, or by a model on paper. Throws as they
 * do. A bot without one loads neither, nor what signs transactions.
 */
export async function openPortfolio(
  { means, everyUs }: PortfolioSettings,
  surroundings: PortfolioSurroundings,
): Promise<Inventory> {
  const { bot, context, journalFailed: failed } = surroundings;
  if (means.kind === 'services') {
    const { openInventory } = await import('./inventory.ts');
    return await openInventory({ rebalancing: means.rebalancing, everyUs }, surroundings);
  }
  const { paper } = context;
  if (paper === undefined) throw new RangeError(`${context.settings.name} is no account on paper`);
  const path = transfersPath(bot, context.settings.name);
  const { model } = means;
  const { openPaperPortfolio } = await import('./paper-portfolio.ts');
  return await openPaperPortfolio({ ...surroundings, model, everyUs, paper, path, failed });
}
