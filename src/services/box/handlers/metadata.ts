import { jsonResponse } from '../../core/http/http-service.ts';
import { requireReadableBox } from '../auth.ts';
import { type Call, operations, read } from '../call.ts';
import { isDownloadable } from '../images/downloadable.ts';
import type { Box, Version } from '../model/boxes.ts';
import { metadata } from '../objects.ts';
import { checksumView, descriptionView, downloadUrl, providersForApiVersion } from '../views.ts';

const operation = operations('Downloads');

/** Released versions, and providers with a downloadable image (docs/protocol/box.md#metadata-of-a-box). */
export const getMetadata = operation('getMetadata', 'Get the document from which clients add a box', {
  ...read,
  returns: metadata,
  handle(call) {
    const box = requireReadableBox(call);
    return jsonResponse(200, {
      name: `${box.owner}/${box.name}`,
      short_description: box.shortDescription,
      description: box.description ?? '',
      versions: box.versions
        .filter(({ status }) => status === 'active')
        .map((version) => ({
          version: version.version,
          status: version.status,
          ...descriptionView(call, version.description),
          providers: providerEntries(call, box, version),
        })),
    });
  },
});

function providerEntries(call: Call, box: Box, version: Version): object[] {
  const downloadable = version.providers.filter((each) => isDownloadable(call.registry, each));
  return providersForApiVersion(call, downloadable).map((provider) => ({
    name: provider.name,
    url: downloadUrl(call, { box, version, provider }),
    ...checksumView(call, provider),
    architecture: provider.architecture,
    default_architecture: provider.isDefault,
  }));
}
