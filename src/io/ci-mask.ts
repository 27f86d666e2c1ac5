/**
 * The lines that make a CI service hide a secret in its log from then on: one for each line of the secret, as
 * the services match line by line. Empty where there is no such service; GitLab has no way to mask at run time.
 *
 * GitHub Actions and Azure Pipelines read their commands from both streams of a process. They are meant for
 * stderr, so that stdout stays what the command was asked for.
 */
export function maskCommands(secret: string, env: NodeJS.ProcessEnv): string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  if (env.GITHUB_ACTIONS === 'true') return lines.map((line) => `::add-mask::${line.replaceAll('%', '%25')}`);
  if (env.TF_BUILD !== undefined) {
    return lines.map((line) => `##vso[task.setsecret]${line.replaceAll('%', '%AZP25')}`);
  }
  return [];
}
