import { ValidationError } from './validation-error.js';

/**
 * Reads settings such as `rate=5%; seed=7`. Numbers become numbers.
 *
 * @throws {ValidationError} for an unknown or repeated name, and for a part without a value.
 */
export function readSettings(text: string, names: readonly string[]): Record<string, number | string> {
  const settings: Record<string, number | string> = {};
  const fits = names.map((name) => `${name}=...`);
  for (const part of text.split(';').map((one) => one.trim())) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    if (!names.includes(name) || value === '' || rest.length > 0) {
      throw new ValidationError(`\`${part.slice(0, 80)}\` is not a setting.`, fits);
    }
    if (name in settings) throw new ValidationError(`\`${name}\` must not be repeated.`, fits);
    settings[name] = /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  }
  return settings;
}
