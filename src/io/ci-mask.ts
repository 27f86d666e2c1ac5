/**
 * The commands that make a CI service mask a secret in its log, one for each line of the secret, because the services
 * match line by line. Empty elsewhere; GitLab cannot mask at run time.
 *
 * GitHub Actions gets a secret of several lines as one text too: its runner also masks the base64, JSON, URL and XML
 * forms of each text that it gets. Lines that start or end with spaces are masked without them too.
 *
 * GitHub Actions and Azure Pipelines read commands from both streams. Write them to stderr: stdout has only the
 * result.
 */
export function maskCommands(secret: string, env: NodeJS.ProcessEnv): string[] {
  const lines = secret.split(/[\r\n]+/).flatMap((line) => [line, line.trim()]);
  if (env.GITHUB_ACTIONS === 'true') {
    const isMultiLine = /[\r\n]/.test(secret.trim());
    const texts = isMultiLine ? [secret, secret.replace(/[\r\n]+$/, ''), ...lines] : lines;
    return unique(texts).map((text) => `::add-mask::${escapeData(text)}`);
  }
  if (env.TF_BUILD !== undefined)
    return unique(lines).map((line) => `##vso[task.setsecret]${line.replaceAll('%', '%AZP25')}`);
  return [];
}

const unique = (texts: readonly string[]): string[] => [
  ...new Set(texts.filter((text) => text.trim() !== '')),
];

/** The escapes of the data of a workflow command. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
