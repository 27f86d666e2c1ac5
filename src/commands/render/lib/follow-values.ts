import type { ClientOptions } from '../../../command/api.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import { errorLine, watchOptions } from '../../../watch/show-changes.ts';
import { watch } from '../../../watch/watch.ts';
import { keepTokenRenewed } from '../../run/lib/keep-token.ts';
import type { Requested, RequestedValues } from './rendering.ts';

interface Following {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Of `--interval`. */
  readonly interval: string | undefined;
  /** What follows when the token expires. */
  readonly consequence: string;
  readonly onChange: () => void;
  /** An error that is not of a service. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Watches the values that templates requested, and keeps the token of the secrets service renewed. An error of a service
 * is a warning, and retried: the value is unchanged.
 *
 * @returns adapts to the values that are requested now; call it after each rendering.
 */
export function followValues(
  values: RequestedValues,
  { signal, interval, consequence, onChange, onFailure }: Following,
  ctx: Context,
): () => void {
  const followed = new Map<string, AbortController>();
  const options: ClientOptions = { signal, retries: 0 };
  const reported = new Set<string>();
  const warnOnce = (message: string): void => {
    if (!reported.has(message)) ctx.output.warn(`${message}; retrying`);
    reported.add(message);
  };
  const follow = async (key: string, { value }: Requested, ended: AbortSignal): Promise<void> => {
    const watched = await value.watch?.(options);
    if (!watched) return;
    const watching = watch(watched.source, {
      ...watchOptions(ctx, { interval }),
      signal: ended,
      isPermanent: () => false,
      onRetry: (error) => warnOnce(errorLine(error)),
    });
    for await (const event of watching) {
      if (event.status === 'error') continue;
      reported.clear();
      const content = event.status === 'present' ? contentOf(() => watched.toValue(event.data)) : undefined;
      if (await values.replace(key, content ?? value.missing())) onChange();
    }
  };
  const keepToken = async (): Promise<void> =>
    keepTokenRenewed(await ctx.api.secrets(options), { ended: signal, consequence }, ctx);
  let isTokenKept = false;
  return () => {
    for (const [key, requested] of values.all) {
      if (followed.has(key)) continue;
      const stop = new AbortController();
      followed.set(key, stop);
      follow(key, requested, AbortSignal.any([stop.signal, signal])).catch(onFailure);
      if (isTokenKept || requested.value.service !== 'secrets') continue;
      isTokenKept = true;
      keepToken().catch(onFailure);
    }
    for (const [key, stop] of followed) {
      if (values.all.has(key)) continue;
      stop.abort();
      followed.delete(key);
    }
  };
}

/** A value, or the error that it is not one that templates can use. */
function contentOf<Content>(convert: () => Content): Content | LanyardError {
  try {
    return convert();
  } catch (error) {
    if (error instanceof LanyardError) return error;
    throw error;
  }
}
