import { operationsIn, type ServiceDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/schema/types.ts';
import { errorSchema } from '../errors.ts';
import { routes } from '../routes.ts';

/** The account service, for its OpenAPI document. */
export const accountsDescription: ServiceDescription = {
  name: 'accounts',
  title: 'Account service',
  description:
    'Scopes, auth methods, accounts, users, roles and tokens of the embedded account service of Lanyard, which speaks the protocol of Boundary. Fields that are null, empty or unknown are ignored in requests, and empty fields are left out of responses. Errors about the path or the method have no body.',
  port: 9200,
  tags: {
    Health: 'Availability.',
    Scopes: 'The global scope, organizations and projects.',
    'Auth methods': 'Ways to log in. Only type password can be used.',
    'Auth tokens': 'Tokens of logins.',
    Users: 'Users and their accounts.',
    Roles: 'Roles: what users are permitted, by grants.',
    Accounts: 'Accounts of auth methods, and their passwords.',
  },
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  rejectsNullItems: true,
  parameters: { id: s.string('ID of the resource.') },
  error: { body: errorSchema },
  // 429: over a rate limit, or too many password checks.
  commonErrors: { all: [429, 500], authenticated: [401, 403], withBody: [400, 413] },
  // The path of an action ends in `:id:action`.
  templateOf: (template) => template.replace(/\{id\}\//, '{id}:'),
  operations: operationsIn(routes),
};
