import { createHash, getHashes } from 'node:crypto';
import * as s from '../../../core/schema/types.ts';
import { badRequest } from '../../errors.ts';
import { sysResource } from './context.ts';

/** `sys/tools`: random bytes and hashes (docs/protocol/secrets.md#tools). */

const maxBytes = 131_072;
const defaultBytes = 32;
const format = (standard: string) => s.string('`base64` or `hex`.', { default: standard });

/** The sources of the product; there is only one here. */
const sources = ['platform', 'seal', 'all'];

export const random = sysResource({
  summary: 'Generate random bytes; their number may be at the end of the path.',
  fields: {
    bytes: s.string('Number of bytes.', { default: String(defaultBytes) }),
    format: format('base64'),
  },
  returns: { write: s.object({ random_bytes: s.string() }) },
  write(context, { input }, path) {
    const segments = path.split('/').filter((each) => each !== '');
    const source = segments.length > 0 && sources.includes(segments[0] ?? '') ? segments.shift() : undefined;
    const [count = input.bytes, ...rest] = segments;
    if (rest.length > 0) throw badRequest('unsupported path');
    if (!/^-?\d+$/.test(count))
      throw badRequest(`error parsing url-set byte count: ${JSON.stringify(count)}`);
    const bytes = Number(count);
    if (bytes < 1) throw badRequest("'bytes' cannot be less than 1");
    if (bytes > maxBytes) throw badRequest(`'bytes' should be less than ${maxBytes}`);
    const encoding = encodingOf(input.format || 'base64');
    const isAugmented = source === 'seal' || source === 'all';
    return {
      data: { random_bytes: Buffer.from(context.random(bytes)).toString(encoding) },
      warnings: isAugmented ? ['no seal/entropy augmentation available, using platform entropy source'] : [],
    };
  },
});

/** The names of the product, and the names of Node. */
const algorithms: Readonly<Record<string, string>> = {
  'sha2-224': 'sha224',
  'sha2-256': 'sha256',
  'sha2-384': 'sha384',
  'sha2-512': 'sha512',
  'sha3-224': 'sha3-224',
  'sha3-256': 'sha3-256',
  'sha3-384': 'sha3-384',
  'sha3-512': 'sha3-512',
};

export const hash = sysResource({
  summary: 'Hash data.',
  fields: {
    input: s.required(s.string('The data, in base64.')),
    algorithm: s.string('`sha2-256` (default) and the like, or `sha3-256`; may be at the end of the path.'),
    format: format('hex'),
  },
  returns: { write: s.object({ sum: s.string() }) },
  write(_context, { input: { input, algorithm: named, format: requested } }, path) {
    const name = path || named || 'sha2-256';
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(input))
      throw badRequest('unable to decode input as base64: illegal base64 data');
    const encoding = encodingOf(requested || 'hex');
    const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
    if (algorithm === undefined || !getHashes().includes(algorithm))
      throw badRequest(`unsupported algorithm ${name}`);
    const sum = createHash(algorithm).update(Buffer.from(input, 'base64')).digest(encoding);
    return { data: { sum } };
  },
});

function encodingOf(encoding: string): 'base64' | 'hex' {
  if (encoding === 'base64' || encoding === 'hex') return encoding;
  throw badRequest(`unsupported encoding format ${JSON.stringify(encoding)}; must be "hex" or "base64"`);
}
