import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import * as s from '../../core/schema/types.ts';
import { only, rejectNamespace } from '../read-parameters.ts';
import type { Meta } from './login.ts';

/** Maximum length of metadata as JSON: it is stored for callers who are not authenticated yet. */
const maxMetaLength = 4_096;

const meta = s.nullable(s.map(s.string(), 'Metadata for the description of the token.'));

const common = {
  AuthMethod: s.required(s.string()),
  Meta: s.converted(meta, toMeta),
  Namespace: s.described('Must be empty.', only([''], rejectNamespace)),
};
const ofOtherSteps = s.each(
  ['BearerToken', 'RedirectURI', 'ClientNonce', 'State', 'Code'],
  s.responseOnly(s.string()),
);

/** A login, or a step with OIDC. The fields of the others are known, and have no effect. */
const step = <F extends s.Fields>(fields: F) => ({
  body: s.object<typeof common & F>({ ...ofOtherSteps, ...common, ...fields }),
  bodyError: 'Failed to decode request body',
  rejectsUnknownFields: 'with hint' as const,
  isUnauthenticated: true,
  // The auth method is unknown, or the login is not allowed.
  errors: [403],
});
const nonce = s.string('The same in both steps.');
const fromRedirect = s.required(s.string('From the redirect of the provider.'));

/** What the operations of logins have in common with each other. */
export const loginSteps = {
  login: step({ BearerToken: s.required(s.string()) }),
  oidcStart: step({ RedirectURI: s.required(s.string()), ClientNonce: nonce }),
  oidcEnd: step({ State: fromRedirect, Code: fromRedirect, ClientNonce: nonce }),
};

/** @throws FieldError */
function toMeta(value: Json): Meta {
  if (!isObject(value)) throw new Error('an object');
  if (!Object.values(value).every((each) => typeof each === 'string')) throw new Error('a map of strings');
  if (JSON.stringify(value).length > maxMetaLength)
    throw new FieldError(`Meta has at most ${maxMetaLength} characters as JSON`);
  return value as Meta;
}
