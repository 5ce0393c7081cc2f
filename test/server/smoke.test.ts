import { expect, test } from 'vitest';
import { openVenue } from './kit.ts';

test('a path that nobody serves is answered in the shape of the service', async () => {
  const venue = await openVenue();
  const { status, body } = await venue.call('GET', '/api/3/nothing');
  expect(status).toBe(404);
  expect(body).toMatchObject({ error: { code: 800 } });
});
