import { permissionHint, requestOidcToken } from '../../api/oidc-token.ts';
import { environmentProxies } from '../../api/proxies.ts';
import type { Host } from '../../command/host.ts';
import { usage } from '../../errors.ts';
import type { Io } from '../../io/io.ts';
import { parseDuration } from '../../wire/duration.ts';
import type { Globals } from '../parse/globals.ts';
import { version } from '../version.ts';

interface Parts {
  readonly host: Pick<Host, 'env' | 'random' | 'signal'>;
  readonly io: Pick<Io, 'readSecret' | 'mask' | 'note' | 'warn' | 'detail'>;
  readonly globals: Pick<Globals, 'timeout' | 'dryRun' | 'curl'>;
}

/**
 * Reads a JWT from its source: the sources of every secret, and two of CI services. `github://AUDIENCE` requests the OIDC
 * token of the job from GitHub Actions (without an audience: for the default one); `gitlab://NAME` reads a variable of
 * `id_tokens`. The token is masked in the log. A dry run requests none.
 *
 * @param what in messages: "JWT".
 * @throws LanyardError usage: not in such a job, or an invalid source; else as `requestOidcToken`.
 */
export async function readJwt(source: string | undefined, what: string, parts: Parts): Promise<string> {
  const [, scheme, name = ''] = /^(github|gitlab):\/\/(.*)$/s.exec(source ?? '') ?? [];
  if (scheme === undefined) return parts.io.readSecret(source, what);
  const token = scheme === 'github' ? await githubToken(name, what, parts) : gitlabToken(name, what, parts);
  parts.io.mask(token);
  return token;
}

async function githubToken(audience: string, what: string, { host, io, globals }: Parts): Promise<string> {
  if (/[\0-\x20\x7f]/.test(audience))
    throw usage(`${what}: invalid audience in "github://": spaces and control characters are not allowed`);
  const {
    ACTIONS_ID_TOKEN_REQUEST_URL: url,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
    GITHUB_ACTIONS,
  } = host.env;
  if (!url || !token)
    throw usage(
      `${what}: cannot request an OIDC token: ${url ? 'ACTIONS_ID_TOKEN_REQUEST_TOKEN' : 'ACTIONS_ID_TOKEN_REQUEST_URL'} is not set`,
      {
        hint:
          GITHUB_ACTIONS === 'true' ? permissionHint : '"github://" is available in jobs of GitHub Actions.',
      },
    );
  if (globals.dryRun || globals.curl) return 'requested-from-github-actions';
  return requestOidcToken(
    { url, token, audience },
    {
      timeout: (parseDuration(globals.timeout ?? '30s') ?? 30) * 1000,
      signal: host.signal,
      userAgent: `lanyard/${version}`,
      random: () => host.random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32,
      note: io.note,
      warn: io.warn,
      detail: io.detail,
    },
    environmentProxies(host.env),
  );
}

function gitlabToken(name: string, what: string, { host }: Parts): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw usage(`${what}: invalid source "gitlab://": expected gitlab://NAME, with a name of id_tokens`);
  const token = Object.hasOwn(host.env, name) ? host.env[name] : undefined;
  if (token) return token;
  throw usage(`${what}: the environment variable ${name} is ${token === '' ? 'empty' : 'not set'}`, {
    hint: `Declare it in the job: "id_tokens: { ${name}: { aud: ... } }".`,
  });
}
