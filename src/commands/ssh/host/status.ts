import { command, flag } from '../../../command/command.ts';
import { bad, dim, good, listTable, type Span, text } from '../../../output/document.ts';
import type { Check } from '../lib/host/checks.ts';
import { sshdConfigFlag } from '../lib/host/enrollment.ts';
import { readManifest } from '../lib/host/manifest.ts';
import { defaultConfig, hostPaths } from '../lib/host/paths.ts';
import { notEnrolledError } from '../lib/host/renew.ts';
import { hostStatus } from '../lib/host/status.ts';

const stateText: Readonly<Record<Check['state'], Span>> = {
  ok: good('ok'),
  problem: bad('problem'),
  unknown: dim('not checked'),
};

export default command({
  description:
    'Checks the host certificates, the effective settings of sshd, the CAs of users, the revocation list, the timer and the login of renewals. The exit code is 1 if there is a problem. What could not be checked, because the service is unreachable, is not a problem.',
  examples: ['lanyard ssh host status', 'lanyard ssh host status --offline -o json'],
  service: 'secrets',
  changes: ['secrets token'],
  flags: {
    sshdConfig: sshdConfigFlag,
    offline: flag.boolean('check this machine only'),
  },
  async run({ flags }, ctx) {
    const paths = hostPaths(ctx.files.absolute(flags.sshdConfig ?? defaultConfig));
    const manifest = await readManifest(paths, ctx);
    if (manifest === undefined) throw notEnrolledError(paths);
    const checks = await hostStatus(manifest, paths, flags.offline, ctx);
    const isHealthy = checks.every(({ state }) => state !== 'problem');
    const { method } = manifest.enrollment.login;
    return {
      data: {
        /** Whether no check found a problem. */
        healthy: isHealthy,
        /** How renewals log in. */
        method,
        /** The files with secrets, of mode 0600. */
        secrets: (await ctx.files.exists(paths.secretId)) ? [paths.secretId] : [],
        checks,
      },
      exitCode: isHealthy ? undefined : 1,
      document: [
        listTable(checks, undefined, {
          STATE: ({ state }) => stateText[state],
          NAME: ({ name }) => name,
          RESULT: { mayOverflow: true, cell: ({ message }) => message },
        }),
        ...((await ctx.files.exists(paths.secretId))
          ? [text('Files with secrets: ', paths.secretId, '.')]
          : []),
      ],
    };
  },
});
