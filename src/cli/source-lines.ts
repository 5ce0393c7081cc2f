import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A source location in a stack: `file:///folder/chunk.js:12:34`. */
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * A stack with locations in the sources instead of the build. Node could do it for every stack, but reads
 * the maps of all files for that when it loads them.
 */
export function withSourceLines(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) maps.set(url, mapOf(url));
    // A map counts from 0, a stack from 1.
    const found = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return place;
    const { originalSource, originalLine, originalColumn } = found;
    const source = fileURLToPath(new URL(originalSource, url));
    return `${source}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

/** The map beside a built file; none if it cannot be read. */
function mapOf(url: string): SourceMap | undefined {
  try {
    const text = readFileSync(fileURLToPath(`${url}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
