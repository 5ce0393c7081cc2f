import { SECRET_LENGTH_MIN } from '../../bot/logs/scrubber.ts';
import type { ConfigDocument } from '../../config/document.ts';
import { findSecret, hasSecret, type Environment, type SecretSource } from './secret.ts';

/** An account's name is no secret, and a passphrase is sent to nobody: short ones are usual. */
const OPEN: ReadonlySet<string> = new Set(['key', 'passphrase']);

/** Finds secrets and remembers them. */
export class SecretKeeper {
  readonly secrets: string[] = [];
  readonly warnings: string[] = [];
  readonly #config: ConfigDocument<unknown>;
  readonly #environment: Environment;

  constructor(config: ConfigDocument<unknown>, environment: Environment) {
    this.#config = config;
    this.#environment = environment;
  }

  /**
   * Key and secret at a path of the configuration. Optional ones are absent if neither is configured; one
   * without the other is a mistake (`secret-missing`).
   */
  credentials(
    { key, secret }: { readonly key: SecretSource; readonly secret: SecretSource },
    at: readonly string[],
    isNeeded: boolean,
  ): { readonly key: string; readonly secret: string } | undefined {
    const isThere = (source: SecretSource): boolean => hasSecret(source, this.#environment);
    if (!isNeeded && !isThere(key) && !isThere(secret)) return undefined;
    return { key: this.find(key, [...at, 'key']), secret: this.find(secret, [...at, 'secret']) };
  }

  /** The variables of a NATS server that are set. */
  nats(): Environment {
    const found = Object.entries(this.#environment).filter(([name]) => name.startsWith('NATS_'));
    for (const [name, text] of found) {
      const isSecret = ['NATS_TOKEN', 'NATS_PASSWORD'].includes(name);
      if (isSecret && text !== undefined && text !== '') this.#record(text, name);
    }
    return Object.fromEntries(found);
  }

  find(source: SecretSource, path: readonly string[]): string {
    const found = findSecret(source, this.#environment, this.#config.where(path));
    if (found.warning !== undefined) this.warnings.push(found.warning);
    this.#record(found.text, this.#config.where(path), !OPEN.has(path.at(-1) ?? ''));
    return found.text;
  }

  #record(secret: string, where: string, mayLeak = true): void {
    this.secrets.push(secret);
    if (!mayLeak || secret.length >= SECRET_LENGTH_MIN) return;
    this.warnings.push(
      `${where}: the secret has fewer than ${SECRET_LENGTH_MIN} characters, so logs and notifications do not hide it. Use a longer one.`,
    );
  }
}
