import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { normalize, tar } from './archive.ts';
import { sha256 } from './checksums.ts';
import { certificates, debianPackages, unpackLibraries } from './debian.ts';
import { type Contents, layout } from './layout.ts';
import { place } from './linux-packages.ts';
import { debianArch, type Target } from './targets.ts';

/** The user of the image: no root, no entry of a real user. */
export const user = 65532;

const folders = ['etc', 'home/lanyard', 'tmp', 'usr/lib', 'usr/bin', 'var/tmp'];

/** Writes the root folder of the image for a target. Needs apt-get and dpkg-deb. */
export function imageRoot(target: Target, contents: Contents, folder: string): string {
  const root = join(folder, 'root');
  for (const path of folders) mkdirSync(join(root, path), { recursive: true });
  for (const path of ['tmp', 'var/tmp']) chmodSync(join(root, path), 0o1777);
  for (const archive of debianPackages(target, folder)) unpackLibraries(archive, root, folder);
  if (existsSync(join(root, 'usr/lib/os-release')))
    symlinkSync('../usr/lib/os-release', join(root, 'etc/os-release'));
  const authorities = certificates(root);
  rmSync(join(root, 'usr/share/ca-certificates'), { recursive: true });
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
  const files = {
    'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nlanyard:x:${user}:${user}:lanyard:/home/lanyard:/sbin/nologin\n`,
    'etc/group': `root:x:0:\nlanyard:x:${user}:\n`,
    'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    'etc/ssl/certs/ca-certificates.crt': authorities,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  place(layout('rpm', contents), root);
  return root;
}

type Descriptor = { mediaType: string; digest: string; size: number };

interface ImageInfo {
  readonly version: string;
  /** Commit of the sources, in hexadecimal. */
  readonly revision: string;
  readonly seconds: number;
}

/** The configuration of the image for one platform. */
export function imageConfig(
  { version, revision, seconds }: ImageInfo,
  { arch }: Target,
  diffId: string,
): object {
  const created = new Date(seconds * 1000).toISOString();
  return {
    created,
    architecture: debianArch[arch],
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      Env: ['PATH=/usr/bin', 'HOME=/home/lanyard', 'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt'],
      Entrypoint: ['/usr/bin/lanyard'],
      WorkingDir: '/home/lanyard',
      Labels: {
        'org.opencontainers.image.title': 'lanyard',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': revision,
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'MIT',
      },
    },
    rootfs: { type: 'layers', diff_ids: [diffId] },
    history: [{ created, created_by: 'lanyard release' }],
  };
}

/** Writes an OCI image layout with one manifest per platform, as a tar archive. */
export function ociArchive(
  info: ImageInfo,
  roots: readonly { readonly target: Target; readonly root: string }[],
  folder: string,
  output: string,
): void {
  const name = 'image';
  const blobs = join(folder, name, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const store = (mediaType: string, content: Buffer | object): Descriptor => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const digest = sha256(bytes);
    writeFileSync(join(blobs, digest), bytes);
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
  };
  const manifests = roots.map(({ target, root }) => {
    normalize(root, info.seconds);
    const layer = join(folder, `${target.id}.tar`);
    tar(root, '.', info.seconds, layer, user);
    const bytes = readFileSync(layer);
    const layers = [store('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(bytes, { level: 9 }))];
    const config = store(
      'application/vnd.oci.image.config.v1+json',
      imageConfig(info, target, `sha256:${sha256(bytes)}`),
    );
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = store(mediaType, { schemaVersion: 2, mediaType, config, layers });
    return { ...manifest, platform: { architecture: debianArch[target.arch], os: 'linux' } };
  });
  const mediaType = 'application/vnd.oci.image.index.v1+json';
  const index = store(mediaType, { schemaVersion: 2, mediaType, manifests });
  const annotations = { 'org.opencontainers.image.ref.name': info.version };
  const top = { schemaVersion: 2, mediaType, manifests: [{ ...index, annotations }] };
  writeFileSync(join(folder, name, 'index.json'), JSON.stringify(top));
  writeFileSync(join(folder, name, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  normalize(join(folder, name), info.seconds);
  tar(join(folder, name), '.', info.seconds, output);
}
