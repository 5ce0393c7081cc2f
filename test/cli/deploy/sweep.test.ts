import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { program } from '../../../src/cli/program.ts';

const nowhere = new Writable({
  write(_chunk, _encoding, done) {
    done();
  },
});
const worker = program({ out: nowhere, err: nowhere, env: {}, signals: process }).commands.find(
  (each) => each.name() === 'worker',
);

/** Fails unless words are a call of `millrace worker` with options that it has. */
function expectWorker([name, ...rest]: readonly string[]): void {
  expect(name).toBe('worker');
  const known = worker?.options.map(({ long }) => long) ?? [];
  const given = rest.filter((word) => word.startsWith('--'));
  expect(given.length).toBeGreaterThan(0);
  for (const option of given) expect(known).toContain(option);
  expect(given, 'a worker runs no code that it is sent').not.toContain('--accept-strategies');
}

interface Service {
  readonly command: string[];
  readonly volumes: string[];
  readonly ports?: string[];
  readonly environment?: Readonly<Record<string, string>>;
}

describe('deploy/sweep.compose.yaml', () => {
  const { services } = parse(readFileSync('deploy/sweep.compose.yaml', 'utf8')) as {
    readonly services: Readonly<Record<'nats' | 'worker', Service>>;
  };

  test('starts workers with a command that there is, from folders that there are', () => {
    expectWorker(services.worker.command);
    for (const volume of services.worker.volumes) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join('deploy', source)), source).toBe(true);
    }
  });

  test('starts the server with JetStream, on loopback alone, with a password of the environment', () => {
    expect(services.nats.command).toContain('-js');
    expect(services.nats.ports).toEqual(['127.0.0.1:4222:4222']);
    expect(services.nats.command.at(-1)).toMatch(/^\$\{NATS_PASSWORD:\?/);
    expect(services.worker.environment?.['NATS_PASSWORD']).toMatch(/^\$\{NATS_PASSWORD:\?/);
  });
});

describe('deploy/sweep.kubernetes.yaml', () => {
  const documents = parseAllDocuments(readFileSync('deploy/sweep.kubernetes.yaml', 'utf8')).map(
    (document) => document.toJS() as Record<string, never>,
  );
  const one = (kind: string): Record<string, never> => {
    const found = documents.filter((each) => (each['kind'] as string) === kind);
    expect(found).toHaveLength(1);
    return found[0];
  };

  interface Pod {
    readonly template: {
      readonly spec: {
        readonly containers: {
          readonly args: string[];
          readonly env: { readonly valueFrom?: object; readonly value?: string }[];
          readonly securityContext?: { readonly runAsNonRoot: boolean };
        }[];
      };
    };
  }
  const podOf = (kind: string): Pod['template']['spec']['containers'][number] =>
    (one(kind)['spec'] as Pod).template.spec.containers[0];

  test('starts workers with an existing command, as an unprivileged user', () => {
    const container = podOf('Deployment');
    expectWorker(container.args);
    expect(container.securityContext?.runAsNonRoot).toBe(true);
  });

  test('keeps credentials in a secret, for server and workers', () => {
    for (const kind of ['StatefulSet', 'Deployment']) {
      const { env } = podOf(kind);
      expect(env).toHaveLength(2);
      for (const each of env) {
        expect(each.value).toBeUndefined();
        expect(each.valueFrom).toHaveProperty('secretKeyRef.name', 'nats');
      }
    }
    expect(podOf('StatefulSet').args).toContain('-js');
  });
});
