import { getOrCreate } from '../../../wire/maps.ts';

export interface RouteMatch<Handler> {
  /** By verb; a missing verb is not supported on this path. */
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly params: Readonly<Record<string, string>>;
}

interface RouteNode<Handler> {
  readonly literal: Map<string, RouteNode<Handler>>;
  /** `:name`, one segment. */
  param?: RouteNode<Handler>;
  /** `*name`, one segment or more to the end. */
  rest?: RouteNode<Handler>;
  readonly handlers: Map<string, Handler>;
  names: readonly string[];
}

const emptyNode = <Handler>(): RouteNode<Handler> => ({ literal: new Map(), handlers: new Map(), names: [] });

/**
 * A route table: pattern and verb to handler. A pattern is segments joined by `/`: literal text, `:name`
 * (one segment), or a final `*name` (the rest, joined by `/`). Literal text takes precedence over a
 * parameter, and a parameter over the rest.
 */
export class Router<Handler> {
  readonly #root = emptyNode<Handler>();
  /** The verbs and patterns as they were added: `PUT|POST v1/namespace`. */
  readonly routes: string[] = [];
  readonly handlers: Handler[] = [];

  /** @param verbs e.g. `PUT|POST` */
  on(verbs: string, pattern: string, handler: Handler): this {
    this.routes.push(`${verbs} ${pattern}`);
    this.handlers.push(handler);
    const names: string[] = [];
    let at = this.#root;
    for (const part of pattern.split('/')) {
      if (part.startsWith(':')) {
        names.push(part.slice(1));
        at.param ??= emptyNode();
        at = at.param;
      } else if (part.startsWith('*')) {
        names.push(part.slice(1));
        at.rest ??= emptyNode();
        at = at.rest;
      } else at = getOrCreate(at.literal, part, emptyNode<Handler>);
    }
    at.names = names;
    for (const verb of verbs.split('|')) at.handlers.set(verb, handler);
    return this;
  }

  find(segments: readonly string[]): RouteMatch<Handler> | undefined {
    const values: string[] = [];
    const match = search(this.#root, segments, 0, values);
    if (!match) return undefined;
    const params: Record<string, string> = {};
    match.names.forEach((name, index) => {
      params[name] = values[index] ?? '';
    });
    return { handlers: match.handlers, params };
  }
}

function search<Handler>(
  at: RouteNode<Handler>,
  segments: readonly string[],
  index: number,
  values: string[],
): RouteNode<Handler> | undefined {
  const segment = segments[index];
  if (segment === undefined) return at.handlers.size > 0 ? at : undefined;
  const literal = at.literal.get(segment);
  const match = literal && search(literal, segments, index + 1, values);
  if (match) return match;
  if (at.param) {
    values.push(segment);
    const descendant = search(at.param, segments, index + 1, values);
    if (descendant) return descendant;
    values.pop();
  }
  if (at.rest) values.push(segments.slice(index).join('/'));
  return at.rest;
}
