import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

type Entry = readonly [name: string, content: string | Buffer, type?: string, statedSize?: number];

/** A tar archive (ustar). */
export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(([name, content, type = '0', size = content.length]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000600\0', 100);
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
    header.fill(' ', 148, 156);
    header.write(type, 156);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

interface SnapshotParts {
  /** Undefined: the file is left out, as Consul does. */
  readonly sealed?: string | undefined;
  /** Instead of the checksum of a file. */
  readonly sums?: (name: string) => string | undefined;
  /** Bytes of the state. */
  readonly stateBytes?: number;
}

/** A snapshot with the files and the order of those of OpenBao 2.6.2. */
export function snapshotFile(parts: SnapshotParts = {}): Buffer {
  const { sums = () => undefined, stateBytes = 12_000 } = parts;
  const sealed = 'sealed' in parts ? parts.sealed : '{"ciphertext":"x"}';
  const meta = JSON.stringify({ Version: 1, ID: 'bolt-snapshot', Index: 33, Term: 3, Size: stateBytes });
  const state = createHash('shake256', { outputLength: stateBytes }).update('state').digest();
  const line = (name: string, content: string | Buffer): string =>
    `${sums(name) ?? createHash('sha256').update(content).digest('hex')}  ${name}\n`;
  return gzipSync(
    tarOf([
      ['meta.json', meta],
      ['state.bin', state],
      ['SHA256SUMS', line('meta.json', meta) + line('state.bin', state)],
      ...(sealed === undefined ? [] : [['SHA256SUMS.sealed', sealed] as const]),
    ]),
  );
}
