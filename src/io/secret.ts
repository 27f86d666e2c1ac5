import { usage } from '../errors.ts';
import { decodeAnyText, decodeText, readBytes, readText } from './files.ts';
import { type Io, maxStdinBytes, type PromptOptions, secretForms } from './io.ts';
import { resolvePath } from './resolve-path.ts';

interface SecretSources {
  readonly env: NodeJS.ProcessEnv;
  readonly base: { readonly cwd: string };
  readonly signal?: AbortSignal;
  /** Whether standard input is a terminal: then `-` prompts, so that the secret is not echoed. */
  readonly isTyped: boolean;
  readonly io: Pick<Io, 'askSecret' | 'readStdin'>;
}

/**
 * Reads a secret from its source (`Io.readSecret`). One newline at the end of a file or of standard input is dropped;
 * with `allowsAnyText` a file is read exactly.
 *
 * @throws LanyardError usage: an invalid source, or one that is missing or empty. The source is never shown if it may
 * be the secret.
 */
export async function readSecret(
  source: string | undefined,
  what: string,
  { env, base, signal, isTyped, io }: SecretSources,
  options?: PromptOptions,
): Promise<string> {
  const checkValue = options?.allowsAnyText ? (secret: string) => secret : requireNonEmpty;
  const decode = options?.allowsAnyText ? decodeAnyText : decodeText;
  if (source === undefined || (source === '-' && isTyped)) {
    return checkValue(await io.askSecret(`${what}: `, options), what);
  }
  if (source === '-') {
    return checkValue(withoutNewline(decode(await io.readStdin(), `${what}: standard input`)), what);
  }
  const file = sourcePath(source, what);
  if (file !== undefined) {
    const text = await readText(resolvePath(base, file), what, undefined, { decode, signal });
    return options?.allowsAnyText ? text : checkValue(withoutNewline(text), what);
  }
  return readEnvVariable(source, what, env);
}

/**
 * Reads the bytes of a source (`Io.readExact`), which may be empty or binary.
 *
 * @throws LanyardError usage: an invalid source, or one that is missing.
 */
export async function readExact(
  source: string,
  what: string,
  { env, base, signal, isTyped, io }: SecretSources,
): Promise<Uint8Array> {
  if (source === '-') return isTyped ? Buffer.from(await io.askSecret(`${what}: `)) : io.readStdin();
  const file = sourcePath(source, what);
  if (file !== undefined) return readBytes(resolvePath(base, file), what, maxStdinBytes, signal);
  return Buffer.from(readEnvVariable(source, what, env));
}

function sourcePath(source: string, what: string): string | undefined {
  const file = /^(?:@|file:\/\/)(.*)$/s.exec(source)?.[1];
  if (file === '') throw usage(`${what}: missing file name after ${source}`);
  return file;
}

function readEnvVariable(source: string, what: string, env: NodeJS.ProcessEnv): string {
  const name = /^env:\/\/(.*)$/s.exec(source)?.[1];
  if (name !== undefined) {
    if (name === '') throw usage(`${what}: missing variable name after ${source}`);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (!value)
      throw usage(`${what}: the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`);
    return value;
  }
  throw usage(`${what} is not accepted on the command line: other users and the shell history could see it`, {
    hint: `Pass it as ${secretForms}.`,
  });
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function requireNonEmpty(secret: string, what: string): string {
  if (secret === '') throw usage(`${what} is empty`);
  return secret;
}
