import { decode, FieldError, Fields } from '../../http/fields.ts';
import { HttpRefusal, type HttpRequest } from '../../http/service.ts';

/** Characters of metadata, as JSON: it is kept for those who have not proved who they are. */
const longestMeta = 4_096;

/**
 * Reads the body of a login, and of the parts of one at a provider: what they have in common, and the rest.
 * @throws HttpRefusal 400; there are no namespaces, in a body as little as in a query
 */
export async function readLogin<Rest>(request: HttpRequest, read: (fields: Fields) => Rest) {
  const { namespace, ...found } = await decode(request, 'Failed to decode request body', (body) => {
    const fields = new Fields(body ?? {});
    return {
      ...read(fields),
      name: fields.text('AuthMethod'),
      meta: metaOf(fields),
      namespace: fields.text('Namespace'),
    };
  });
  if (namespace === '') return found;
  throw new HttpRefusal(400, 'Invalid query parameter: "ns" - Namespaces are a Consul Enterprise feature');
}

function metaOf(fields: Fields) {
  const meta = fields.textMap('Meta');
  if (JSON.stringify(meta).length <= longestMeta) return meta;
  throw new FieldError(`Meta has at most ${longestMeta} characters as JSON`);
}
