import { createHash, getHashes } from 'node:crypto';
import type { EngineRequest } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { textField } from '../../fields.ts';
import { integer, required, text } from '../../help/field.ts';
import type { Resource } from '../../resource.ts';
import type { SysContext } from './context.ts';

/** `sys/tools`: random bytes and hashes (docs/protocol/secrets.md#tools). */

const maxBytes = 131_072;
const defaultBytes = 32;
const format = text('`base64` or `hex`.');

/** The sources of the product; there is only one here. */
const sources = ['platform', 'seal', 'all'];

export const random: Resource<SysContext> = {
  summary: 'Generate random bytes; their number may be at the end of the path.',
  fields: { bytes: integer(`Number of bytes (default ${defaultBytes}).`), format },
  write(context, { data }, path) {
    const segments = path.split('/').filter((each) => each !== '');
    const source = segments.length > 0 && sources.includes(segments[0] ?? '') ? segments.shift() : undefined;
    const [count = textField(data, 'bytes') ?? String(defaultBytes), ...rest] = segments;
    if (rest.length > 0) throw badRequest('unsupported path');
    if (!/^-?\d+$/.test(count))
      throw badRequest(`error parsing url-set byte count: ${JSON.stringify(count)}`);
    const bytes = Number(count);
    if (bytes < 1) throw badRequest("'bytes' cannot be less than 1");
    if (bytes > maxBytes) throw badRequest(`'bytes' should be less than ${maxBytes}`);
    const encoding = encodingOf(data, 'base64', 'unsupported encoding format');
    const isAugmented = source === 'seal' || source === 'all';
    return {
      data: { random_bytes: Buffer.from(context.random(bytes)).toString(encoding) },
      warnings: isAugmented ? ['no seal/entropy augmentation available, using platform entropy source'] : [],
    };
  },
};

/** The names of the product, and those of Node. */
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

export const hash: Resource<SysContext> = {
  summary: 'Hash data.',
  fields: {
    input: required(text('The data, in base64.')),
    algorithm: text('`sha2-256` (default) and the like, or `sha3-256`; may be at the end of the path.'),
    format,
  },
  write(_context, { data }, path) {
    const name = path || textField(data, 'algorithm') || 'sha2-256';
    const input = textField(data, 'input') ?? '';
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(input)) {
      throw badRequest('unable to decode input as base64: illegal base64 data');
    }
    const encoding = encodingOf(data, 'hex', 'unsupported encoding format');
    const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
    if (algorithm === undefined || !getHashes().includes(algorithm)) {
      throw badRequest(`unsupported algorithm ${name}`);
    }
    const sum = createHash(algorithm).update(Buffer.from(input, 'base64')).digest(encoding);
    return { data: { sum } };
  },
};

function encodingOf(
  data: EngineRequest['data'],
  standard: 'base64' | 'hex',
  error: string,
): 'base64' | 'hex' {
  const encoding = textField(data, 'format') || standard;
  if (encoding === 'base64' || encoding === 'hex') return encoding;
  throw badRequest(`${error} ${JSON.stringify(encoding)}; must be "hex" or "base64"`);
}
