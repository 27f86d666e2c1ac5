import type { ClientOptions } from '../../../command/api.ts';
import type { Context } from '../../../command/context.ts';
import type { SourceValues, WatchSettings } from '../../../command/supervised-run.ts';
import { LanyardError } from '../../../errors.ts';
import { type Source, watch } from '../../../watch/watch.ts';
import type { SecretPath } from '../../kv/lib/secret-path.ts';
import { secretSource } from '../../kv/lib/secret-source.ts';
import type { Pairs, SecretState } from '../../kv/lib/secret-state.ts';
import { itemsOf, requireNamespace } from '../../var/lib/variable.ts';
import { variableSource } from '../../var/lib/variable-source.ts';
import { type CredentialsSpec, RunCredentials } from './credentials.ts';
import { keepTokenRenewed } from './keep-token.ts';
import { type KeyForm, keyItems, keyValuesSource, readKeyValues } from './keys.ts';
import { readPairs, readVariable, toText } from './sources.ts';
import type { RunTemplates } from './templates.ts';

/** Where values are read: all paths of each kind. */
interface Sources {
  readonly var: readonly string[];
  readonly kv: readonly string[];
  readonly key: readonly string[];
  readonly creds: readonly CredentialsSpec[];
  readonly templates: RunTemplates;
}

/** How values are watched. */
interface Watching {
  /** Milliseconds between reads of a key-value secret; undefined: the default. */
  readonly intervalMs: number | undefined;
}

type Report = Parameters<WatchSettings['follow']>[0];
type Items = SourceValues['items'];

/**
 * The values that a command runs with, in the order variables, secrets, keys, files of templates, credentials. While it runs, the token of the
 * secrets service is renewed if secrets are watched or credentials are used.
 */
export class RunValues {
  readonly #sources: Sources;
  readonly #watching: Watching | undefined;
  readonly #ctx: Context;
  readonly #credentials: RunCredentials;
  readonly #locations = new Map<string, SecretPath>();
  readonly #forms = new Map<string, KeyForm>();
  readonly #ended = new AbortController();
  /** Of reads that are repeated anyway. */
  readonly #repeated: ClientOptions = { signal: this.#ended.signal, retries: 0 };
  #isFirst = true;
  #keeping: Promise<void> | undefined;

  /** @param watching undefined: the values are read once. */
  constructor(sources: Sources, watching: Watching | undefined, ctx: Context) {
    this.#sources = sources;
    this.#watching = watching;
    this.#ctx = ctx;
    this.#credentials = new RunCredentials(sources.creds, watching !== undefined, ctx);
  }

  /** Reads all sources: the first time with the retries of every command, and credentials last. */
  async read(): Promise<readonly SourceValues[]> {
    const { api } = this.#ctx;
    const { var: variables, kv, key } = this.#sources;
    const options = this.#isFirst ? undefined : this.#repeated;
    if (this.#isFirst && variables.length > 0) await requireNamespace(this.#ctx);
    this.#isFirst = false;
    const values = [
      ...(await readEach(variables, async (path) => readVariable(await api.scheduler(options), path))),
      ...(await readEach(kv, async (path) =>
        toStrings(await readPairs(await api.secrets(options), path, this.#locations)),
      )),
      ...(await readEach(key, async (path) => {
        const { form, items } = await readKeyValues(await api.registry(options), path, this.#forms.get(path));
        this.#forms.set(path, form);
        return items;
      })),
      ...(await this.#sources.templates.read()),
      ...(await this.#credentials.read()),
    ];
    await this.#keepToken();
    return values;
  }

  /** Watches all sources. Errors are reported as a change: the values are read again, until that succeeds. */
  async follow(report: Report, signal: AbortSignal): Promise<void> {
    const { api } = this.#ctx;
    const { var: variables, kv, key, templates } = this.#sources;
    const options = this.#repeated;
    const ofTemplates = variables.length + kv.length + key.length;
    const ofCredentials = ofTemplates + templates.length;
    await Promise.all([
      ...variables.map(async (path, index) =>
        this.#watch(variableSource(await api.scheduler(options), path), itemsOf, (items) =>
          report(index, items),
        )(signal),
      ),
      ...kv.map(async (path, index) => {
        const source = secretSource(await api.secrets(options), {
          path,
          mount: undefined,
          version: undefined,
        });
        const toItems = ({ pairs }: SecretState) => pairs && toStrings(pairs);
        const watching = this.#watch(
          source,
          toItems,
          (items) => report(variables.length + index, items),
          this.#watching?.intervalMs,
        );
        return watching(signal);
      }),
      ...key.map(async (path, index) => {
        const form = this.#forms.get(path) ?? { key: path };
        const source = keyValuesSource(await api.registry(options), form);
        const watching = this.#watch(
          source,
          (entries) => keyItems(entries, form),
          (items) => report(variables.length + kv.length + index, items),
        );
        return watching(signal);
      }),
      templates.follow(() => report(ofTemplates, undefined), signal),
      this.#credentials.follow((index) => report(ofCredentials + index, undefined), signal),
    ]);
  }

  /** Ends what runs in the background, and revokes the credentials. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#keeping;
    await this.#credentials.close();
  }

  /** Starts the renewal of the token, and waits for its first attempt: a warning is shown before the command starts. */
  async #keepToken(): Promise<void> {
    const { kv, creds } = this.#sources;
    if (creds.length === 0 && (kv.length === 0 || this.#watching === undefined)) return;
    if (this.#keeping) return;
    const consequence =
      creds.length > 0 ? 'the credentials are revoked then' : 'the values are not updated after that';
    const attempt = Promise.withResolvers<void>();
    this.#keeping = keepTokenRenewed(
      await this.#ctx.api.secrets(this.#repeated),
      { ended: this.#ended.signal, consequence, onAttempt: attempt.resolve },
      this.#ctx,
    );
    await Promise.race([attempt.promise, this.#keeping]);
  }

  #watch<Value>(
    source: Source<Value>,
    toItems: (value: Value) => Items | null,
    report: (items: Items | undefined) => void,
    intervalMs?: number,
  ): (signal: AbortSignal) => Promise<void> {
    const { output, system } = this.#ctx;
    const { clock, random, sleep } = system;
    return async (signal) => {
      const events = watch(source, {
        clock,
        random: () => random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32,
        sleep,
        signal,
        intervalMs,
        isPermanent: () => false,
        onRetry: ({ message }) => output.detail(`the watch failed, and is retried: ${message}`),
      });
      for await (const event of events)
        report(event.status === 'present' ? usable(() => toItems(event.data)) : undefined);
    };
  }
}

/** Undefined: a value cannot be used; the next read says why. */
function usable(items: () => Items | null): Items | undefined {
  try {
    return items() ?? undefined;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    return undefined;
  }
}

const readEach = (
  paths: readonly string[],
  read: (path: string) => Promise<Items>,
): Promise<readonly SourceValues[]> =>
  Promise.all(paths.map(async (path) => ({ name: path, items: await read(path) })));

const toStrings = (pairs: Pairs): Items =>
  Object.fromEntries(Object.entries(pairs).map(([key, value]) => [key, toText(value)]));
