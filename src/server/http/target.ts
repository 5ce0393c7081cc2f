/** Path and query of a request as they were sent, percent-encoded. */
export interface Target {
  readonly path: string;
  /** Without `?`; empty if there is none. */
  readonly query: string;
}

/** Splits the target of a request line; a host, as sent to a proxy, is removed. */
export function targetOf(url: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, query: '' };
  return { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** A path without the slashes at its end. */
export const withoutEndSlash = (path: string): string => {
  let end = path.length;
  while (end > 1 && path.codePointAt(end - 1) === 0x2f) end -= 1;
  return path.slice(0, end);
};
