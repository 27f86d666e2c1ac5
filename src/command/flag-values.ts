import { usage } from '../errors.ts';
import { parseDuration, withoutDays } from '../wire/duration.ts';

/** The parts of `A,B`, without empty ones. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** @throws LanyardError usage */
export function parseInteger(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw usage(`invalid ${name} "${text}": expected a non-negative integer`);
  return Number(text);
}

/** A Go duration with a unit. @throws LanyardError usage */
export function parseDurationFlag(given: string, name: string): string {
  const text = withoutDays(given).trim();
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 0 || text === '')
    throw usage(`invalid ${name} "${given}": expected a duration such as 30s, 1h30m, 7d or 90 (seconds)`);
  return /^\d+(\.\d+)?$/.test(text) ? `${text}s` : text;
}

/** The map of `K=V`, undefined without any. @throws LanyardError usage */
export function parseMap(
  values: readonly string[],
  name: string,
  form: string,
): Readonly<Record<string, string>> | undefined {
  if (values.length === 0) return undefined;
  const map = new Map<string, string>();
  for (const text of values) {
    const equalsIndex = text.indexOf('=');
    const key = equalsIndex < 0 ? text : text.slice(0, equalsIndex);
    if (key === '' || (equalsIndex < 0 && !form.includes('[=')))
      throw usage(`invalid ${name} "${text}": expected ${form}`);
    const value = equalsIndex < 0 ? '' : text.slice(equalsIndex + 1);
    if ((map.get(key) ?? value) !== value) throw usage(`${name}: conflicting values for "${key}"`);
    map.set(key, value);
  }
  return Object.fromEntries(map);
}

/** @throws LanyardError usage */
export function parseChoice<Choice extends string>(
  choices: readonly Choice[],
  value: string,
  name: string,
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw usage(`invalid ${name} "${value}": expected one of ${choices.join(', ')}`);
  return found;
}
