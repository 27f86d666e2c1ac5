import type { SecretsClient } from '../../../../api/secrets.ts';
import type { Context } from '../../../../command/context.ts';
import { insteadOf, isFailure, listOrEmpty } from '../../../../errors.ts';
import type { RoleFields } from './change.ts';

/** Fields with names of policies. Patterns and templates are no names. */
const policyFields = ['token_policies', 'allowed_policies'];

/**
 * Warns about policies that do not exist: the service accepts any name, and the tokens get nothing from it. A token that
 * may not list policies gets no warning.
 */
export async function warnAboutMissingPolicies(
  secrets: SecretsClient,
  sent: RoleFields,
  { output }: Pick<Context, 'output'>,
): Promise<void> {
  const named = policyFields.flatMap((field) => namesIn(sent[field]));
  if (named.length === 0) return;
  const listing = listOrEmpty(secrets.listPolicies({})).then(({ body }) => body.data.keys ?? []);
  const existing = await listing.catch(insteadOf(isFailure, undefined));
  if (existing === undefined) return;
  const isKnown = (name: string) => name === 'root' || existing.includes(name.toLowerCase());
  for (const name of new Set(named))
    if (!isKnown(name) && !name.includes('{{')) output.warn(`policy "${name}" does not exist`);
}

const namesIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((name) => name.trim())
    .filter((name) => name !== '');
