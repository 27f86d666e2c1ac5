/**
 * Commands to a CI service in text that is not Lanyard's own. GitHub Actions reads lines that begin with `::`, after
 * spaces, and `##[` anywhere in a line; Azure Pipelines reads `##vso[` and `##[`; GitLab reads `section_start:`. Some
 * of them end the masking of secrets in the log.
 *
 * The services compare texts as a language does, so characters without a width may be inside a command.
 */
const ignorable = '[\\p{Cc}\\p{Default_Ignorable_Code_Point}]*';
const spaced = (...parts: readonly string[]): string => parts.join(ignorable);

const patterns = (space: string, join: (...parts: readonly string[]) => string, flags: string) => ({
  lineStart: new RegExp(`^(${space}:)(?=${join('', ':')})`, `gm${flags}`),
  anywhere: new RegExp(
    `#(?=${join('', '#', '(?:v', 's', 'o', ')?\\[')})|section_(?=(?:start|end):)`,
    `gi${flags}`,
  ),
});

/** Most texts. The properties of Unicode take longer to load than most commands to run. */
const plain = patterns('\\s*', (...parts) => parts.join(''), '');
let full: typeof plain | undefined;
const patternsFor = (text: string): typeof plain => {
  if (/^[\n\t\x20-\x7e]*$/.test(text)) return plain;
  full ??= patterns(`[\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}]*`, spaced, 'u');
  return full;
};

/** Whether the streams are the log of a CI service. */
export const isInCi = (env: NodeJS.ProcessEnv): boolean =>
  env.GITHUB_ACTIONS === 'true' || env.GITLAB_CI === 'true' || env.TF_BUILD !== undefined;

/** Inserts a space into every command to a CI service, if its log is written: `: :stop-commands::`, `# #[`. */
export function escapeCommands(text: string, env: NodeJS.ProcessEnv): string {
  if (!isInCi(env)) return text;
  const { lineStart, anywhere } = patternsFor(text);
  return text.replace(lineStart, '$1 ').replace(anywhere, '$& ');
}

/** The same for JSON, without a change of its values. No line of JSON begins with `::`. */
export function escapeCommandsInJson(json: string, env: NodeJS.ProcessEnv): string {
  if (!isInCi(env)) return json;
  return json.replace(patternsFor(json).anywhere, (start) =>
    start === '#' ? '\\u0023' : start.replace('_', '\\u005f'),
  );
}
