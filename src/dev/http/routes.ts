/** The match of a path in a route table. */
export interface Found<Handler> {
  /** By verb; a missing verb is not supported on this path. */
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Handler> {
  readonly literal: Map<string, Node<Handler>>;
  /** `:name`, one segment. */
  param?: Node<Handler>;
  /** `*name`, one segment or more to the end. */
  rest?: Node<Handler>;
  readonly handlers: Map<string, Handler>;
  names: readonly string[];
}

const node = <Handler>(): Node<Handler> => ({ literal: new Map(), handlers: new Map(), names: [] });

/**
 * A route table: pattern and verb to handler. A pattern is segments joined by `/`: literal text, `:name`
 * (one segment), or a final `*name` (the rest, joined by `/`). Literal text takes precedence over a
 * parameter, and a parameter over the rest.
 */
export class Routes<Handler> {
  readonly #root = node<Handler>();

  /** @param verbs e.g. `PUT|POST` */
  on(verbs: string, pattern: string, handler: Handler): this {
    const names: string[] = [];
    let at = this.#root;
    for (const part of pattern.split('/')) {
      if (part.startsWith(':')) {
        names.push(part.slice(1));
        at.param ??= node();
        at = at.param;
      } else if (part.startsWith('*')) {
        names.push(part.slice(1));
        at.rest ??= node();
        at = at.rest;
      } else {
        const next = at.literal.get(part) ?? node<Handler>();
        at.literal.set(part, next);
        at = next;
      }
    }
    at.names = names;
    for (const verb of verbs.split('|')) at.handlers.set(verb, handler);
    return this;
  }

  find(segments: readonly string[]): Found<Handler> | undefined {
    const values: string[] = [];
    const found = search(this.#root, segments, 0, values);
    if (!found) return undefined;
    const params = Object.fromEntries(found.names.map((name, index) => [name, values[index] ?? '']));
    return { handlers: found.handlers, params };
  }
}

function search<Handler>(
  at: Node<Handler>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<Handler> | undefined {
  const segment = segments[index];
  if (segment === undefined) return at.handlers.size > 0 ? at : undefined;
  const literal = at.literal.get(segment);
  const found = literal && search(literal, segments, index + 1, values);
  if (found) return found;
  if (at.param) {
    values.push(segment);
    const below = search(at.param, segments, index + 1, values);
    if (below) return below;
    values.pop();
  }
  if (at.rest) values.push(segments.slice(index).join('/'));
  return at.rest;
}
