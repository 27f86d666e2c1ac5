import { goBoolean } from '../go-boolean.ts';
import type { Field } from './fields.ts';

export type Coerced = string | boolean | bigint;

const integer =
  /^([+-]?)(0[xX]_?[\da-fA-F](?:_?[\da-fA-F])*|0[bB]_?[01](?:_?[01])*|0[oO]?_?[0-7](?:_?[0-7])*|0|[1-9](?:_?\d)*)$/;

/** A value of an expression as the type of a field; a problem in the words of Go. */
export function coerce(
  kind: Field['kind'],
  text: string,
): { readonly value: Coerced; readonly problem?: string } {
  if (kind === 'flag') {
    const value = goBoolean(text);
    if (value !== undefined) return { value };
    return { value: false, problem: `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax` };
  }
  return kind === 'number' ? toInteger(text) : { value: text };
}

function toInteger(text: string): ReturnType<typeof coerce> {
  const problem = (what: string) => ({
    value: 0n,
    problem: `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${what}`,
  });
  const [, sign, digits] = integer.exec(text) ?? [];
  if (digits === undefined) return problem('invalid syntax');
  const plain = digits.replaceAll('_', '');
  const magnitude = BigInt(/^0\d/.test(plain) ? `0o${plain.slice(1)}` : plain);
  const value = sign === '-' ? -magnitude : magnitude;
  return value < -(2n ** 63n) || value >= 2n ** 63n ? problem('value out of range') : { value };
}
