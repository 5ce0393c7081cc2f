import { decoded, type Decoded } from '../../../../wire/trading/faults.ts';
import { method, type RpcRequest } from '../../../../wire/trading/rpc.ts';
import { readChannel } from '../../../../wire/trading/v3/streams/channels.ts';
import { subscription, subscriptionResult } from '../../../../wire/trading/v3/streams/market.ts';
import { part, reply, type MethodHandlers, type ClientSession } from '../part.ts';
import { endedKeys, keysOf, withTarget } from './public/subscription.ts';
import type { RequestedChannel } from './public/channels.ts';
import { PublicMethodsV3 } from './public/methods.ts';

const row = (summary: string) =>
  method({ access: 'public', summary, params: subscription, result: subscriptionResult });

const METHODS = {
  subscribe: row('Follow symbols on a channel'),
  unsubscribe: row('Stop'),
  subscriptions: row('What is followed on a channel'),
} as const;

function askedOf({ ch }: RpcRequest): Decoded<RequestedChannel & { readonly ch: string }> {
  const channel = readChannel(ch);
  return channel.kind === 'fault' ? channel : decoded({ ch: ch ?? '', channel: channel.value });
}

const handlers: MethodHandlers<typeof METHODS, PublicMethodsV3> = {
  subscribe: (methods, params, request) => {
    const { service } = methods.streams;
    const channel = askedOf(request);
    if (channel.kind === 'fault') return channel;
    const asked = withTarget(service, channel.value, params);
    if (asked.kind === 'fault') return asked;
    const keys = keysOf(service, asked.value, params);
    if (keys.kind === 'fault') return keys;
    const result = { ch: channel.value.ch, subscriptions: keys.value };
    return reply(result, () => {
      service.look();
      methods.follow(asked.value, keys.value, params.limit);
    });
  },
  unsubscribe: (methods, params, request) => {
    const asked = askedOf(request);
    if (asked.kind === 'fault') return asked;
    const { ch } = asked.value;
    methods.end(ch, endedKeys(asked.value, params, methods.followed(ch)));
    return reply({ ch, subscriptions: methods.followed(ch) });
  },
  subscriptions: (methods, _params, request) => {
    const asked = askedOf(request);
    if (asked.kind === 'fault') return asked;
    const { ch } = asked.value;
    return reply({ ch, subscriptions: methods.followed(ch) });
  },
};

/** The market data socket of version 3. Its replies have no `jsonrpc` member. */
export const v3Public = part({
  methods: METHODS,
  open: (session: ClientSession) => new PublicMethodsV3(session),
  handlers,
  bare: true,
});
