import type { Template } from 'liquidjs';
import type { Json } from '../../wire/json.ts';
import { isObject } from '../../wire/objects.ts';

/** A value that a template needs: `"secret/app/db" | kv: version: 3`. */
export interface ValueRequest {
  /** The name of the filter. */
  readonly source: string;
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
}

/** Tags whose content is rendered in any case, or for each item of a list. */
const transparentTags: readonly string[] = ['for', 'capture'];

/**
 * The requests of a template that are known before it is rendered, so that they can be sent at once: those whose name
 * and options are constants, except within conditions.
 */
export function constantRequests(templates: readonly Template[], sources: readonly string[]): ValueRequest[] {
  return templates.flatMap((template) => {
    const own = [...(template.arguments?.() ?? [])].flatMap((argument) => requestsIn(argument, sources));
    const { name } = template.token as { readonly name?: string };
    if (name === undefined || !transparentTags.includes(name)) return own;
    const children = template.children?.(false, true).next().value;
    return [...own, ...constantRequests(Array.isArray(children) ? children : [], sources)];
  });
}

/** The requests in a value of the parser: an expression, or an expression with filters. */
function requestsIn(value: unknown, sources: readonly string[]): ValueRequest[] {
  if (!isObject(value)) return [];
  const operands: readonly unknown[] =
    isObject(value.initial) && Array.isArray(value.initial.postfix) ? value.initial.postfix : [];
  const inner = [...operands, value.variable].flatMap((operand) => requestsIn(operand, sources));
  const [operand, ...more] = operands;
  const [filter] = Array.isArray(value.filters) ? value.filters : [];
  if (more.length > 0 || !isObject(operand) || !isObject(filter)) return inner;
  const { name, args } = filter;
  if (typeof operand.content !== 'string' || typeof name !== 'string' || !sources.includes(name))
    return inner;
  const options = constantOptions(args);
  return options ? [...inner, { source: name, name: operand.content, options }] : inner;
}

function constantOptions(args: unknown): Record<string, Json> | undefined {
  const entries = (Array.isArray(args) ? args : []).map((pair: unknown) => {
    const [name, token] = Array.isArray(pair) ? pair : [];
    const content = isObject(token) ? token.content : undefined;
    return typeof name === 'string' && isScalar(content) ? ([name, content] as const) : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
