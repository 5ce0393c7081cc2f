import type { Inventory } from '../../gateways/rebalancing/inventory.ts';
import type { Floor } from '../account/floor.ts';
import { movesPath } from '../journal/path.ts';
import type { BotSettings, PortfolioSettings } from '../settings/settings.ts';
import type { InventorySurroundings } from './inventory.ts';

export interface PortfolioSurroundings extends InventorySurroundings {
  readonly bot: BotSettings;
  /** That of the strategy whose portfolio it is. */
  readonly floor: Floor;
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
  const { bot, floor, journalFailed: failed } = surroundings;
  if (means.kind === 'services') {
    const { openInventory } = await import('./inventory.ts');
    return await openInventory({ rebalancing: means.rebalancing, everyUs }, surroundings);
  }
  const { paper } = floor;
  if (paper === undefined) throw new RangeError(`${floor.settings.name} is no account on paper`);
  const path = movesPath(bot, floor.settings.name);
  const { model } = means;
  const { openPaperPortfolio } = await import('./paper-portfolio.ts');
  return await openPaperPortfolio({ ...surroundings, model, everyUs, paper, path, failed });
}
