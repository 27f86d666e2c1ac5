import { decide } from './acl.ts';
import { canonicalGrant, type Grant, GrantError, parseGrant, templateOf } from './grants.ts';
import { hasChildTypes, isTopLevel, isWithin, parentType, typeOfId } from './types.ts';

/**
 * Reads the text of a grant that a role is to have, and checks that it can permit something.
 * @throws GrantError
 */
export function checkGrant(text: string): Grant {
  const grant = parseGrant(text);
  const field = grant.id === undefined ? 'ids' : 'id';
  const ids = grant.id === undefined ? grant.ids : [grant.id];
  if (new Set(ids.map(typeOfId)).size > 1 && ids.length > 1)
    throw new GrantError(
      `input grant string ${JSON.stringify(text)} contains ids of differently-typed resources`,
    );
  const resolved = ids.map((id) => examples[templateOf(id, field) ?? 'none'] ?? id);
  for (const id of resolved.length === 0 ? [''] : resolved) {
    const problem = id === '' ? collectionProblem(grant) : idProblem(grant, id);
    if (problem !== undefined) fail(grant, problem);
    if (grant.actions.length > 0 && !permitsSomething(grant, id))
      fail(grant, 'would not result in any action being authorized');
  }
  return grant;
}

/** IDs in place of templates. */
const examples: { readonly [template: string]: string } = { user: 'u_dummy', account: 'acctoidc_dummy' };

const fail = (grant: Grant, problem: string): never => {
  throw new GrantError(`parsed grant string ${JSON.stringify(canonicalGrant(grant))} ${problem}`);
};

function idProblem({ type, actions }: Grant, id: string): string | undefined {
  if (id === '*') return type === undefined ? 'contains wildcard id and no specified type' : undefined;
  const idType = typeOfId(id);
  if (idType === undefined) return `contains an id ${JSON.stringify(id)} of an unknown resource type`;
  if (type === undefined)
    return actions.includes('create') || actions.includes('list')
      ? 'contains create or list action in a format that does not allow these'
      : undefined;
  if (type === '*')
    return hasChildTypes(idType) ? undefined : 'contains an id that does not support child types';
  const parent = parentType(type);
  return parent === idType
    ? undefined
    : `contains type ${type} that is not a child type of the type (${parent}) of the specified id`;
}

/** A grant without an ID is one of a collection. */
function collectionProblem({ type, actions, outputFields }: Grant): string | undefined {
  if (type === undefined) return 'contains no id or type';
  if (type === '*') return 'contains wildcard type with no id value';
  if (actions.length === 0) return outputFields ? undefined : 'contains no actions or output fields';
  const has = (parent: string): boolean => actions.some((action) => isWithin(action, parent));
  const isAllowed =
    (actions.length === 1 && (has('create') || has('list'))) ||
    (actions.length === 2 && has('create') && has('list'));
  return isAllowed ? undefined : 'contains non-create or non-list action in a format that only allows these';
}

function permitsSomething(grant: Grant, id: string): boolean {
  const resolved = { ...grant, ids: id === '' ? [] : [id] };
  const pin = isTopLevel(grant.type) ? undefined : id;
  const target = { type: grant.type, id, ...(pin !== undefined && { pin }) };
  return grant.actions.some((action) => decide([resolved], target, action).isAuthorized);
}
