import { isHiddenMount } from '../api/conditions/secrets.ts';
import { insteadOf, isFailure, isNotFound, usage } from '../errors.ts';
import type { Identity, Reference, ScopeField, Services } from './kind.ts';
import { onceForMount, withoutSlashes } from './secrets-mounts.ts';

/** What the kinds share whose objects are in an auth method. */

/** The field of `metadata` for the auth method of an object. */
export const methodScope: readonly ScopeField[] = [
  { name: 'authMethod', canonical: withoutSlashes, description: 'Path of the auth method, below auth/.' },
];

/** The path of the auth method of an object, without slashes at its ends. */
export const methodOf = ({ scope }: Identity): string => scope.authMethod ?? '';

export const inMethod = (authMethod: string, key = ''): Identity => ({ scope: { authMethod }, key });

export const methodReference = (identity: Identity): Reference => ({
  kind: 'secrets.auth-method',
  identity: { scope: {}, key: `${methodOf(identity)}/` },
});

/** The auth methods of types: their paths, without slashes at the ends, and their types. */
export async function methodsOfTypes<Type extends string>(
  services: Services,
  types: readonly Type[],
): Promise<readonly (readonly [method: string, type: Type])[]> {
  const { body } = await (await services.secrets()).listAuthMethods({});
  return Object.entries(body.data).flatMap(([path, { type }]) => {
    const known = types.find((each) => each === type);
    return known === undefined ? [] : [[withoutSlashes(path), known] as const];
  });
}

/**
 * The type of an auth method, read once.
 *
 * @returns undefined: it does not exist.
 * @throws LanyardError forbidden: the token may not see it.
 */
export const methodType = (services: Services, method: string): Promise<string | undefined> =>
  onceForMount(services, `auth ${method}`, () => readType(services, method));

async function readType(services: Services, method: string): Promise<string | undefined> {
  const secrets = await services.secrets();
  try {
    const { path, type } = (await secrets.findMount({ path: `auth/${method}` })).body.data;
    // A namespace in the header may be part of the response; a shorter path is a mount above.
    return `/${path}`.endsWith(`/auth/${method}/`) || path === `${method}/` ? type : undefined;
  } catch (error) {
    // The service hides methods that the token may not use, and responds the same for those that do not exist.
    if (!isHiddenMount(error) && !isNotFound(error)) throw error;
    const listed = await secrets.listAuthMethods({}).catch(insteadOf(isFailure, undefined));
    if (!listed) throw error;
    return listed.body.data[`${method}/`]?.type;
  }
}

/** @throws LanyardError usage: the auth method does not exist, or has another type. */
export async function requireType(services: Services, method: string, type: string): Promise<void> {
  const found = await methodType(services, method);
  if (found === type) return;
  throw usage(
    found === undefined
      ? `auth method ${method}/ not found`
      : `auth method ${method}/ has type ${found}, not ${type}`,
    { service: 'secrets' },
  );
}
