/** What `millrace/feeds` exports: recordings for programs, to read, write and import them. */
export {
  importRecording,
  openRecording,
  writeRecording,
  type ImportInput,
  type OpenRecording,
  type RecordingAbout,
  type SpanInput,
  type TimeInput,
} from './feeds/library/recordings.ts';
export { defineImporter, type Importer } from './feeds/library/importer.ts';
export type {
  BookEvent,
  CandleEvent,
  EventInMessage,
  EventTimes,
  FeedEvent,
  FundingEvent,
  LevelEvent,
  QuoteEvent,
  ReadingEvent,
  TradeEvent,
} from './feeds/library/event.ts';
export type {
  ImportCounts,
  ImportGap,
  ImportOptions,
  ImportReport,
  SkippedSnapshot,
} from './feeds/importers/contract.ts';
export type { TimeUnit } from './feeds/importers/timestamp.ts';
export type { Field, Mapping, RowKind } from './feeds/importers/layout.ts';
export type { LayoutName } from './feeds/importers/layouts.ts';
export type { KnownTerms } from './feeds/importers/terms.ts';
export type { FormatName } from './feeds/importers/formats.ts';
export type {
  CandlePrices,
  DerivativeCounts,
  JsonValue,
  Layout,
  Part,
  Provenance,
  RecordingMeta,
  RecordingSummary,
  SourceFile,
} from './feeds/recording.ts';
export { MillraceError, type ErrorCode, type ErrorDetails } from './model/errors.ts';
export type { EventColumns } from './model/events.ts';
export type { InstrumentTerms } from './model/instrument.ts';
export type { Period, PeriodName } from './model/period.ts';
