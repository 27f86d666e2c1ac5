import type { Context } from '../../../command/context.ts';
import type { SourceValues } from '../../../command/supervised-run.ts';
import { usage } from '../../../errors.ts';
import { planFiles, writePlanned } from '../../render/lib/files.ts';
import { followValues } from '../../render/lib/follow-values.ts';
import { RequestedValues, renderAll } from '../../render/lib/rendering.ts';
import { parseTargets, type Target } from '../../render/lib/targets.ts';
import { sourceNames } from '../../render/lib/values.ts';

/** A file of `--template`, and the text that was rendered for it. */
interface TemplateFile extends SourceValues {
  readonly items: { readonly text: string };
  readonly isFile: true;
}

/** `TEMPLATE:FILE`. @throws LanyardError usage: no file, or standard input. */
export function parseTemplates(words: readonly string[]): readonly Target[] {
  for (const word of words)
    if (!/^[^:]+:./s.test(word) || word.startsWith('-:'))
      throw usage(`invalid --template "${word}": expected TEMPLATE:FILE`);
  return parseTargets(words);
}

/** The files that `run` renders for the command, as `lanyard render` does. */
export class RunTemplates {
  readonly #targets: readonly Target[];
  readonly #interval: string | undefined;
  readonly #ctx: Context;
  readonly #values: RequestedValues;
  #templates: ReturnType<Context['input']['readTemplates']> | undefined;
  /** Follows the values that were requested last. */
  #follow: (() => void) | undefined;

  /** @param interval of `--interval`. */
  constructor(targets: readonly Target[], interval: string | undefined, ctx: Context) {
    this.#targets = targets;
    this.#interval = interval;
    this.#ctx = ctx;
    this.#values = new RequestedValues(ctx);
  }

  get length(): number {
    return this.#targets.length;
  }

  /** Renders all templates, each as a source of its own. */
  async read(): Promise<readonly TemplateFile[]> {
    if (this.#targets.length === 0) return [];
    const names = this.#targets.map(({ template }) => template);
    this.#templates ??= this.#ctx.input.readTemplates(names, sourceNames);
    try {
      const rendered = await renderAll(await this.#templates, this.#values);
      this.#values.forgetUnused();
      return rendered.map(({ text }, index) => ({
        name: this.#fileOf(index),
        items: { text },
        isFile: true,
      }));
    } catch (error) {
      await this.#values.forgetFailed();
      throw error;
    } finally {
      this.#follow?.();
    }
  }

  /** Writes the files that differ, all of them or none. @param read what `read` returned. */
  async write(read: readonly SourceValues[]): Promise<void> {
    const templates = (await this.#templates) ?? [];
    const all = read
      .filter(({ isFile }) => isFile)
      .flatMap(({ name, items: { text = '' } }, index) => {
        const template = templates[index];
        return template ? [{ rendered: { template, text, hasSecrets: true }, file: name }] : [];
      });
    await writePlanned(await planFiles(all, { mode: undefined, owner: undefined }, this.#ctx), this.#ctx);
  }

  /** Reports each change of a value, until the signal. */
  async follow(onChange: () => void, signal: AbortSignal): Promise<void> {
    if (this.#targets.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#follow = followValues(
        this.#values,
        {
          signal,
          interval: this.#interval,
          consequence: 'the files are not updated after that',
          onChange,
          onFailure: reject,
        },
        this.#ctx,
      );
      this.#follow();
      if (signal.aborted) resolve();
    });
  }

  #fileOf(index: number): string {
    return this.#targets[index]?.file ?? '';
  }
}
