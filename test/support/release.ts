import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve, type TestServer } from '../unit/api/support.ts';
import { lanyard } from './process.ts';
import type { Home } from './run.ts';

/** The files of a release for this platform. */
export interface LocalRelease {
  readonly version: string;
  /** Name of the archive. */
  readonly archive: string;
  readonly bytes: Buffer;
  /** SHA-256 of the archive. */
  readonly checksum: string;
  /** Serves the files below a path until the end of the test. @param sums the text of SHA256SUMS */
  serve(path: string, sums?: string): Promise<TestServer>;
}

/** Makes an archive as releases have it, whose program runs this source. */
export function localRelease(at: Home): LocalRelease {
  const packageFile = join(import.meta.dirname, '../../package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const name = `lanyard-${version}-linux-${process.arch}`;
  const archive = `${name}.tar.xz`;
  const program = at.write(`${name}/bin/lanyard`, `#!/bin/sh\nexec ${lanyard} "$@"\n`);
  chmodSync(program, 0o755);
  execFileSync('tar', ['-cJf', at.file(archive), '-C', at.path, name]);
  const bytes = at.bytes(archive);
  const checksum = createHash('sha256').update(bytes).digest('hex');
  return {
    version,
    archive,
    bytes,
    checksum,
    serve: (path, sums = `${checksum}  ${archive}\n`) =>
      serve(({ url }, response) => {
        if (url === `${path}/SHA256SUMS`) response.end(sums);
        else if (url === `${path}/${archive}`) response.end(bytes);
        else response.writeHead(404).end();
      }),
  };
}
