import { prettyFactory } from 'pino-pretty';

/** Formats JSON lines for people, in colours if `colorize`. */
export function forPeople(colorize: boolean): (line: string) => string {
  const show = prettyFactory({ colorize, ignore: 'bot', translateTime: 'SYS:HH:MM:ss.l' });
  return (line) => show(line) ?? line;
}
