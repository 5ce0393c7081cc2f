import type { Fault } from './source.ts';

/** Folders that exist on somebody's machine only. */
const MACHINE_PATH =
  /(?<![\w.:/~*})-])\/(?:home|root|work|tmp|mnt|Users|private\/var|var\/folders)\/[\w.-]+|\b[A-Z]:\\+Users\\/;

/** Paths of one machine in a file that every machine gets. */
export function machinePaths(path: string, text: string): Fault[] {
  return text.split('\n').flatMap((line, index) => {
    const match = MACHINE_PATH.exec(line);
    if (match === null) return [];
    const message = `${match[0]} is on one machine only. Use a path relative to the project, or tmpdir().`;
    return [{ where: `${path}:${index + 1}`, message }];
  });
}
