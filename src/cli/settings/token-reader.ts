import type { Endpoint } from '../../api/endpoint.ts';
import type { TokenPlan } from '../../api/token-plan.ts';
import type { Host } from '../../command/host.ts';
import type { Credentials } from '../../config/credentials.ts';
import { usage } from '../../errors.ts';
import { resolveHomePath } from '../../io/resolve-path.ts';
import type { ServiceName } from '../../wire/services.ts';

interface Parts {
  readonly host: Pick<Host, 'cwd' | 'env' | 'home'>;
  readonly profile: { readonly credentials: Pick<Credentials, 'get'> };
}

/** Reads the token of the settings of a service; undefined: it has none. */
export type TokenReader = (
  service: ServiceName,
  plan: TokenPlan | undefined,
  what?: string,
) => Promise<string | undefined>;

/** Reads tokens where the settings have them: in a variable, a file, or stored with a profile. */
export const tokenReader =
  ({ host, profile }: Parts): TokenReader =>
  async (service, plan, what = 'token') => {
    if (!plan) return undefined;
    if (plan.from === 'variable') {
      const value = host.env[plan.name];
      if (!value) throw usage(`cannot read the ${what}: the environment variable ${plan.name} is not set`);
      const reference = /^(env|file):\/\//.exec(value)?.[0];
      if (reference !== undefined)
        throw usage(`invalid ${plan.name}: expected a ${what}, not a reference (${reference})`, {
          hint: `To use a reference, run \`lanyard profile put NAME ${service}.token=${reference}...\`.`,
        });
      return value;
    }
    if (plan.from === 'file') {
      const { readText } = await import('../../io/files.ts');
      return (await readText(resolveHomePath(host, plan.path), `the ${what} file`)).trim();
    }
    return profile.credentials.get(plan.profile, service);
  };

/** The source of a token, for the curl command of a dry run. */
export function sourceOf(plan: TokenPlan | undefined): NonNullable<Endpoint['tokenSource']> {
  if (!plan) return { words: 'a token' };
  if (plan.from === 'variable') return { variable: plan.name };
  return {
    words:
      plan.from === 'file'
        ? `the token in the file ${plan.path}`
        : `the token stored in the profile ${plan.profile}`,
  };
}
