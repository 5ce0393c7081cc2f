import { describe, expect, test } from 'vitest';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { VenueAccount } from '../../../src/gateways/venue-account.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { botRig, driven } from '../rig.ts';

/** A paper account whose truth the test has in its hand. */
const withSnapshot =
  (snapshot: (paper: PaperAccount, closed: Promise<void>) => VenueAccount['snapshot']) =>
  (paper: PaperAccount): VenueAccount => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const asked = snapshot(paper, closed);
    return new Proxy<VenueAccount>(paper, {
      get: (target, name) => {
        if (name === 'snapshot') return asked;
        if (name === 'close') {
          return async (): Promise<void> => {
            close();
            await target.close();
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };

describe('the comparison of journal and venue', () => {
  test('does not keep a bot from ending that waits for a venue which does not answer', async () => {
    let answers = true;
    const rig = await botRig({
      venue: withSnapshot((paper, closed) => async (since) => {
        if (answers) return paper.snapshot(since);
        await closed;
        throw new MillraceError('unreachable', 'The account is not open, so nothing left.');
      }),
    });
    answers = false;
    await rig.pass(31_000);
    const before = rig.clock.now();
    await driven(rig.bot.close(), rig.clock);
    expect(rig.clock.now() - before).toBeLessThan(1_000_000);
  });

  test('that cannot be made at the start keeps the bot from trading', async () => {
    const rejected = new MillraceError('service-refused', 'This key may not read orders.');
    await expect(
      botRig({ venue: withSnapshot(() => () => Promise.reject(rejected)) }),
    ).rejects.toMatchObject({ code: 'service-refused', message: rejected.message });
  });
});
