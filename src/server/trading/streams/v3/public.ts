import { decoded, type Decoded } from '../../../../wire/trading/faults.ts';
import { method, type RpcRequest } from '../../../../wire/trading/rpc.ts';
import { readChannel } from '../../../../wire/trading/v3/streams/channels.ts';
import { subscription, subscriptionResult } from '../../../../wire/trading/v3/streams/market.ts';
import { part, reply, type MethodHandlers } from '../part.ts';
import { endedKeys, keysOf, withTarget } from './public/asking.ts';
import type { Asked } from './public/channels.ts';
import { PublicDesk } from './public/desk.ts';

const row = (summary: string) =>
  method({ access: 'public', summary, params: subscription, result: subscriptionResult });

const METHODS = {
  subscribe: row('Follow symbols on a channel'),
  unsubscribe: row('Stop'),
  subscriptions: row('What is followed on a channel'),
} as const;

function askedOf({ ch }: RpcRequest): Decoded<Asked & { readonly ch: string }> {
  const channel = readChannel(ch);
  return channel.kind === 'fault' ? channel : decoded({ ch: ch ?? '', channel: channel.value });
}

const handlers: MethodHandlers<typeof METHODS, PublicDesk> = {
  subscribe: (desk, params, request) => {
    const { service } = desk.streams;
    const channel = askedOf(request);
    if (channel.kind === 'fault') return channel;
    const asked = withTarget(service, channel.value, params);
    if (asked.kind === 'fault') return asked;
    const keys = keysOf(service, asked.value, params);
    if (keys.kind === 'fault') return keys;
    const result = { ch: channel.value.ch, subscriptions: keys.value };
    return reply(result, () => {
      service.look();
      desk.follow(asked.value, keys.value, params.limit);
    });
  },
  unsubscribe: (desk, params, request) => {
    const asked = askedOf(request);
    if (asked.kind === 'fault') return asked;
    const { ch } = asked.value;
    desk.end(ch, endedKeys(asked.value, params, desk.followed(ch)));
    return reply({ ch, subscriptions: desk.followed(ch) });
  },
  subscriptions: (desk, _params, request) => {
    const asked = askedOf(request);
    if (asked.kind === 'fault') return asked;
    const { ch } = asked.value;
    return reply({ ch, subscriptions: desk.followed(ch) });
  },
};

/** The market data socket of version 3. Its replies have no `jsonrpc` member. */
export const v3Public = part({ methods: METHODS, handlers, Desk: PublicDesk, bare: true });
