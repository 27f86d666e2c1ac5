import { createHash, type Hash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { LanyardError } from '../errors.ts';
import { type Json, parseJson } from '../wire/json.ts';
import { TarReader } from './tar-reader.ts';

/** A file in a snapshot. */
export interface SnapshotFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What a snapshot contains, after its checksums were verified. */
export interface SnapshotContents {
  /** `meta.json`: index, term and ID of the snapshot. */
  readonly meta: Json;
  readonly files: readonly SnapshotFile[];
}

/** The file that a complete snapshot ends with: Consul and Nomad write no sealed checksums. */
export type SnapshotEnd = 'SHA256SUMS' | 'SHA256SUMS.sealed';

export type SnapshotReader = ReturnType<typeof snapshotReader>;

/** Small files whose text is read. */
const readFiles = ['meta.json', 'SHA256SUMS'];
const maxTextBytes = 1024 * 1024;

/**
 * Reads a snapshot of a Raft cluster (OpenBao, Vault, Consul, Nomad) while it passes: a gzip file with a tar archive of
 * `meta.json`, `state.bin` and `SHA256SUMS`, and of `SHA256SUMS.sealed`, which OpenBao and Vault write last.
 *
 * @param lastFile the file that a complete snapshot ends with, and that is not empty.
 * @param name of the snapshot, for messages.
 * @param onState gets the bytes of the state; a chunk may change afterwards.
 */
export function snapshotReader(
  name: string,
  lastFile: SnapshotEnd,
  onState: (chunk: Uint8Array) => void = () => undefined,
) {
  const files: SnapshotFile[] = [];
  const texts = new Map<string, string>();
  let current: { name: string; size: number; hash: Hash; text: Buffer[] | undefined } | undefined;
  const tar = new TarReader({
    file(entry) {
      endFile();
      const isText = readFiles.includes(entry.name) && entry.size <= maxTextBytes;
      current = { ...entry, hash: createHash('sha256'), text: isText ? [] : undefined };
    },
    data(chunk) {
      current?.hash.update(chunk);
      current?.text?.push(Buffer.from(chunk));
      if (current?.name === 'state.bin') onState(chunk);
    },
  });
  function endFile(): void {
    if (current === undefined) return;
    const { name: file, size, hash, text } = current;
    files.push({ name: file, size, sha256: hash.digest('hex') });
    if (text) texts.set(file, Buffer.concat(text).toString());
    current = undefined;
  }
  const gunzip = createGunzip();
  let failure: Error | undefined;
  gunzip.on('data', (chunk: Buffer) => {
    try {
      tar.write(chunk);
    } catch (error) {
      failure ??= error as Error;
    }
  });
  gunzip.on('error', (error) => {
    failure ??= error;
  });
  const ended = new Promise<void>((resolve) => gunzip.once('close', resolve));
  const invalid = (cause: string): LanyardError =>
    new LanyardError('failure', `invalid snapshot ${name}: ${cause}`);
  return {
    /** @param chunk may change after this has resolved. Invalid bytes are reported at the end. */
    async write(chunk: Uint8Array): Promise<void> {
      if (failure !== undefined || gunzip.destroyed) return;
      await new Promise<void>((resolve) => {
        gunzip.once('close', resolve);
        gunzip.write(chunk, () => {
          gunzip.off('close', resolve);
          resolve();
        });
      });
    },
    /** @throws LanyardError failure: not a snapshot, incomplete, or with other checksums */
    async end(): Promise<SnapshotContents> {
      gunzip.end();
      await ended;
      if (failure !== undefined || !tar.isComplete())
        throw invalid(files.length === 0 ? 'not a gzip file with a tar archive' : 'incomplete archive');
      endFile();
      const last = files.find((file) => file.name === lastFile);
      if (last === undefined || last.size === 0) throw invalid(`incomplete: ${lastFile} is missing`);
      checkSums(files, texts.get('SHA256SUMS') ?? '', invalid);
      return { meta: metaOf(texts.get('meta.json'), invalid), files };
    },
    /** Ends without a result. */
    close: (): void => void gunzip.destroy(),
  };
}

/** @throws LanyardError failure: a file is missing, or has another checksum */
function checkSums(files: readonly SnapshotFile[], sums: string, invalid: (cause: string) => Error): void {
  const lines = sums.split('\n').filter((line) => line !== '');
  const stated = new Map(
    lines.map((line) => [line.replace(/^[0-9a-f]{64}\s+\*?/i, ''), line.slice(0, 64).toLowerCase()]),
  );
  for (const name of ['meta.json', 'state.bin']) {
    const file = files.find((each) => each.name === name);
    if (file === undefined) throw invalid(`incomplete: ${name} is missing`);
    if (stated.get(name) !== file.sha256) throw invalid(`checksum mismatch of ${name}`);
  }
}

function metaOf(text: string | undefined, invalid: (cause: string) => Error): Json {
  try {
    return parseJson(text ?? '');
  } catch {
    throw invalid('meta.json is not JSON');
  }
}
