import { command } from '../../../command/command.ts';
import { sshdConfigFlag } from '../lib/host/enrollment.ts';
import { defaultConfig, hostPaths } from '../lib/host/paths.ts';
import { renewHost } from '../lib/host/renew.ts';
import { changesView } from '../lib/host/views.ts';

export default command({
  description:
    'The timer of "ssh host enroll" runs it. It reads the CAs of users and the revocation list again, and signs host keys whose certificate is due; sshd is reloaded if a certificate has changed. While the service is unavailable, all files stay in use.',
  examples: ['lanyard ssh host renew', 'lanyard ssh host renew --profile prod --quiet --no-input'],
  service: 'secrets',
  writes: true,
  changes: ['sshd files', 'secrets token'],
  flags: { sshdConfig: sshdConfigFlag },
  async run({ flags }, ctx) {
    const paths = hostPaths(ctx.files.absolute(flags.sshdConfig ?? defaultConfig));
    if (ctx.output.isDryRun) {
      const { planRenewal } = await import('../lib/host/plan.ts');
      return planRenewal(paths, ctx);
    }
    const changes = await renewHost(paths, ctx);
    return { data: changes, document: changesView(changes) };
  },
});
