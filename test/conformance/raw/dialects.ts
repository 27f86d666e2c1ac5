import type { Dialect } from '../dialects.ts';

/**
 * Accepted differences between the responses of a product and of the embedded service to raw requests, besides the
 * entries of `../dialects.ts` that name no step. `step` is the name of the request, `request` its method and path as
 * in the list.
 */
export const rawDialects: readonly Dialect[] = [
  // Nomad.
  {
    product: 'nomad',
    request: 'GET /v1/acl/polic*',
    what: ['*JobACL: unexpected', 'RulesJSON: unexpected'],
    reason: 'dialect',
    text: 'Policies have `JobACL`, and one policy its parsed rules in `RulesJSON`.',
  },
  {
    product: 'nomad',
    step: 'policy: delete, missing',
    what: 'status 200, embedded 404',
    reason: 'embedded is stricter',
    text: 'Deleting a missing policy is a 200.',
  },
  {
    product: 'nomad',
    step: 'policy: without rules',
    what: 'status 200, embedded 400',
    reason: 'embedded is stricter',
    text: 'A policy without rules is accepted.',
  },
  {
    product: 'nomad',
    request: 'GET /v1/acl/token*',
    what: ['status 500, embedded 403', 'status 500, embedded 404', 'status 500, embedded 200'],
    reason: 'dialect',
    text: 'A token, an accessor ID or a prefix that is no UUID is an internal error (500).',
  },
  {
    product: 'nomad',
    step: 'variable: write to a missing namespace',
    what: 'status 200, embedded 500',
    reason: 'embedded is stricter',
    text: 'A management token can write variables in a missing namespace.',
  },
  {
    product: 'nomad',
    step: 'status: unknown method',
    what: 'status 405, embedded 400',
    reason: 'dialect',
    text: 'A method that HTTP does not define is a 405; embedded, the request is malformed (400).',
  },
  {
    product: 'nomad',
    request: 'GET *',
    what: ['type none, embedded text/plain', 'body: none, not text'],
    reason: 'dialect',
    text: 'An unknown path is a 404 without a body; embedded, with a text.',
  },
];
