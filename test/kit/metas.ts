import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { instrumentOf } from './instruments.ts';

export const eventsMeta = (changes: Partial<RecordingMeta> = {}): RecordingMeta => ({
  layout: 'events',
  instrument: instrumentOf().terms,
  provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
  ...changes,
});

export const candlesMeta = (): RecordingMeta => eventsMeta({ layout: 'candles', period: 'M1' });

/** Terms of a perpetual. */
export const FUTURES = instrumentOf({ type: 'futures', contractType: 'perpetual' }).terms;

/** Events of a derivative, which may hold mark prices, funding and the like. */
export const derivativesMeta = (changes: Partial<RecordingMeta> = {}): RecordingMeta =>
  eventsMeta({ instrument: FUTURES, derivatives: true, ...changes });
