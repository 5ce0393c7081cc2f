/** The oldest Node that runs Millrace, as in `engines` of package.json. */
export const NODE_MIN = '24.9';

/** Whether a version of Node is older than that. */
export function isNodeTooOld(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  const [majorMin, minorMin] = NODE_MIN.split('.').map(Number);
  return major < majorMin || (major === majorMin && minor < minorMin);
}
