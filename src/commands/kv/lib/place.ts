import type { Place } from '../../../command/api.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { compact } from '../../../wire/objects.ts';
import type { SecretPath } from './secret-path.ts';

export const toProfileFlag = flag.name('NAME', 'profile of the destination (default: of the source)', {
  completes: 'profile',
});
export const toNamespaceFlag = flag.text('NS', 'namespace of the destination', {
  completes: 'secrets-namespace',
});

/** One end of a copy. */
export interface End {
  readonly path: SecretPath;
  readonly service: string;
}

/** The API of another profile or namespace; this one if neither is given. */
export async function apiAt(
  { api }: Pick<Context, 'api'>,
  profile: string | undefined,
  namespace: string | undefined,
): Promise<Context['api']> {
  if (profile === undefined && namespace === undefined) return api;
  const place: Place = compact({ profile, namespace });
  return api.elsewhere(place);
}

/** The service that an API calls and its namespace, to compare two. */
export async function serviceOf(api: Context['api']): Promise<string> {
  const { address, namespace = '' } = await api.settings('secrets');
  return `${address} ${namespace.replace(/^\/+|\/+$/g, '')}`;
}

/** Whether two paths of the same service are equal, or one is below the other. */
export function overlap(one: End, other: End): 'same' | 'inside' | 'outside' | undefined {
  if (one.service !== other.service) return undefined;
  if (one.path.name === other.path.name) return 'same';
  if (other.path.name.startsWith(`${one.path.name}/`)) return 'inside';
  return one.path.name.startsWith(`${other.path.name}/`) ? 'outside' : undefined;
}
