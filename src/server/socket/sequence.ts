type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Rewrites a frame of market data as if `more` sequence numbers had been skipped before it. `skipped`
 * counts the skipped ones, by topic and symbol. Frames without a sequence stay unchanged.
 */
export function leaveOut(
  text: string,
  topic: string,
  more: number,
  skipped: Map<string, number>,
): string {
  const frame = JSON.parse(text) as unknown;
  if (!isObject(frame)) return text;
  let isMoved = false;
  const moved = (record: Json, symbol: string, member: 's' | 'sequence'): Json => {
    const sequence = record[member];
    if (typeof sequence !== 'number') return record;
    const key = `${topic} ${symbol}`;
    const gap = (skipped.get(key) ?? 0) + more;
    if (gap === 0) return record;
    skipped.set(key, gap);
    isMoved = true;
    return { ...record, [member]: sequence + gap };
  };
  const written = Object.fromEntries(
    Object.entries(frame).map(([part, content]) => {
      if (!isObject(content)) return [part, content];
      if (part === 'params') return [part, moved(content, String(content['symbol']), 'sequence')];
      const bySymbol = Object.entries(content).map(([symbol, record]) => [
        symbol,
        isObject(record) ? moved(record, symbol, 's') : record,
      ]);
      return [part, Object.fromEntries(bySymbol)];
    }),
  );
  return isMoved ? JSON.stringify(written) : text;
}
