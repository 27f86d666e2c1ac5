import {
  isMissingAppRole,
  isMissingSecretId,
  saysMissingAppRole,
} from '../../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../../api/secrets.ts';
import { describeAs } from '../../../../errors.ts';
import { timestampText } from '../../../../output/humanize.ts';

/** A role of an approle method; `mount` is below `auth/`. */
export interface AppRolePath {
  readonly mount: string;
  readonly name: string;
}

/** Reports a missing role as not found. */
export const describeMissingAppRole = (
  { mount, name }: AppRolePath,
  isMissing: (error: unknown) => boolean = isMissingAppRole,
) =>
  describeAs(isMissing, 'not_found', `role "${name}" of auth method "${mount}/" not found`, {
    hint: `Run \`lanyard secrets auth role list ${mount}\` for the existing roles.`,
  });

/** The properties of a secret ID. @throws LanyardError not_found: it or its role does not exist */
export async function findSecretId(secrets: SecretsClient, path: AppRolePath, accessor: string) {
  const missing = `secret ID "${accessor}" not found: it does not exist, has expired or was used up`;
  const { body } = await secrets
    .lookUpSecretId({ ...path, secret_id_accessor: accessor })
    .catch(describeMissingAppRole(path, saysMissingAppRole))
    .catch(
      describeAs(isMissingSecretId, 'not_found', missing, {
        hint: `Run \`lanyard secrets auth role secret-id list ${path.mount} ${path.name}\` for the existing ones.`,
      }),
    );
  return body.data;
}

/** When a secret ID expires, as text. The service sends the year 1 for never. */
export const secretIdExpiry = (time: string | undefined): string | undefined =>
  time?.startsWith('0001-') ? 'never' : timestampText(time);
