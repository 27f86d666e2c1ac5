import { command, flag, showWarnings, type Values } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { environmentFlags } from '../../command/variable-names.ts';
import { usage } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { Result } from '../../output/result.ts';
import { shellQuote } from '../../wire/printable.ts';
import { checkPath, requireNamespace } from '../var/lib/variable.ts';
import { type CiService, ciServices, type Exported, nameValues } from './lib/names.ts';
import { type Read, readValues, type Value } from './lib/read-values.ts';
import { parseSelections, type Selection } from './lib/selection.ts';

const exportFlags = {
  kv: flag.texts('SPEC', 'key-value secret, such as secret/app/db; repeatable', { completes: 'kv-path' }),
  var: flag.texts('SPEC', 'scheduler variable; repeatable', { completes: 'variable' }),
  key: flag.texts('SPEC', 'registry key, or prefix ending with /; repeatable', {
    completes: 'registry-key',
  }),
  read: flag.texts('SPEC', 'path of the secrets service, such as database/creds/app; repeatable', {
    completes: 'secrets-path',
  }),
  env: flag.boolean('GitHub: also set environment variables of later steps'),
  allowName: environmentFlags.allowName,
  file: flag.text('FILE', 'GitLab: new file (mode 0600) outside of the project directory', {
    completes: 'file',
  }),
  force: flag.boolean('GitLab: replace an existing file'),
  ignoreNotFound: flag.boolean('leave out secrets and keys that do not exist, with a warning'),
  ci: flag.choice(ciServices, 'CI service (default: detected)'),
} as const;

type Flags = Values<typeof exportFlags>;

export default command({
  description:
    'In GitHub Actions, masks each line of the values in the log, then sets them as outputs of the step; with --env also as variables of later steps. GitLab cannot mask at run time: there the values are written to --file, which the script reads with ".". SPEC is PATH [KEY] [| NAME], as in vault-action.',
  examples: [
    "lanyard ci export --kv secret/app/db --var 'app/db * | APP_' --env",
    'lanyard ci export --ci gitlab --kv secret/app/db --file "$HOME/job.env"',
  ],
  service: 'secrets',
  writes: true,
  changes: ['files'],
  flags: exportFlags,
  async run({ flags }, ctx) {
    const selections = [
      ...parseSelections('kv', flags.kv),
      ...parseSelections('var', flags.var),
      ...parseSelections('key', flags.key),
      ...parseSelections('read', flags.read),
    ];
    if (selections.length === 0) throw usage('missing source: --kv, --var, --key or --read is required');
    const variables = selections.filter(({ kind }) => kind === 'var');
    for (const { path } of variables) checkPath(path);
    const ci = flags.ci ?? detect(ctx);
    const target = ci === 'github' ? await githubTarget(flags, ctx) : await gitlabTarget(flags, ctx);
    if (variables.length > 0) await requireNamespace(ctx);
    const uses = {
      outputs: ci === 'github',
      variables: ci === 'gitlab' || flags.env,
      ignoresCase: ci === 'github' && ctx.system.env.RUNNER_OS === 'Windows',
      allowed: flags.allowName,
    };
    try {
      const values = await readMasked(selections, flags.ignoreNotFound, ci, ctx);
      return await target(nameValues(values, ci, uses));
    } catch (error) {
      return ctx.output.dryRunResult(error, ['The values would be written to the files of the CI service.']);
    }
  },
});

/** Reads the values and masks them before anything is printed. */
async function readMasked(
  selections: readonly Selection[],
  ignoresMissing: boolean,
  ci: CiService,
  ctx: Context,
): Promise<readonly Value[]> {
  const read: Read = { values: [], warnings: [] };
  try {
    await readValues(selections, ignoresMissing, ctx, read);
  } finally {
    if (ci === 'github') await ctx.output.maskInGithub(read.values.flatMap(({ secrets }) => secrets));
    showWarnings(ctx.output, read);
  }
  return read.values;
}

interface ExportedNames {
  readonly ci: CiService;
  /** Names of outputs of the step; GitLab has none. */
  readonly outputs: readonly string[];
  /** Names of environment variables of later steps. */
  readonly variables: readonly string[];
  /** The file that sets the variables; null: the CI service's file. */
  readonly file: string | null;
}

/** Writes the values. */
type Target = (exported: readonly Exported[]) => Promise<Result<ExportedNames>>;

function detect({ system: { env } }: Context): CiService {
  if (env.GITHUB_ACTIONS === 'true') return 'github';
  if (env.GITLAB_CI === 'true') return 'gitlab';
  throw usage('cannot detect the CI service: neither GITHUB_ACTIONS nor GITLAB_CI is "true"', {
    hint: 'Use --ci github or --ci gitlab, or pass the values to one command with `lanyard run`.',
  });
}

/** @throws LanyardError usage: the runner has not set the variables of the files, or a file is missing. */
async function githubTarget({ env, file, force }: Flags, ctx: Context): Promise<Target> {
  if (file !== undefined || force)
    throw usage('--file and --force are for GitLab; GitHub Actions gets outputs, and variables with --env');
  const outputs = await runnerFile('GITHUB_OUTPUT', ctx);
  const variables = env ? await runnerFile('GITHUB_ENV', ctx) : undefined;
  return async (exported) => {
    const contents = (nameOf: (each: Exported) => string): string =>
      exported.map((each) => assignment(nameOf(each), each.value, ctx.system.random)).join('');
    await ctx.files.append([
      { path: outputs, content: contents(({ output }) => output) },
      ...(variables === undefined
        ? []
        : [{ path: variables, content: contents(({ variable }) => variable) }]),
    ]);
    const names = exported.map(({ output }) => output);
    const variableNames = env ? exported.map(({ variable }) => variable) : [];
    return {
      data: { ci: 'github', outputs: names, variables: variableNames, file: null },
      document: [
        text('Set outputs: ', ...list(names), '.'),
        ...(env ? [text('Set variables: ', ...list(variableNames), '.')] : []),
      ],
    };
  };
}

async function runnerFile(name: string, { files, system }: Context): Promise<string> {
  const path = system.env[name];
  const hint = 'Run it in a step of GitHub Actions, or pass the values to one command with `lanyard run`.';
  if (!path) throw usage(`cannot export: ${name} is not set`, { hint });
  if (!(await files.isFile(path)))
    throw usage(`cannot export: ${name} is not an existing file (${path})`, { hint });
  return path;
}

/** One assignment in a file of the runner. The value ends at the delimiter, which it cannot contain. */
function assignment(name: string, value: string, random: (length: number) => Uint8Array): string {
  const delimiter = `LANYARD_${Buffer.from(random(16)).toString('hex')}`;
  return value.includes(delimiter)
    ? assignment(name, value, random)
    : `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}

/** @throws LanyardError usage: no file, or one that GitLab could store as an artifact or in a cache. */
async function gitlabTarget({ env, file, force }: Flags, ctx: Context): Promise<Target> {
  if (env) throw usage('--env is for GitHub Actions; use --file with GitLab');
  if (file === undefined)
    throw usage('missing flag --file', {
      hint: 'GitLab has no outputs for secrets. Write them to a file outside of the project, and read it with ".".',
    });
  // The values that the runner of GitLab takes for true.
  if (/^(?:1|t|true)$/i.test(ctx.system.env.CI_DEBUG_TRACE ?? ''))
    throw usage('cannot export: CI_DEBUG_TRACE shows all variables of the script in the log');
  const path = ctx.files.absolute(file);
  const project = ctx.system.env.CI_PROJECT_DIR;
  if (project && (await isWithin(path, ctx.files.absolute(project), ctx)))
    throw usage(`cannot write secrets to ${file}: it is in the project directory`, {
      hint: 'Artifacts, reports and caches are collected there. Use a directory made by `mktemp -d`.',
    });
  await ctx.files.checkWritable([{ path, replace: force }]);
  return async (exported) => {
    const lines = exported.map(({ variable, value }) => `export ${variable}=${shellQuote(value)}\n`);
    await ctx.files.write([{ path, content: lines.join(''), replace: force }]);
    ctx.output.note('GitLab cannot mask these values in the log: do not print them.');
    const names = exported.map(({ variable }) => variable);
    return {
      data: { ci: 'gitlab', outputs: [], variables: names, file: path },
      document: [text('Wrote ', ...list(names), ' to ', code(path), '.')],
    };
  };
}

/** Whether a file would be in a directory, by its path or through symbolic links. */
async function isWithin(path: string, directory: string, { files }: Context): Promise<boolean> {
  const [parent, real] = await Promise.all([files.realPath(`${path}/..`), files.realPath(directory)]);
  return `${path}/`.startsWith(`${directory}/`) || `${parent}/`.startsWith(`${real}/`);
}

const list = (names: readonly string[]) =>
  names.length === 0
    ? ['none']
    : names.flatMap((name, index) => (index === 0 ? [code(name)] : [', ', code(name)]));
