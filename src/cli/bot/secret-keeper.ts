import type { PlacedConfig } from '../../config/document.ts';
import { findSecret, type Environment, type SecretPlace } from './secret.ts';

/** Finds secrets and remembers them. */
export class SecretKeeper {
  readonly secrets: string[] = [];
  readonly warnings: string[] = [];
  readonly #config: PlacedConfig<unknown>;
  readonly #environment: Environment;

  constructor(config: PlacedConfig<unknown>, environment: Environment) {
    this.#config = config;
    this.#environment = environment;
  }

  find(place: SecretPlace, path: readonly string[]): string {
    const found = findSecret(place, this.#environment, this.#config.where(path));
    this.secrets.push(found.text);
    if (found.warning !== undefined) this.warnings.push(found.warning);
    return found.text;
  }
}
