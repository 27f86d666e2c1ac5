import { isLocal } from '../../command/changed.ts';
import type { UserOutput } from '../../command/context.ts';
import type { Host } from '../../command/host.ts';
import { usage } from '../../errors.ts';
import { escapeCommands, escapeCommandsInJson, isInCi } from '../../io/ci-commands.ts';
import { shouldUseColor } from '../../io/color.ts';
import type { Io } from '../../io/io.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { terminalWidth, writeOut, writePaged } from '../../io/stdout.ts';
import type { Block } from '../../output/document.ts';
import { type Format, isVariableFormat } from '../../output/formats.ts';
import { renderJson } from '../../output/json.ts';
import { checkSelectionFlags, render } from '../../output/render.ts';
import type { Result } from '../../output/result.ts';
import { compact } from '../../wire/objects.ts';
import type { Invocation } from '../parse/program.ts';

interface OutputWriter extends Pick<UserOutput, 'showPartial' | 'streamList' | 'streamEvents'> {
  /** @param isOneTime the result cannot be requested again. */
  show(result: Result, isOneTime?: boolean): Promise<void>;
  /** As `show`, for the result at the end of a command: a long one of a command that reads is shown in the pager. */
  showLast(result: Result, isOneTime?: boolean): Promise<void>;
}

/**
 * Writes results in the requested format, to the requested place.
 *
 * @throws LanyardError usage: the flags exclude each other, or the file of `--out` cannot be written. A result may be
 * shown only once, so this is checked before the command runs.
 */
export async function outputWriter(invocation: Invocation, host: Host, io: Io): Promise<OutputWriter> {
  const { command, globals } = invocation;
  rejectList(invocation);
  rejectFormats(invocation);
  rejectPrefix(invocation);
  rejectMarkdown(invocation);
  const format = globals.output ?? 'text';
  // A curl command is no result that has parts.
  const selection = compact(globals.curl ? {} : { field: globals.field, select: globals.select });
  await checkSelectionFlags(selection);
  const file =
    globals.out === undefined || globals.out === '-' || Object.hasOwn(command.flags, 'out')
      ? undefined
      : resolvePath(host, globals.out);
  if (file !== undefined) (await import('../../io/output-files.ts')).checkOutputFiles([{ path: file }]);
  let color: boolean | undefined;
  const usesColor = (): boolean => {
    color ??= file === undefined && shouldUseColor(host.stdout, host.env, globals.noColor);
    return color;
  };
  let isEscaped = false;
  const renderAs = (format: Format, result: Result, isOneTime: boolean): Promise<string | Uint8Array> =>
    render(result, {
      format,
      ...selection,
      isOneTime,
      envPrefix: globals.envPrefix,
      random: host.random,
      terminal: file === undefined && host.stdout.isTTY === true,
      color: usesColor(),
      width: terminalWidth(host.stdout),
    });
  /** The file of `--out`, `--field`, bytes and variables are read by programs, which need the exact text. */
  const renderResult = async (result: Result, isOneTime = false): Promise<string | Uint8Array> => {
    const rendered = await renderAs(format, result, isOneTime);
    const isExact = file !== undefined || selection.field !== undefined || isVariableFormat(format);
    if (isExact) return rendered;
    if (typeof rendered !== 'string') return isInCi(host.env) ? escapeInBytes(rendered, host.env) : rendered;
    const isJson =
      format === 'json' || format === 'jsonl' || (format === 'text' && selection.select !== undefined);
    if (isJson) return escapeCommandsInJson(rendered, host.env);
    const escaped = escapeCommands(rendered, host.env);
    if (escaped === rendered) return rendered;
    // JSON is YAML, and can express every text.
    if (format === 'yaml')
      return escapeCommandsInJson((await renderAs('json', result, isOneTime)) as string, host.env);
    if (!isEscaped)
      io.warn(
        'the result contains workflow commands, which were escaped\nUse --out FILE or -o json for the exact text.',
      );
    isEscaped = true;
    return escaped;
  };
  const write = async (content: string | Uint8Array): Promise<boolean> =>
    content.length === 0 || writeOut(host.stdout, content);
  const isPaged = command.writes === undefined && !command.handlesSignals && !globals.noInput;
  const writeLast: typeof write = async (content) => {
    if (!isPaged || typeof content !== 'string') return write(content);
    await writePaged(content, host);
    return true;
  };
  const showWith = async (
    result: Result,
    isOneTime: boolean | undefined,
    to: typeof write,
  ): Promise<void> => {
    if (file !== undefined) {
      // Not through the context: the output of a dry run is written too.
      const { writeFiles } = await import('../../io/files.ts');
      writeFiles([{ path: file, content: await renderResult(result, isOneTime) }]);
      io.note(`Wrote ${globals.out}.`);
      return;
    }
    // A document without data is only text.
    if (result.data === undefined && format !== 'text') return;
    await to(await renderResult(result, isOneTime));
  };
  const isSelected = Boolean(selection.field ?? selection.select);
  const isQuiet = globals.quiet && format === 'text' && !isSelected && file === undefined;
  const hasLines = format === 'jsonl' && file === undefined && !isSelected;
  const show: OutputWriter['show'] = (result, isOneTime) =>
    showWith(isQuiet ? withoutReports(result) : result, isOneTime, write);
  /** What was done is said by the exit code. */
  const saysOnlyWhatWasDone =
    isQuiet && (command.writes || command.changes?.some(isLocal)) && !globals.dryRun;
  return {
    show,
    showLast: (result, isOneTime) => {
      const isReport = saysOnlyWhatWasDone && !result.isDryRun && !result.exitCode;
      const shown = isReport ? withoutTexts(result) : result;
      return showWith(isQuiet ? withoutReports(shown) : shown, isOneTime, writeLast);
    },
    showPartial: async (part) => {
      if (!hasLines) return 'unsupported';
      return (await write(await renderResult(part))) ? 'shown' : 'closed';
    },
    streamEvents: async () => {
      if (globals.out !== undefined && globals.out !== '-')
        throw usage('--watch cannot be combined with --out');
      const { eventStream } = await import('../../output/event-stream.ts');
      return eventStream({ format, isSelected, write: async (result) => write(await renderResult(result)) });
    },
    streamList: async () => {
      const { streamingList } = await import('../../output/streaming-list.ts');
      const terminal = host.stdout.isTTY === true;
      const writeLine = hasLines
        ? async (row: unknown) =>
            void (await write(escapeCommandsInJson(`${renderJson(row, terminal)}\n`, host.env)))
        : undefined;
      return streamingList(format, isSelected, show, writeLine);
    },
  };
}

const without = (result: Result, isLeftOut: (block: Block) => boolean): Result => ({
  ...result,
  document: result.document.filter((block) => !isLeftOut(block)),
});

const withoutTexts = (result: Result): Result => without(result, ({ kind }) => kind === 'text');

const withoutReports = (result: Result): Result =>
  without(result, (block) => 'isReport' in block && block.isReport === true);

/** Escapes commands in bytes that are JSON, without a change of its values; others are exact. */
function escapeInBytes(bytes: Uint8Array, env: NodeJS.ProcessEnv): string | Uint8Array {
  const json = Buffer.from(bytes).toString();
  const escaped = escapeCommandsInJson(json, env);
  if (escaped === json) return bytes;
  try {
    JSON.parse(json);
    return escaped;
  } catch {
    return bytes;
  }
}

/** @throws LanyardError usage: the result is a list, and the format is for variables. */
function rejectList({ command, args, flags, globals }: Invocation): void {
  const isSelected = globals.field !== undefined || globals.select !== undefined;
  if (!isVariableFormat(globals.output) || isSelected || !command.returnsList?.({ args, flags })) return;
  throw usage(`--output ${globals.output} requires an object, but the result of this command is a list`, {
    hint: 'Nothing was sent. Select an object with --select, or use another --output.',
  });
}

/** @throws LanyardError usage: an invalid prefix, or a format without variable names. */
function rejectPrefix({ globals: { envPrefix, output } }: Invocation): void {
  if (envPrefix === undefined) return;
  if (!isVariableFormat(output)) throw usage('--env-prefix requires --output env, dotenv or github-env');
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(envPrefix))
    throw usage(`invalid --env-prefix "${envPrefix}": expected letters, digits and "_"`);
}

/** @throws LanyardError usage: a part of a result has no Markdown. */
function rejectMarkdown({ globals: { output, field, select } }: Invocation): void {
  if (output !== 'markdown') return;
  for (const [name, value] of Object.entries({ field, select }))
    if (value !== undefined) throw usage(`--output markdown cannot be combined with --${name}`);
}

/** @throws LanyardError usage: --format with a flag that replaces text. */
function rejectFormats({ command, flags, globals }: Invocation): void {
  if (!command.hasTextFormats || flags.format === undefined) return;
  const output = globals.output === 'text' ? undefined : globals.output;
  for (const [name, value] of Object.entries({ output, field: globals.field, select: globals.select }))
    if (value !== undefined) throw usage(`--format cannot be combined with --${name}`);
}
