import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BotMetrics } from '../../../src/bot/control/metrics/metrics.ts';
import { readBotConfig } from '../../../src/cli/bot-config.ts';
import { program } from '../../../src/cli/program.ts';
import { SmallBot } from '../../bot/control/small-bot.ts';

const read = (name: string): string => readFileSync(join('deploy', name), 'utf8');

const nowhere = new Writable({
  write(_chunk, _encoding, done) {
    done();
  },
});
const root = program({ out: nowhere, err: nowhere, env: {}, signals: process });

/** Fails unless words are a command of millrace with options that it has. */
function expectCommand([name, ...rest]: readonly string[]): void {
  const command = root.commands.find((each) => each.name() === name);
  expect(command?.name()).toBe(name);
  const known = command?.options.map(({ long }) => long) ?? [];
  for (const option of rest.filter((word) => word.startsWith('--')))
    expect(known).toContain(option);
}

const seconds = (text: string | undefined): number => Number(/^(\d+)s?$/.exec(text ?? '')?.[1]);

describe('deploy/millrace.service', () => {
  const text = read('millrace.service');
  const values = (key: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  test('runs commands that there are', () => {
    const started = [...values('ExecStartPre'), ...values('ExecStart')];
    expect(started).toHaveLength(2);
    for (const line of started) {
      const [binary = '', ...words] = line.split(' ');
      expect(binary.endsWith('/millrace')).toBe(true);
      expectCommand(words);
    }
    const [page = ''] = values('Documentation');
    expect(existsSync(page.replace(/^.*\/node_modules\/millrace\//, ''))).toBe(true);
  });

  test('always starts the bot again, and lets it take the time that it may need to end', async () => {
    const { settings } = await readBotConfig('config/bot.yaml', {});
    expect(values('Restart')).toEqual(['always']);
    expect(values('KillSignal')).toEqual(['SIGTERM']);
    const grace = 5;
    expect(seconds(values('TimeoutStopSec').at(0))).toBeGreaterThan(
      settings.shutdown.withinUs / 1e6 + grace,
    );
  });

  test('is one that systemd understands, where there is systemd', (context) => {
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', 'deploy/millrace.service'], {
      encoding: 'utf8',
    });
    if (error !== undefined) {
      context.skip('there is no systemd here');
      return;
    }
    // That its program and user are not installed here is no fault of the unit.
    const faults = stderr
      .split('\n')
      .filter((line) => line !== '' && !/not executable|No such file|does not exist/.test(line));
    expect(faults.filter((line) => line.includes('millrace.service'))).toEqual([]);
  });
});

describe('deploy/Dockerfile', () => {
  const text = read('Dockerfile');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly bin: { readonly millrace: string };
    readonly scripts: Readonly<Record<string, string>>;
  };

  test('copies what there is, and starts what is built', () => {
    const sources = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) expect(existsSync(source), source).toBe(true);
    const built = [...text.matchAll(/^COPY --from=build \/build\/(\S+)/gm)].map(
      ([, name = '']) => name,
    );
    const [, entry = ''] = /^ENTRYPOINT \["node", "\/opt\/millrace\/(.*)"\]$/m.exec(text) ?? [];
    expect(entry).toBe(normalize(manifest.bin.millrace));
    expect(built).toContain(entry.split('/')[0]);
    expect(built).toContain('dist');
    for (const [, script = ''] of text.matchAll(/npm run (\w+)/g))
      expect(manifest.scripts).toHaveProperty(script);
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(text) ?? [];
    expectCommand(JSON.parse(command) as string[]);
  });

  test('runs as an unprivileged user, has a health check at its address, and gets SIGTERM', async () => {
    const { control } = await readBotConfig('deploy/bot.yaml', {});
    expect(text).toMatch(/^USER node$/m);
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(text).toContain(`fetch('http://127.0.0.1:${control.port}/healthz')`);
    expect(text).toMatch(new RegExp(`^EXPOSE ${control.port}$`, 'm'));
  });
});

describe('deploy/compose.yaml', () => {
  const compose = parse(read('compose.yaml')) as {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly volumes: string[];
          readonly ports: string[];
          readonly build?: { readonly context: string; readonly dockerfile: string };
          readonly stop_grace_period?: string;
        }
      >
    >;
  };

  test('mounts and builds from files that there are', () => {
    const { bot, prometheus } = compose.services;
    for (const volume of [...bot.volumes, ...prometheus.volumes]) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) expect(existsSync(join('deploy', source)), source).toBe(true);
    }
    expect(existsSync(join('deploy', bot.build?.context ?? '', bot.build?.dockerfile ?? ''))).toBe(
      true,
    );
    for (const port of [...bot.ports, ...prometheus.ports]) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('names commands that there are, and gives the bot time to end', async () => {
    const [, command = ''] = /millrace\.js (status .*)$/m.exec(read('compose.yaml')) ?? [];
    expectCommand(command.split(' '));
    const { settings } = await readBotConfig('deploy/bot.yaml', {});
    expect(seconds(compose.services['bot'].stop_grace_period)).toBeGreaterThan(
      settings.shutdown.withinUs / 1e6 + 5,
    );
  });
});

test('Prometheus asks the bot by a name that it takes, for metrics that there are', async () => {
  const { control } = await readBotConfig('deploy/bot.yaml', {});
  const prometheus = parse(read('prometheus.yaml')) as {
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly {
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }[];
  };
  const targets = prometheus.scrape_configs.flatMap((one) =>
    one.static_configs.flatMap((each) => each.targets),
  );
  expect(targets).toEqual(control.hosts.map((host) => `${host}:${control.port}`));
  for (const file of prometheus.rule_files) expect(existsSync(join('deploy', file))).toBe(true);

  const metrics = await new BotMetrics({ bot: 'b', mode: 'live', version: '1' }).text(
    new SmallBot(),
  );
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  const named = (text: string): readonly string[] =>
    [...text.matchAll(/\b((?:millrace|nodejs|process)_[a-z0-9_]+)/g)].map(([, name = '']) =>
      name.replace(/_bucket$/, ''),
    );
  const rules = parse(read('alerts.yaml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const inAlerts = rules.groups.flatMap((group) => group.rules.flatMap(({ expr }) => named(expr)));
  expect(inAlerts.length).toBeGreaterThan(8);
  expect(inAlerts.filter((name) => !known.has(name))).toEqual([]);

  const page = readFileSync('docs/operating-a-bot.md', 'utf8');
  const ours = [...known].filter((name) => name.startsWith('millrace_'));
  expect(ours.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(
    named(page.replace(/_…/g, '')).filter(
      (name) => name.startsWith('millrace_') && !known.has(name),
    ),
  ).toEqual([]);
});
