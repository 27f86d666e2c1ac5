import type { ClientOptions } from '../../../command/api.ts';
import type { Context } from '../../../command/context.ts';
import { isNotFound, LanyardError } from '../../../errors.ts';
import { isEqual } from '../../../output/diff.ts';
import type { ValueRequest } from '../../../output/template/requests.ts';
import type { Template } from '../../../output/template/template.ts';
import { mapConcurrently } from '../../../wire/concurrently.ts';
import type { Json } from '../../../wire/json.ts';
import type { Value } from './value.ts';
import { openValue, requestKey } from './values.ts';

/** A text that was rendered. */
export interface Rendered {
  readonly template: Template;
  readonly text: string;
  /** Whether a value of it is a secret. */
  readonly hasSecrets: boolean;
}

/** A value that was requested. */
export interface Requested {
  readonly value: Value;
  /** Its content, or why it has none. */
  content: Promise<Json | LanyardError>;
}

/** The values that templates request. Each is read once, and then has the content of `replace`. */
export class RequestedValues {
  /** By `requestKey`. */
  readonly all = new Map<string, Requested>();
  /** Keys of the values that were read since `startRound`. */
  readonly #used = new Set<string>();
  readonly #ctx: Pick<Context, 'api' | 'output' | 'system'>;
  readonly #options: ClientOptions | undefined;

  /** @param options of the clients, if the values are watched. */
  constructor(ctx: Pick<Context, 'api' | 'output' | 'system'>, options?: ClientOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  /** @throws LanyardError; not_found: the value does not exist. */
  async read(request: ValueRequest): Promise<Json> {
    const content = await this.#open(request).content;
    if (content instanceof LanyardError) throw content;
    return content;
  }

  startRound(): void {
    this.#used.clear();
  }

  /** Removes the values that were not read since `startRound`. */
  forgetUnused(): void {
    for (const key of this.all.keys()) if (!this.#used.has(key)) this.all.delete(key);
  }

  isSecret(request: ValueRequest): boolean {
    return this.#open(request).value.isSecret;
  }

  /** Sets the content of a value. @returns whether it differs. */
  async replace(key: string, content: Json | LanyardError): Promise<boolean> {
    const requested = this.all.get(key);
    if (!requested) return false;
    const before = await requested.content;
    if (before instanceof LanyardError ? content instanceof LanyardError : isEqual(before, content))
      return false;
    this.#mask(requested.value, content);
    requested.content = Promise.resolve(content);
    return true;
  }

  /** Values that could not be read are read again; those that do not exist are known. */
  async forgetFailed(): Promise<void> {
    for (const [key, requested] of this.all) {
      const content = await requested.content;
      if (content instanceof LanyardError && !isNotFound(content)) this.all.delete(key);
    }
  }

  #open(request: ValueRequest): Requested {
    const key = requestKey(request);
    this.#used.add(key);
    const known = this.all.get(key);
    if (known) return known;
    const value = openValue(request, this.#ctx);
    const requested = { value, content: this.#readOnce(value) };
    this.all.set(key, requested);
    return requested;
  }

  async #readOnce(value: Value): Promise<Json | LanyardError> {
    try {
      const content = await value.read(this.#options);
      this.#mask(value, content);
      return content;
    } catch (error) {
      if (error instanceof LanyardError) return error;
      throw error;
    }
  }

  #mask({ isSecret }: Value, content: Json | LanyardError): void {
    if (!isSecret || content instanceof LanyardError) return;
    for (const text of textsOf(content)) this.#ctx.output.mask(text);
  }
}

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/**
 * Renders templates: all of them, or none.
 *
 * @throws LanyardError with the template, line and column: of the first one that fails; the others are details.
 */
export async function renderAll(
  templates: readonly Template[],
  values: RequestedValues,
): Promise<readonly Rendered[]> {
  values.startRound();
  const errors: LanyardError[] = [];
  const results = await mapConcurrently(templates, (template) =>
    renderOne(template, values).catch((error: unknown) => {
      if (!(error instanceof LanyardError)) throw error;
      errors.push(error);
      return undefined;
    }),
  );
  const [first, ...others] = errors;
  if (first === undefined) return results.filter((result) => result !== undefined);
  throw first.withDetails([...first.details, ...others.map(({ message }) => message)]);
}

async function renderOne(template: Template, values: RequestedValues): Promise<Rendered> {
  let hasSecrets = false;
  const text = await template.render(async (request) => {
    const content = await values.read(request);
    hasSecrets ||= values.isSecret(request);
    return content;
  });
  return { template, text, hasSecrets };
}
