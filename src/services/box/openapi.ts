import { describedOperations, parameterSchemas } from '../core/openapi/described-operations.ts';
import type { ServiceDescription } from '../core/openapi/description.ts';
import { jsonSchemaOf } from '../core/schema/json-schema.ts';
import * as s from '../core/schema/types.ts';
import { error } from './objects.ts';
import { boxRoutes } from './routes.ts';

const { operations, schemas } = describedOperations(boxRoutes(), true);
const components = new Map(Object.entries(schemas));
const errorSchema = jsonSchemaOf(error, 'response', { components, acceptsNull: false });

/** The box registry, for its OpenAPI document. */
export const boxDescription: ServiceDescription = {
  name: 'box',
  title: 'Box registry',
  description:
    'Boxes, versions, providers and images of the embedded box registry of Lanyard, which speaks the protocol of Vagrant Cloud. `api/v2` has the same operations as `api/v1`, and shows all architectures. Callers without a token see public boxes. Unknown fields are ignored, and null counts as missing. Images are uploaded to another origin, whose address is in `upload_path`.',
  port: 8090,
  tags: {
    Boxes: 'Boxes and search.',
    Versions: 'Versions of a box.',
    Providers: 'Providers of a version.',
    Uploads: 'Uploads of images.',
    Downloads: 'Metadata and images for clients.',
    Tokens: 'Tokens and two-factor authentication.',
    Owners: 'Users and organizations.',
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
    atlasToken: { type: 'apiKey', in: 'header', name: 'X-Atlas-Token' },
    boxToken: { type: 'apiKey', in: 'header', name: 'X-Box-Token' },
  },
  hasAnonymousCallers: true,
  parameters: parameterSchemas({
    username: s.string('Name of the user or organization.'),
    name: s.string('Name of the box.'),
    version: s.string('Version, such as `1.2.3`.'),
    provider: s.string('Name of the provider, such as `virtualbox`.'),
    architecture: s.string('Architecture, such as `amd64`.'),
    upload: s.string('ID of the upload, from its `callback`.'),
    file: s.string('Name of the provider, then `.box`.'),
  }),
  headers: {
    image: parameterSchemas({ ETag: s.string(), 'Accept-Ranges': s.string() }),
    range: parameterSchemas({ ETag: s.string(), 'Accept-Ranges': s.string(), 'Content-Range': s.string() }),
    redirect: parameterSchemas({ Location: s.string('URL of the image.') }),
  },
  schemas: Object.fromEntries(components),
  error: { schema: errorSchema },
  // 429: over a rate limit, or too many password checks; 503: maintenance.
  commonErrors: { all: [429, 500, 503], authenticated: [401], withBody: [400, 413] },
  operations,
};
