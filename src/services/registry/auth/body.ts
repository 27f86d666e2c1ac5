import { FieldError, type Fields } from '../../core/http/fields.ts';
import type { HttpRequest } from '../../core/http/http-service.ts';
import { decodeKnownFields, names, type Shape } from '../acl/body.ts';
import { rejectNamespace } from '../read-parameters.ts';

/** Maximum length of metadata as JSON: it is stored for callers who are not authenticated yet. */
const maxMetaLength = 4_096;

/** The fields of all steps: a login, or one with OIDC. */
const loginShape: Shape = {
  ...names('AuthMethod', 'BearerToken', 'Meta', 'Namespace'),
  ...names('RedirectURI', 'ClientNonce', 'State', 'Code'),
};

/**
 * Reads the body of a login, or of an OIDC step: the common fields, and the rest.
 *
 * @throws HttpError 400; namespaces are rejected, as in a query
 */
export async function readLogin<Rest>(request: HttpRequest, read: (fields: Fields) => Rest) {
  const { namespace, ...input } = await decodeKnownFields(
    request,
    'Failed to decode request body',
    loginShape,
    (fields) => ({
      ...read(fields),
      name: fields.string('AuthMethod'),
      meta: readMeta(fields),
      namespace: fields.string('Namespace'),
    }),
  );
  if (namespace !== '') rejectNamespace();
  return input;
}

function readMeta(fields: Fields) {
  const meta = fields.stringMap('Meta');
  if (JSON.stringify(meta).length <= maxMetaLength) return meta;
  throw new FieldError(`Meta has at most ${maxMetaLength} characters as JSON`);
}
