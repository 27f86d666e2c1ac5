import { command } from '../../../command/command.ts';
import { enrollFlags } from '../lib/host/enrollment.ts';
import { defaultConfig, hostPaths } from '../lib/host/paths.ts';

export default command({
  description:
    'Writes the certificates next to the keys, and the settings to a separate file that sshd_config includes; a systemd timer keeps everything current. sshd checks its configuration before it is reloaded, and every file is restored if it is invalid. Run again, it changes only what differs (see "lanyard help ssh-hosts").',
  examples: [
    'lanyard ssh host enroll --role hosts --mount ssh-hosts --user-ca ssh-users --method approle --role-id ID --wrapped-secret-id @wrapping-token',
    'lanyard ssh host enroll --user-ca ssh-users --no-timer',
    'lanyard ssh host enroll --role hosts --principals web1.example.com --token-file /run/agent/token --dry-run',
  ],
  service: 'secrets',
  writes: true,
  changes: ['sshd files', 'secrets token'],
  flags: enrollFlags,
  async run({ flags }, ctx) {
    const paths = hostPaths(ctx.files.absolute(flags.sshdConfig ?? defaultConfig));
    if (ctx.output.isDryRun) {
      const { planEnrollment } = await import('../lib/host/plan.ts');
      return planEnrollment(flags, paths, ctx);
    }
    const [{ enroll }, { changesView, nextSteps }] = await Promise.all([
      import('../lib/host/enroll.ts'),
      import('../lib/host/views.ts'),
    ]);
    const { enrollment, generatedKey, ...changes } = await enroll(flags, paths, ctx);
    const { cron, blocks } = await nextSteps({ enrollment, generatedKey, ...changes }, paths, ctx);
    return {
      data: {
        /** Files that were written, also certificates; none: the host was up to date. */
        written: changes.written,
        /** Files of an earlier enrollment that are as they were before it. */
        restored: changes.restored,
        /** The host key that was generated; null: sshd had one. */
        generatedKey: generatedKey ?? null,
        /** The command that reloaded sshd; null: not necessary, or sshd does not run. */
        reloaded: changes.reloaded,
        /** The names in the host certificate. */
        principals: enrollment.principals ?? [],
        /** The timer of systemd; null: none. */
        timer: enrollment.unitDirectory ? `${paths.unit}.timer` : null,
        /** The line for cron, if no timer was installed; null: not needed. */
        cron,
      },
      document: [...changesView(changes), ...blocks],
    };
  },
});
