import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { instrumentOf } from './instruments.ts';

export const eventsMeta = (changes: Partial<RecordingMeta> = {}): RecordingMeta => ({
  layout: 'events',
  instrument: instrumentOf().terms,
  provenance: { importer: 'test', sources: [], synthetic: true, notes: [] },
  ...changes,
});

export const candlesMeta = (): RecordingMeta => eventsMeta({ layout: 'candles', period: 'M1' });
