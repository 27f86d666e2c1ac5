import { globSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bundle.ts';

/** The keyring library of this platform, as absolute path; undefined: npm installed none for it. */
export function hostKeyring(): string | undefined {
  const pattern = `node_modules/@napi-rs/keyring-${process.platform}-${process.arch}*/*.node`;
  const [library] = globSync(pattern, { cwd: root }).sort();
  return library && join(root, library);
}
