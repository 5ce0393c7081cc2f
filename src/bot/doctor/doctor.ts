import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { RebalancingSettings } from '../settings/rebalancing.ts';
import type { AccountSettings, BotSettings } from '../settings/settings.ts';
import type { CheckResult } from './check-result.ts';
import { checkFolder, checkLocks, checkNode, checkSpace } from './machine.ts';

export interface DoctorParts {
  readonly settings: BotSettings;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Of Node, such as `26.1.0`. */
  readonly nodeVersion: string;
}

/**
 * Checks everything that a bot needs before it starts, without changing anything: the machine, its folder,
 * the service, key and money of each account, and the chains of its portfolio.
 */
export async function examine(parts: DoctorParts): Promise<readonly CheckResult[]> {
  const { settings, scheduler, nodeVersion } = parts;
  const found: CheckResult[] = [
    checkNode(nodeVersion),
    checkFolder(settings.data),
    checkSpace(settings.data),
    ...checkLocks(settings, scheduler),
  ];
  for (const account of settings.accounts) found.push(...(await examineAccount(account, parts)));
  const means = settings.portfolio?.means;
  if (means?.kind !== 'services') return found;
  const { checkChains } = await import('./chains.ts');
  return [...found, ...(await checkChains(means.rebalancing, parts))];
}

/** Checks everything that transfers of a portfolio need in the same way: the machine and the chains. */
export async function examinePortfolio({
  settings,
  nodeVersion,
  ...dependencies
}: Omit<DoctorParts, 'settings'> & {
  readonly settings: RebalancingSettings;
}): Promise<readonly CheckResult[]> {
  const { checkChains } = await import('./chains.ts');
  return [
    checkNode(nodeVersion),
    checkFolder(settings.data),
    checkSpace(settings.data),
    ...(await checkChains(settings, dependencies)),
  ];
}

async function examineAccount(
  account: AccountSettings,
  { settings, scheduler, random }: DoctorParts,
): Promise<readonly CheckResult[]> {
  // The kind of an account decides what is loaded.
  if (account.market.kind === 'recordings') {
    const { checkRecording } = await import('./recording.ts');
    return account.market.paths.map(checkRecording);
  }
  const { service } = account;
  if (service === undefined) {
    const { checkGateway } = await import('./gateway.ts');
    return await checkGateway(account, { settings, scheduler, random });
  }
  const { TradingClient } = await import('../../gateways/trading/client/client.ts');
  const { checkService } = await import('./service.ts');
  const { version: _, credentials, ...address } = service;
  const client = new TradingClient({
    ...address,
    scheduler,
    random,
    ...(credentials === undefined
      ? {}
      : { credentials: { ...credentials, scheme: 'hs256' as const } }),
  });
  const strategies = settings.strategies.filter((one) => one.account === account.name);
  try {
    const isLive = settings.mode === 'live';
    const { marginOwners } = await import('./margin-owners.ts');
    const ownerOf = isLive ? marginOwners(settings, account.name) : undefined;
    const found = await checkService({
      account: { ...account, service },
      client,
      strategies,
      isLive,
      ownerOf,
    });
    const { market } = account;
    if (market.kind !== 'nats') return found;
    const { checkNats } = await import('./nats.ts');
    return [...found, ...(await checkNats({ account: account.name, market, address, strategies }))];
  } finally {
    await client.close();
  }
}
