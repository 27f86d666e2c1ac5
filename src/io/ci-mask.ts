/**
 * The commands that make a CI service mask a secret in its log, one for each line of the secret, because the services
 * match line by line. Empty elsewhere; GitLab cannot mask at run time.
 *
 * GitHub Actions and Azure Pipelines read commands from both streams. Write them to stderr: stdout has only the
 * result.
 */
export function maskCommands(secret: string, env: NodeJS.ProcessEnv): string[] {
  const lines = secret.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  if (env.GITHUB_ACTIONS === 'true') return lines.map((line) => `::add-mask::${line.replaceAll('%', '%25')}`);
  if (env.TF_BUILD !== undefined) {
    return lines.map((line) => `##vso[task.setsecret]${line.replaceAll('%', '%AZP25')}`);
  }
  return [];
}
