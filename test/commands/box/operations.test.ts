import { describe, expect, test } from 'vitest';
import { boxOperations } from '../../../src/api/box.ts';
import { client } from '../../../src/api/client.ts';
import { transport } from '../../../src/api/http/client.ts';
import { LanyardError } from '../../../src/errors.ts';
import { homeForAll, servicesForEach } from '../../support/command-tests.ts';
import { endpointOf, optionsOf } from '../../unit/api/support.ts';

const names = Object.keys(boxOperations) as (keyof typeof boxOperations)[];
// The fields for all operations of the box registry, for an existing box.
const ofWeb = { username: 'dev', name: 'web', version: '1.0.0', number: '1.0.0' };
const ofLibvirt = { provider: 'libvirt', current: 'libvirt', architecture: 'unknown' };
const user = { login: 'dev', password: 'a long password' };
const bodies: { readonly [Name in keyof typeof boxOperations]?: object } = {
  createToken: { user },
  requestCode: { user, two_factor: { delivery_method: 'sms' } },
  createOrganization: { organization: { username: 'acme' } },
  createBox: { box: { username: 'dev', name: 'new' } },
  updateBox: { box: { description: 'x' } },
  createVersion: { version: { version: '2.0.0' } },
  updateVersion: { version: { description: 'x' } },
  createProvider: { provider: { name: 'kvm' } },
  updateProvider: { provider: { checksum_type: 'md5', checksum: 'a'.repeat(32) } },
  createArchitecture: { provider: { name: 'kvm', architecture: 'arm64' } },
  updateArchitecture: { provider: { default_architecture: true } },
};

describe('each operation of the box registry', () => {
  const at = homeForAll();
  const running = servicesForEach(at, {
    box: {
      owners: {
        users: [{ name: 'dev', password: user.password, phone: '+49 151 2345678' }],
      },
    },
  });

  test.each(names)('%s is reached by a route of the embedded service', async (name) => {
    const { addresses, embedded } = running;
    const send = transport(
      endpointOf(addresses.box, { service: 'box', token: async () => embedded.boxToken }),
      optionsOf(),
    );
    const box = client(boxOperations, send);
    await box.createBox({ box: { username: 'dev', name: 'web' } });
    await box.createVersion({ ...ofWeb, version: { version: '1.0.0' } });
    const { body: provider } = await box.createProvider({ ...ofWeb, provider: { name: 'libvirt' } });
    const { body: upload } = await box.prepareDirectUpload({ ...ofWeb, provider: 'libvirt' });
    await fetch(upload.upload_path, { method: 'PUT', body: 'an image' });
    if (name !== 'confirmUpload') await box.confirmUpload(upload);
    if (name === 'revokeVersion') await box.releaseVersion(ofWeb);

    const operation = box[name] as (input: object) => Promise<{ status: number }>;
    const { download_url } = provider;
    const { callback } = upload;
    const input = { ...ofWeb, ...ofLibvirt, callback, download_url, ...bodies[name] };
    const answer = await operation(input).catch((error: unknown) => {
      if (error instanceof LanyardError) return error;
      throw error;
    });
    // A login that requires a second factor has reached its route as well.
    expect([200, 204, ...(name === 'createToken' ? [406] : [])]).toContain(answer.status);
  });
});
