import type { AuditEvent } from '../../engine/audit.ts';
import type { Lots } from '../../model/units.ts';
import type { BotEvent } from '../api/bot-event.ts';
import type { StrategyAccount } from '../account/strategy-account.ts';
import type { Transition } from '../risk/states.ts';
import type { StrategySettings } from '../settings/settings.ts';

/** The bot event of a state transition; `strategies` returns the account of each. */
export function stateEvent(
  { scope, from, to, why, at }: Transition,
  strategies: readonly Pick<StrategySettings, 'name' | 'account'>[],
): BotEvent {
  const [what, name = ''] = scope.split(':');
  const state = { kind: 'state', from, to, why, at } as const;
  if (what === 'account') return { ...state, account: name };
  if (what !== 'strategy') return state;
  const account = strategies.find((one) => one.name === name)?.account;
  return { ...state, strategy: name, ...(account === undefined ? {} : { account }) };
}

/** The bot event of an event that an engine emits of its strategy; prices and quantities as text. */
export function auditedEvent(
  event: AuditEvent,
  strategyAccount: Pick<StrategyAccount, 'venue' | 'name' | 'instrument'>,
): BotEvent | undefined {
  const { at } = event;
  const { venue: account, name: strategy } = strategyAccount;
  const of = { at, account, strategy };
  switch (event.kind) {
    case 'failed':
      return { kind: 'failed', ...of, why: event.error.message };
    case 'completed':
      return { kind: 'completed', ...of };
    case 'unprotected': {
      const { clientOrderId, symbol, lots, ofLots } = event;
      const instrument = strategyAccount.instrument(symbol);
      const size = (count: number): string => instrument.size(count as Lots).toFixed();
      return { kind: 'unprotected', ...of, clientOrderId, symbol, quantity: size(lots), of: size(ofLots) }; // prettier-ignore
    }
    case 'report': {
      const { report } = event;
      if (report.kind === 'outcome-unknown') {
        const { request, clientOrderId, symbol } = report;
        return { kind: 'unknown', ...of, request, clientOrderId, symbol };
      }
      if (report.kind !== 'trade') return undefined;
      const { clientOrderId, symbol, side, ticks, lots, fee, feeCurrency } = report.fill;
      const instrument = strategyAccount.instrument(symbol);
      return {
        ...{ kind: 'fill', ...of, clientOrderId, symbol, side, feeCurrency },
        quantity: instrument.size(lots).toFixed(),
        price: instrument.price(ticks).toFixed(),
        fee: fee.toFixed(),
      };
    }
    default:
      return undefined;
  }
}
