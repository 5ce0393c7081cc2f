import { describe, expect, test } from 'vitest';
import { US_PER_SECOND } from '../../../../src/platform/time.ts';
import { marketBench } from './listener.ts';
import { Service, until } from './service.ts';

const FRAME = { ch: 'trades', update: {} };

describe('a silent socket', () => {
  test('is pinged, and is alive when it answers', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    pass(5 * US_PER_SECOND - 1);
    expect(service.peer.pings).toBe(0);
    for (let beats = 1; beats <= 5; beats += 1) {
      pass(beats === 1 ? 1 : 5 * US_PER_SECOND);
      await until(() => {
        expect(service.peer.pings).toBe(beats);
      });
      // The answer is behind the ping, and this behind the answer.
      await socket.subscribe('trades', { symbols: ['BTCUSDT'] });
    }
    expect(ear.states).toEqual(['connecting', 'live']);
  });

  test('is dead when it does not, and another takes its place', async () => {
    const service = await Service.open({ pongs: false });
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    pass(5 * US_PER_SECOND);
    await until(() => {
      expect(service.peer.pings).toBe(1);
    });
    pass(5 * US_PER_SECOND - 1);
    expect(socket.state).toBe('live');
    pass(1);
    expect(ear.states).toEqual(['connecting', 'live', 'lost']);
    expect(ear.whys[0]).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/silent for 10 s and did not answer a ping/),
    });
    pass(US_PER_SECOND);
    await ear.hears('live', 2);
  });

  test('is dead too where its other end is gone without a word', async () => {
    const service = await Service.open();
    const { socket, ear, pass } = marketBench(service.url);
    await socket.open();
    service.peer.raw.pause();
    pass(5 * US_PER_SECOND);
    pass(5 * US_PER_SECOND);
    expect(ear.states).toEqual(['connecting', 'live', 'lost']);
  });
});

test('any message counts as alive, and needs no ping', async () => {
  const service = await Service.open({ pongs: false });
  const { socket, ear, pass } = marketBench(service.url);
  await socket.open();
  for (let i = 1; i <= 20; i += 1) {
    pass(4 * US_PER_SECOND);
    if (i % 2 === 0) service.peer.send(FRAME);
    else service.peer.raw.ping();
    await until(() => {
      expect([ear.reported.length, service.peer.pongs]).toEqual([
        Math.floor(i / 2),
        Math.ceil(i / 2),
      ]);
    });
  }
  expect(service.peer.pings).toBe(0);
  expect(ear.states).toEqual(['connecting', 'live']);
});

test(
  'the pings of the service are answered',
  { tags: ['client:trading-v3.stream-public.keepalive-ping'] },
  async () => {
    const service = await Service.open();
    const { socket } = marketBench(service.url);
    await socket.open();
    const answered = new Promise<string>((resolve) => {
      service.peer.raw.once('pong', (data: Buffer) => {
        resolve(data.toString());
      });
    });
    service.peer.raw.ping('are you there');
    expect(await answered).toBe('are you there');
  },
);
