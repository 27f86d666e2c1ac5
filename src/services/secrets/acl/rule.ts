import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { messageOf } from '../../core/errors.ts';
import { parseLifetime } from '../model/ttl.ts';
import type { Parameters } from './parameters.ts';
import { hasBalancedTemplates } from './path-templates.ts';

export const capabilities = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'scan',
  'recover',
  'sudo',
  'deny',
] as const;
export type Capability = (typeof capabilities)[number];

/** The older field `policy` of a stanza, which adds capabilities. */
const shorthands: Readonly<Record<string, readonly Capability[]>> = {
  deny: ['deny'],
  read: ['read', 'list'],
  write: ['create', 'read', 'update', 'delete', 'list'],
  sudo: ['create', 'read', 'update', 'delete', 'list', 'sudo'],
};

/** One `path` stanza. */
export interface Rule extends Limits {
  /** Without leading slash; `+` is one segment, a final `*` anything, `{{…}}` a value of the caller's identity. */
  readonly path: string;
  readonly capabilities: readonly Capability[];
}

interface Limits {
  /** Limits of the lifetime of wrapped responses in seconds; with one of them, responses must be wrapped. */
  readonly minWrappingTtl?: number;
  readonly maxWrappingTtl?: number;
  readonly allowedParameters?: Parameters;
  readonly deniedParameters?: Parameters;
  readonly requiredParameters?: readonly string[];
  readonly paginationLimit?: number;
  /** Milliseconds since 1970, after which the stanza has no effect. */
  readonly expires?: number;
}

type Invalid = (message: string) => Error;

/** The fields of a stanza besides `capabilities` and `policy`. */
const limitReaders = {
  comment: () => ({}),
  min_wrapping_ttl: (value) => ({ minWrappingTtl: wrappingTtl(value) || undefined }),
  max_wrapping_ttl: (value) => ({ maxWrappingTtl: wrappingTtl(value) || undefined }),
  allowed_parameters: (value) => ({ allowedParameters: parameters(value) }),
  denied_parameters: (value) => ({ deniedParameters: parameters(value) }),
  required_parameters: (value) => ({ requiredParameters: texts(value) }),
  pagination_limit: (value) => ({ paginationLimit: positive(value) }),
  expiration: (value) => ({ expires: time(value) }),
} as const satisfies Readonly<Record<string, (value: Json) => { [K in keyof Limits]?: unknown }>>;

/** Whether a stanza may have the field, besides `capabilities` and `policy`. */
export const isLimitField = (name: string): boolean => Object.hasOwn(limitReaders, name);

/**
 * Makes a rule of the parts of a stanza.
 *
 * @param fields the fields besides `capabilities` and `policy`, each one for which `isLimitField`.
 * @throws Error made by `invalid`, with the cause
 */
export function createRule(
  path: string,
  list: readonly Json[],
  fields: readonly (readonly [string, Json])[],
  invalid: Invalid,
): Rule {
  if (!hasBalancedTemplates(path))
    throw invalid('failed to validate policy templating: unbalanced templating characters');
  const relativePath = path.startsWith('/') ? path.slice(1) : path;
  if (relativePath.includes('+*'))
    throw invalid(`path "${path}": invalid use of wildcards ('+*' is forbidden)`);
  const parsed = list.map((value) => {
    const capability = capabilities.find((each) => each === value);
    if (capability) return capability;
    throw invalid(`path "${path}": invalid capability${typeof value === 'string' ? ` "${value}"` : ''}`);
  });
  const limits: Limits = Object.assign(
    {},
    ...fields.map(([name, value]) => read(path, name, value, invalid)),
  );
  const { minWrappingTtl: min = 0, maxWrappingTtl: max = 0 } = limits;
  if (min > 0 && max > 0 && max < min) throw invalid('max_wrapping_ttl cannot be less than min_wrapping_ttl');
  return { path: relativePath, capabilities: parsed, ...limits };
}

function read(path: string, name: string, value: Json, invalid: Invalid): object {
  const reader: ((value: Json) => object) | undefined = limitReaders[name as keyof typeof limitReaders];
  try {
    return reader?.(value) ?? {};
  } catch (error) {
    const cause = messageOf(error);
    throw invalid(
      name.endsWith('_ttl') ? `error parsing ${name}: ${cause}` : `path "${path}": invalid ${name}: ${cause}`,
    );
  }
}

/** The capabilities of the older field `policy`. @throws Error made by `invalid`: another word */
export function readShorthand(path: string, policy: Json, invalid: Invalid): readonly Capability[] {
  const granted =
    typeof policy === 'string' && Object.hasOwn(shorthands, policy) ? shorthands[policy] : undefined;
  if (granted) return granted;
  throw invalid(`path "${path}": invalid policy${typeof policy === 'string' ? ` "${policy}"` : ''}`);
}

function wrappingTtl(value: Json): number {
  if (typeof value === 'object') throw new Error('expected a duration');
  return parseLifetime(String(value));
}

function parameters(value: Json): Parameters {
  if (!isObject(value)) throw new Error('expected an object with a list of values for each parameter');
  return new Map(
    Object.entries(value).map(([parameter, values]) => {
      if (!Array.isArray(values)) throw new Error(`expected a list of values for ${parameter}`);
      return [parameter.toLowerCase(), values] as const;
    }),
  );
}

function texts(value: Json): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Error('expected a list of names');
}

function positive(value: Json): number | undefined {
  const number = /^-?\d+$/.test(String(value)) ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw new Error('expected a number');
  return number > 0 ? number : undefined;
}

/** RFC 3339, or seconds since 1970. */
function time(value: Json): number {
  const text = String(value);
  const parsed = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const isTime = /^\d+$/.test(text) || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isTime || Number.isNaN(parsed)) throw new Error('could not parse string as date and time');
  return parsed;
}
