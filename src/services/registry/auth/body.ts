import { decodeFields, FieldError, type Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';

/** Characters of metadata, as JSON: it is kept for those who have not proved who they are. */
const maxMetaLength = 4_096;

/**
 * Reads the body of a login, and of the parts of one at a provider: what they have in common, and the rest.
 * @throws HttpError 400; there are no namespaces, in a body as little as in a query
 */
export async function readLogin<Rest>(request: HttpRequest, read: (fields: Fields) => Rest) {
  const { namespace, ...input } = await decodeFields(request, 'Failed to decode request body', (fields) => ({
    ...read(fields),
    name: fields.string('AuthMethod'),
    meta: readMeta(fields),
    namespace: fields.string('Namespace'),
  }));
  if (namespace === '') return input;
  throw new HttpError(400, 'Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature');
}

function readMeta(fields: Fields) {
  const meta = fields.stringMap('Meta');
  if (JSON.stringify(meta).length <= maxMetaLength) return meta;
  throw new FieldError(`Meta has at most ${maxMetaLength} characters as JSON`);
}
