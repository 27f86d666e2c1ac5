import { type Answer, jsonAnswer } from '../../http/service.ts';
import { readableBox } from '../access.ts';
import type { Call } from '../http/call.ts';
import type { Box, Version } from '../state/boxes.ts';
import { isUsable } from '../usable.ts';
import { checksumView, descriptionView, downloadUrl, inDialect } from '../views.ts';

/**
 * The document by which a box is added to a machine: released versions, and images that can be had
 * (docs/protocol/box.md#metadata-of-a-box).
 */
export function getMetadata(call: Call): Answer {
  const box = readableBox(call);
  return jsonAnswer(200, {
    name: `${box.owner}/${box.name}`,
    short_description: box.shortDescription,
    description: box.description ?? '',
    versions: box.versions
      .filter(({ status }) => status === 'active')
      .map((version) => ({
        version: version.version,
        status: version.status,
        ...descriptionView(version.description),
        providers: providersOf(call, box, version),
      })),
  });
}

function providersOf(call: Call, box: Box, version: Version): object[] {
  const usable = version.providers.filter((each) => isUsable(call.registry, each));
  return inDialect(call, usable).map((provider) => ({
    name: provider.name,
    url: downloadUrl(call, box, version, provider),
    ...checksumView(call, provider),
    architecture: provider.architecture,
    default_architecture: provider.isDefault,
  }));
}
