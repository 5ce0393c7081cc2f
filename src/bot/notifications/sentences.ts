import type { BotEvent } from '../api/bot-event.ts';
import type { EventKind, NotificationLevel } from '../settings/notifications.ts';
import type { TradingState } from '../../risk/state.ts';

/** The text of an event and its level. */
export interface Sentence {
  readonly kind: EventKind;
  readonly level: NotificationLevel;
  readonly text: string;
}

/** Events that are sent at once; the others are sent only if they last. */
export type PromptEvent = Exclude<BotEvent, { readonly kind: 'connection' | 'unknown' }>;

/** The sentence of an event; `undefined` if nobody is notified of it. */
export function sentenceOf(event: PromptEvent): Sentence | undefined {
  switch (event.kind) {
    case 'started':
      return started(event);
    case 'start-failed':
      return { kind: 'bot', level: 'urgent', text: `The bot could not start: ${event.why}` };
    case 'stopped':
      return event.why === undefined
        ? { kind: 'bot', level: 'info', text: 'The bot stopped.' }
        : { kind: 'bot', level: 'urgent', text: `The bot stopped: ${event.why}` };
    case 'failed':
      return { kind: 'strategy', level: 'urgent', text: `${whose(event)} failed and is halted: ${event.why}` }; // prettier-ignore
    case 'completed':
      return { kind: 'strategy', level: 'warning', text: `${whose(event)} ended by itself; its open orders stay.` }; // prettier-ignore
    case 'state':
      return { kind: 'risk', level: STATE_LEVELS[event.to], text: `${whose(event)} is ${event.to}: ${event.why}` }; // prettier-ignore
    case 'rejected':
      return { kind: 'rejection', level: 'warning', text: `${whose(event)}: the venue rejected to ${WORDS[event.request]} ${event.clientOrderId} (${event.symbol}): ${event.why}` }; // prettier-ignore
    case 'fill':
      return fill(event);
    case 'unprotected':
      return { kind: 'protection', level: 'urgent', text: `${whose(event)}: ${event.quantity} of ${event.of} ${event.symbol} have no protection any more, as order ${event.clientOrderId} ended.` }; // prettier-ignore
    case 'margin':
      return margin(event);
    case 'day':
      return day(event);
  }
}

const STATE_LEVELS: Readonly<Record<TradingState, NotificationLevel>> = {
  running: 'info',
  reducing: 'warning',
  halted: 'urgent',
  killed: 'urgent',
};

const WORDS = {
  place: 'place order',
  placeList: 'place order list',
  replace: 'replace an order by',
  cancel: 'cancel order',
} as const;

type Of<K extends BotEvent['kind']> = Extract<BotEvent, { readonly kind: K }>;

/** `Strategy maker (account main)`, at the beginning of a sentence. */
export function whose({
  account,
  strategy,
}: {
  readonly account?: string | undefined;
  readonly strategy?: string | undefined;
}): string {
  if (strategy === undefined || strategy === '') {
    return account === undefined ? 'The bot' : `Account ${account}`;
  }
  return account === undefined
    ? `Strategy ${strategy}`
    : `Strategy ${strategy} (account ${account})`;
}

function started({ accounts, strategies, isAfterCrash }: Of<'started'>): Sentence {
  const what = `strategies ${strategies.join(', ')} on accounts ${accounts.join(', ')}`;
  return isAfterCrash
    ? { kind: 'bot', level: 'warning', text: `The bot recovered: the process before this one ended without a shutdown. It trades again: ${what}.` } // prettier-ignore
    : { kind: 'bot', level: 'info', text: `The bot started: ${what}.` };
}

function fill(event: Of<'fill'>): Sentence {
  const { side, quantity, symbol, price, fee, feeCurrency, clientOrderId } = event;
  const did = side === 'buy' ? 'bought' : 'sold';
  return {
    kind: 'fill',
    level: 'info',
    text: `${whose(event)} ${did} ${quantity} ${symbol} at ${price}, fee ${fee} ${feeCurrency} (order ${clientOrderId}).`,
  };
}

/** Margin account events to notify of; funding, interest and settings are not included. */
const MARGIN_LEVELS: Readonly<Partial<Record<Of<'margin'>['what'], NotificationLevel>>> = {
  marginCall: 'urgent',
  liquidated: 'urgent',
  deleveraged: 'urgent',
  settled: 'warning',
  changedByOthers: 'warning',
  recovered: 'info',
};

function margin(event: Of<'margin'>): Sentence | undefined {
  const level = MARGIN_LEVELS[event.what];
  if (level === undefined) return undefined;
  return { kind: 'margin', level, text: `${whose(event)}: ${event.text}.` };
}

function day({ account, date, result, strategies, traded }: Of<'day'>): Sentence {
  const parts = [
    `result ${amounts(result)}`,
    ...(traded === undefined
      ? ['fills and fees unknown']
      : [`fills ${traded.fills}`, `fees ${amounts(traded.fees, 'none')}`]),
    ...strategies.map((one) => `strategy ${one.name} ${amounts(one.result)}`),
  ];
  return {
    kind: 'summary',
    level: 'info',
    text: `Account ${account} on ${date} (UTC): ${parts.join('; ')}.`,
  };
}

function amounts(of: Readonly<Record<string, string>>, none = 'unknown'): string {
  const entries = Object.entries(of);
  if (entries.length === 0) return none;
  return entries.map(([currency, amount]) => `${amount} ${currency}`).join(', ');
}
