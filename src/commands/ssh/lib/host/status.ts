import type { Context } from '../../../../command/context.ts';
import { isFailure } from '../../../../errors.ts';
import { formatTimestamp, relativeTime } from '../../../../output/humanize.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { certificateState } from '../renewal.ts';
import { type Check, notCompared, ok, problem, unknown } from './checks.ts';
import { settingsWithoutEffect } from './configuration.ts';
import { type HostClient, hostClient } from './login.ts';
import { type Manifest, readJournal } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { rejectOtherService } from './renew.ts';
import { checkRevoked } from './revoked.ts';
import { findSshd, readSshdSettings } from './sshd.ts';
import { hashOf, targetCertificates } from './targets.ts';
import { readTimer } from './units.ts';
import { keysIn, readUserCas } from './user-cas.ts';

interface Host {
  readonly paths: HostPaths;
  readonly manifest: Manifest;
  readonly keys: Keys;
  readonly client: HostClient;
  /** Why the service is not asked; undefined: it is. */
  readonly offline: string | undefined;
}

/** Checks an enrolled host; the service is asked unless `isOffline`. */
export async function hostStatus(
  manifest: Manifest,
  paths: HostPaths,
  isOffline: boolean,
  ctx: Context,
): Promise<readonly Check[]> {
  const keys = await ctx.ssh.keys();
  const client = hostClient(manifest.enrollment.login, paths, ctx);
  const offline = isOffline
    ? 'not compared with the service (--offline)'
    : await rejectOtherService(manifest.enrollment, ctx).then(
        () => undefined,
        (error: unknown) => {
          if (!isFailure(error)) throw error;
          return `not compared with the service: ${error.message}`;
        },
      );
  const host: Host = { paths, manifest, keys, client, offline };
  try {
    return [
      ...(await certificateChecks(host, ctx)),
      ...(await sshdChecks(host, ctx)),
      ...(await userCaChecks(host, ctx)),
      ...(await checkRevoked(host, ctx)),
      ...(await fileChecks(host, ctx)),
      ...(await timerChecks(host, ctx)),
      ...(await loginChecks(host, ctx)),
    ];
  } finally {
    await client.end();
  }
}

async function certificateChecks({ manifest, client, keys }: Host, ctx: Context): Promise<readonly Check[]> {
  const now = ctx.system.clock().getTime() / 1000;
  const targets = await targetCertificates(manifest.enrollment, client, keys, ctx);
  return Promise.all(
    targets.map(async ({ path, signing, isDue }) => {
      const { current } = await certificateState(path, signing, keys, ctx);
      if (current === undefined) return problem(path, 'missing, or not a certificate');
      const { principals, validBefore, signingCa } = current.certificate;
      const end =
        validBefore === undefined
          ? 'without expiry'
          : `until ${formatTimestamp(new Date(validBefore * 1000))} (${relativeTime(validBefore - now)})`;
      if (validBefore !== undefined && validBefore <= now) return problem(path, `expired: valid ${end}`);
      if (!current.isUsable) return problem(path, 'is for another key, other names or another mount');
      const due = isDue ? '; due for renewal' : '';
      return ok(path, `valid ${end} for ${principals.join(', ')}; CA ${signingCa.fingerprint}${due}`);
    }),
  );
}

async function sshdChecks({ manifest, paths }: Host, ctx: Context): Promise<readonly Check[]> {
  const name = paths.config;
  if ((await readJournal(paths, ctx)) !== undefined)
    return [problem(name, 'a change was interrupted; run `lanyard ssh host enroll` again')];
  try {
    const settings = await readSshdSettings(await findSshd(paths.config, ctx), ctx);
    const others = settingsWithoutEffect(manifest.enrollment, paths, settings);
    return others.length === 0
      ? [ok(name, 'sshd uses the certificates and files')]
      : others.map((message) => problem(name, message));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [problem(name, [error.message, ...error.details].join(': '))];
  }
}

async function userCaChecks(
  { manifest, paths, client, keys, offline }: Host,
  ctx: Context,
): Promise<readonly Check[]> {
  const { userCas } = manifest.enrollment;
  if (userCas.length === 0) return [];
  const name = paths.userCas;
  if (!(await ctx.files.isFile(name))) return [problem(name, 'missing: no user certificate is accepted')];
  const found = keysIn(await ctx.files.readText(name, 'the CAs of users'));
  const fingerprints = found.map((line) => keys.readPublicKey(line, name).info.fingerprint).join(', ');
  if (offline !== undefined) return [unknown(name, `${fingerprints}; ${offline}`)];
  try {
    const bundles = await readUserCas(userCas, client);
    const current = bundles.flatMap(({ cas }) => keysIn(cas.map(({ publicKey }) => publicKey).join('\n')));
    const isSame = new Set(current).symmetricDifference(new Set(found)).size === 0;
    const missing = bundles.flatMap((bundle) => bundle.missing);
    if (missing.length > 0) return [unknown(name, `${fingerprints}; cannot read ${missing.join('; ')}`)];
    return isSame
      ? [ok(name, `${fingerprints}, as in the service`)]
      : [problem(name, `${fingerprints}; the service has other CAs: run \`lanyard ssh host renew\``)];
  } catch (error) {
    return [notCompared(name, fingerprints, error)];
  }
}

async function fileChecks({ manifest }: Host, ctx: Context): Promise<readonly Check[]> {
  const checks = await Promise.all(
    manifest.files.map(async ({ path, kind, hash }): Promise<readonly Check[]> => {
      if (kind !== 'configuration' && kind !== 'unit') return [];
      const current = await hashOf(path, ctx);
      if (current === hash) return [];
      return [problem(path, current === undefined ? 'missing' : 'changed after it was written')];
    }),
  );
  return checks.flat();
}

async function timerChecks({ manifest, paths }: Host, ctx: Context): Promise<readonly Check[]> {
  if (!manifest.enrollment.unitDirectory)
    return [unknown('timer', 'no timer of systemd: cron or you run `lanyard ssh host renew`')];
  const name = `${paths.unit}.timer`;
  const state = await readTimer(paths.unit, ctx);
  if (state === undefined) return [unknown(name, 'systemd does not run here')];
  if (!state.active || !state.enabled)
    return [
      problem(name, `${state.active ? 'not enabled' : 'not active'}: run \`lanyard ssh host enroll\` again`),
    ];
  const next = state.next === null ? '' : `, next run ${formatTimestamp(new Date(state.next))}`;
  const isFailed = state.lastResult !== null && state.lastResult !== 'success';
  return [(isFailed ? problem : ok)(name, `active${next}; last run: ${state.lastResult ?? 'none'}`)];
}

async function loginChecks(
  { manifest, paths, client, offline }: Host,
  ctx: Context,
): Promise<readonly Check[]> {
  const { method, tokenFile } = manifest.enrollment.login;
  const secret = method === 'approle' ? paths.secretId : tokenFile;
  const where = secret === undefined ? '' : ` with ${secret}`;
  const mode = secret === undefined ? undefined : await ctx.files.mode(secret);
  if (mode !== undefined && (mode & 0o077) !== 0)
    return [problem('login', `${secret} can be read by other users (mode ${mode.toString(8)})`)];
  if (offline !== undefined) return [unknown('login', `method ${method}${where}; ${offline}`)];
  try {
    await (await client.authenticated()).lookupSelf({});
    return [ok('login', `method ${method}${where}`)];
  } catch (error) {
    return [notCompared('login', `method ${method}${where}`, error)];
  }
}
