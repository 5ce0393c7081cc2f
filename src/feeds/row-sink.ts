/** What takes the rows of a feed: a `RecordingWriter`, or a test. The columns are `EventColumns`'. */
export interface RowSink {
  row(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    open: number,
  ): void;
}
