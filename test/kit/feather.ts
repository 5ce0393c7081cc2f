import {
  type CompressionType,
  float64,
  int64,
  tableFromArrays,
  tableToIPC,
  timestamp,
  TimeUnit,
  utf8,
} from '@uwdata/flechette';

/** A Feather file of candles, or of trades. */
export function featherOf(
  columns: Readonly<Record<string, readonly unknown[]>>,
  unit: (typeof TimeUnit)[keyof typeof TimeUnit] = TimeUnit.MILLISECOND,
  codec: (typeof CompressionType)[keyof typeof CompressionType] | null = null,
): Uint8Array {
  const types = {
    date: timestamp(unit, 'UTC'),
    timestamp: int64(),
    id: utf8(),
    type: utf8(),
    side: utf8(),
  } as const;
  const table = tableFromArrays({ ...columns } as Record<string, unknown[]>, {
    types: Object.fromEntries(
      Object.keys(columns).map((name) => [name, types[name as 'date'] ?? float64()]),
    ),
  });
  const bytes = tableToIPC(table, { format: 'file', ...(codec === null ? {} : { codec }) });
  if (bytes === null) throw new TypeError('Nothing was written.');
  return bytes;
}
