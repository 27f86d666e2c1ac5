import * as s from '../../core/schema/types.ts';
import { anyObject, attributesOf, scopeType } from './fields.ts';
import { tokenFields } from './tokens.ts';

const required = 'This is a required field.';

export const loginAttributes = {
  login: {
    login_name: s.required(s.string('For `login`.'), required),
    password: s.required(s.string('For `login`.'), required),
  },
  start: { roundtrip_payload: s.optional(anyObject('For `start`.')) },
  token: { token_id: s.optional(s.string('For `token`.')) },
};

export const authenticateInput = s.named(
  'Authenticate',
  s.object({
    command: s.optional(s.string('`login` (default); for oidc `start` or `token`, which always fail.')),
    type: s.optional(s.string('`token`, which is returned in the response.')),
    attributes: s.optional(
      attributesOf(
        s.object(s.partial({ ...loginAttributes.login, ...loginAttributes.start, ...loginAttributes.token })),
      ),
    ),
  }),
);
export type AuthenticateInput = s.Input<typeof authenticateInput>;

export const login = s.named(
  'AuthenticateResponse',
  s.object({
    command: s.oneOf(['login']),
    type: s.omitEmpty(s.string('As in the request.')),
    attributes: s.object({
      ...tokenFields,
      scope: s.object({ id: s.string(), type: scopeType }),
      token: s.string('The token. It is not shown again.'),
    }),
  }),
);
