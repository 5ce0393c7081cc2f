import { madeGateway, type Gateway } from '../../gateways/own/gateway.ts';
import type { AccountListener } from '../../gateways/venue-account.ts';
import { errorText, MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_MS, US_PER_SECOND } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { AccountSettings, BotSettings } from '../settings/settings.ts';
import { checker, type CheckResult } from './check-result.ts';

interface Parts {
  readonly settings: BotSettings;
  readonly scheduler: Scheduler;
  readonly random: Random;
}

/** Longest time for a venue to connect and to answer. */
const WITHIN_US = 10 * US_PER_SECOND;

/**
 * Checks that a user's gateway can be created, connects and knows the symbols; for a live account also its
 * clock and snapshot.
 */
export async function checkGateway(
  account: AccountSettings,
  parts: Parts,
): Promise<readonly CheckResult[]> {
  const { ok, warn, fail } = checker('gateway', account.name);
  const { gateway: module } = account;
  if (module === undefined) throw new MillraceError('internal', `${account.name} has no venue.`);
  const warned: string[] = [];
  const { scheduler, random } = parts;
  try {
    const log = listening(warned);
    const gateway = await madeGateway(module, { scheduler, random, log });
    try {
      const found = await within(look(account, gateway, parts), parts);
      return [
        ok(`${module.path} makes a gateway, which answers.`),
        ...found,
        ...warned.map((one) => warn(one, 'Its module logged it.')),
      ];
    } finally {
      if (parts.settings.mode === 'live') await gateway.account.close();
      await gateway.close?.();
    }
  } catch (error) {
    return [fail(errorText(error), `Look at accounts.${account.name}.venue and its module.`)];
  }
}

const listening = (warned: string[]): Log => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => void warned.push(message),
});

const NOBODY: AccountListener = {
  report: () => undefined,
  margin: () => undefined,
  connectionState: () => undefined,
};

async function look(
  { name }: AccountSettings,
  gateway: Gateway,
  { settings, scheduler }: Parts,
): Promise<readonly CheckResult[]> {
  if (settings.mode === 'paper') {
    return checkSymbols(name, settings, (await gateway.instruments?.()) ?? []);
  }
  await gateway.account.open(NOBODY);
  const skewUs = await gateway.account.clockSkewUs();
  const { orders, balances } = await gateway.account.snapshot(scheduler.now());
  const distance = Math.round(Math.abs(skewUs) / US_PER_MS);
  return [
    ...checkSymbols(name, settings, gateway.account.instruments),
    checker('clock', name).ok(`The clock of the venue is ${distance} ms ${skewUs < 0 ? 'behind' : 'ahead of'} this one.`), // prettier-ignore
    checker('account', name).ok(`The venue answers: ${orders.length} active orders, balances of ${balances.length} currencies.`), // prettier-ignore
  ];
}

function checkSymbols(
  account: string,
  { strategies }: Parts['settings'],
  instruments: readonly Instrument[],
): readonly CheckResult[] {
  const known = instruments.map(({ symbol }) => symbol);
  return strategies
    .filter((one) => one.account === account)
    .map(({ name, symbols }) => {
      const { ok, fail } = checker('symbols', name);
      const missing = symbols.filter((symbol) => !known.includes(symbol));
      if (missing.length === 0) return ok(`${symbols.join(', ')}: there.`);
      return fail(`The venue has no ${missing.join(', ')}.`, `It has ${known.join(', ')}.`);
    });
}

async function within<T>(work: Promise<T>, { scheduler }: Parts): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = scheduler.at(micros(scheduler.now() + WITHIN_US), () => {
    reject(new MillraceError('unreachable', `The gateway says nothing for ${WITHIN_US / US_PER_SECOND} s.`)); // prettier-ignore
  });
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}
