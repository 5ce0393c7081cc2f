import type { Inventory } from '../../gateways/rebalancing/inventory.ts';
import type { AccountContext } from '../account/account-context.ts';
import { transfersPath } from '../journal/path.ts';
import type { BotSettings, PortfolioSettings } from '../settings/settings.ts';
import type { InventorySurroundings } from './inventory.ts';

export interface PortfolioSurroundings extends InventorySurroundings {
  readonly bot: BotSettings;
  /** The account of the strategy that owns the portfolio. */
  readonly context: AccountContext;
  /** Called where the journal cannot be written: nothing may be moved any more. */
  readonly journalFailed: (error: unknown) => void;
}

/**
 * Opens the inventory of a bot, by its services or by a model on paper; throws what these throw. The
 * modules are imported here, so that a bot without an inventory loads neither.
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
