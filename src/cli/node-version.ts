/** The oldest Node that runs Millrace, as package.json asks for it under `engines`. */
export const NODE_MIN = 24;

/**
 * What to do where Node is too old, in a sentence. An old Node has to understand this file, so that
 * it keeps to what Node 16 can read.
 */
export function nodeFault(version: string): string | undefined {
  const major = Number(version.split('.')[0]);
  if (major >= NODE_MIN) return undefined;
  return `Millrace needs Node ${NODE_MIN} or newer, and this is Node ${version}: install a newer one, or start millrace with it.`;
}
