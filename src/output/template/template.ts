import type { Context, Liquid as LiquidEngine, LiquidError, Template as LiquidTemplate } from 'liquidjs';
import { isNotFound, LanyardError, notFound, usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { keptFilters, ownFilters } from './filters.ts';
import { constantRequests, type ValueRequest } from './requests.ts';
import { outputText, templateValue } from './values.ts';

/**
 * The value of a request: the same one each time in one rendering.
 *
 * @throws LanyardError; not_found: the value does not exist, which `default`, `if` and `else` of `for` accept.
 */
export type ReadValue = (request: ValueRequest) => Promise<Json>;

/** A template that was parsed. */
export interface Template {
  /** In messages: the path of its file. */
  readonly name: string;
  /**
   * The text with all values.
   *
   * @param mark changes each value that is written, such as to hide it; the text of the template is unchanged.
   * @throws LanyardError with name, line and column: of `read`; not_found: a field does not exist; usage: a filter
   * cannot use its value.
   */
  render(read: ReadValue, mark?: (text: string) => string): Promise<string>;
}

/** @throws LanyardError usage, with name, line and column: the text is not a template. */
export type ParseTemplate = (text: string, name: string) => Template;

/** What a rendering needs, by the object of its variables, which filters and tags see. */
interface Rendering {
  readonly read: ReadValue;
  readonly mark: (text: string) => string;
}

/**
 * The template language: Liquid without the tags that read other files, and with the filters of `filters.ts`. A value
 * with filters may be in parentheses, `-` at a tag removes only blanks up to the end of its line and the line break, and
 * nothing that is missing becomes an empty text (docs/adr/0101-templates.md).
 *
 * @param sources names of the filters that read a value by its name.
 */
export async function templateParser(sources: readonly string[]): Promise<ParseTemplate> {
  const liquid = await import('liquidjs');
  const renderings = new WeakMap<object, Rendering>();
  const renderingOf = ({ environments }: Context): Rendering => {
    const rendering = renderings.get(environments);
    if (!rendering) throw new Error('the template is not rendered');
    return rendering;
  };

  /** A value that does not exist: an error as soon as it is used. Its fields are as missing. */
  class Missing extends liquid.Drop {
    readonly #error: LanyardError;
    constructor(error: LanyardError) {
      super();
      this.#error = error;
    }
    override liquidMethodMissing(): Missing {
      return this;
    }
    override valueOf(): null {
      return null;
    }
    /** @throws the error, if the value is missing. */
    static reject(value: unknown): void {
      if (typeof value === 'object' && value !== null && #error in value) throw value.#error;
    }
  }

  /** A loop over a missing value is an error, unless it has `else`. */
  class For extends liquid.ForTag {
    constructor(...args: ConstructorParameters<typeof liquid.ForTag>) {
      const [{ args: text }] = args;
      if (/^\s*\S+\s+in\s+(?!\()[^"']*(?:"[^"]*"|'[^']*')?\s*\|/.test(text))
        throw new Error('a value with filters needs parentheses: {% for i in ("web" | service) %}');
      super(...args);
    }
    override *render(...[context, emitter]: Parameters<InstanceType<typeof liquid.ForTag>['render']>) {
      const list: unknown = yield* liquid.evalToken(this.collection, context);
      if (this.elseTemplates.length === 0) Missing.reject(list);
      return yield* super.render(context, emitter);
    }
  }

  const engine = new liquid.Liquid({
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    groupedExpressions: true,
    greedy: false,
    timezoneOffset: 0,
    locale: 'en',
    outputEscape: function (this: { readonly context: Context }, value: unknown): string {
      Missing.reject(value);
      return renderingOf(this.context).mark(outputText(value));
    },
  });
  restrict(engine);
  engine.registerTag('for', For);
  for (const [name, filter] of Object.entries({ ...engine.filters, ...ownFilters })) {
    // It decides itself what is missing.
    if (name === 'default') continue;
    const handler = typeof filter === 'function' ? filter : filter.handler;
    engine.registerFilter(name, function (value: unknown, ...args: readonly unknown[]) {
      for (const each of [value, ...args].flat()) Missing.reject(each);
      if (value === undefined || value === null) throw new Error(`no value for the filter "${name}"`);
      if (name === 'date') rejectCurrentTime(value);
      return handler.call(this, value, ...args);
    });
  }
  for (const source of sources) {
    engine.registerFilter(source, async function (name: unknown, ...args: readonly unknown[]) {
      Missing.reject(name);
      const request = { source, name: outputText(name), options: optionsOf(source, args) };
      try {
        return templateValue(await renderingOf(this.context).read(request));
      } catch (error) {
        if (error instanceof LanyardError && isNotFound(error)) return new Missing(error);
        throw error;
      }
    });
  }

  return (text, name) => {
    const describe = (error: unknown): LanyardError =>
      liquid.LiquidError.is(error) ? describeError(error, name) : unexpected(error);
    let parsed: LiquidTemplate[];
    try {
      parsed = engine.parse(text);
    } catch (error) {
      throw describe(error);
    }
    const constants = constantRequests(parsed, sources);
    return {
      name,
      async render(read, mark = (value) => value) {
        const variables = Object.create(null);
        renderings.set(variables, { read, mark });
        // Sent at once; an error is reported where the value is used.
        for (const request of constants) read(request).catch(() => undefined);
        try {
          return String(await engine.render(parsed, variables));
        } catch (error) {
          throw describe(error);
        }
      },
    };
  };
}

/** Removes tags and filters that read files, or that no configuration file needs. */
function restrict({ tags, filters }: LiquidEngine): void {
  const kept = [
    'assign',
    'capture',
    'case',
    'comment',
    'if',
    'unless',
    'raw',
    'break',
    'continue',
    'cycle',
    '#',
  ];
  for (const name of Object.keys(tags)) if (!kept.includes(name)) delete tags[name];
  for (const name of Object.keys(filters)) if (!keptFilters.includes(name)) delete filters[name];
}

/** @throws Error: the result would differ each time. */
function rejectCurrentTime(value: unknown): void {
  if (value === 'now' || value === 'today') throw new Error(`the filter "date" does not support "${value}"`);
}

/** Named arguments of a filter. @throws Error: an argument without a name, or without a value. */
function optionsOf(source: string, args: readonly unknown[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    args.map((pair): [string, Json] => {
      const [name, value] = Array.isArray(pair) ? pair : [];
      if (typeof name !== 'string')
        throw new Error(`the filter "${source}" takes named arguments only, as NAME: VALUE`);
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        throw new Error(`invalid ${name} of the filter "${source}": expected text, a number or a boolean`);
      return [name, value];
    }),
  );
}

/** An error of the parser or of a rendering, with the position. */
function describeError(error: LiquidError, template: string): LanyardError {
  const { token, originalError, message } = error;
  const [line, column] = token.getPosition();
  const at = `cannot render ${template}:${line}:${column}`;
  if (originalError instanceof LanyardError)
    return new LanyardError(originalError.kind, `${at}: ${originalError.message}`, {
      ...originalError,
      cause: originalError,
    });
  if (error.name === 'UndefinedVariableError') return notFound(`${at}: no value for ${token.getText()}`);
  const cause = (originalError?.message ?? message).replace(/, line:\d+, col:\d+$/, '');
  return usage(`${at}: ${cause}`, {
    hint: cause.startsWith('expected ":" after filter name')
      ? 'Put a value with filters in parentheses: {% if ("app/mode" | key) == "on" %}'
      : undefined,
  });
}

function unexpected(error: unknown): never {
  throw error;
}
