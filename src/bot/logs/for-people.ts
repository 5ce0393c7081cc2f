import { prettyFactory } from 'pino-pretty';

/** Makes lines to read of lines of JSON, in colours where `colorize` says so. */
export function forPeople(colorize: boolean): (line: string) => string {
  const show = prettyFactory({ colorize, ignore: 'bot', translateTime: 'SYS:HH:MM:ss.l' });
  return (line) => show(line) ?? line;
}
