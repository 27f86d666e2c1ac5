import { usage } from '../errors.ts';
import { decodeAnyText, decodeText, readText } from './files.ts';
import { type Io, type PromptOptions, secretForms } from './io.ts';
import { pathAt } from './path.ts';

interface Sources {
  readonly env: NodeJS.ProcessEnv;
  readonly place: { readonly cwd: string };
  /** Is standard input a terminal? Then `-` asks, because what is typed there would be shown. */
  readonly typed: boolean;
  readonly io: Pick<Io, 'askSecret' | 'readStdin'>;
}

/**
 * Reads a secret from where its source says (`Io.secret`). One newline at the end of a file or of standard input
 * is not part of it.
 *
 * @throws LanyardError usage: the source is none of the forms, or what it names is missing or empty. The source
 * itself is never shown when it may be the secret.
 */
export async function readSecret(
  source: string | undefined,
  what: string,
  { env, place, typed, io }: Sources,
  options?: PromptOptions,
): Promise<string> {
  const file = /^(?:@|file:\/\/)(.*)$/s.exec(source ?? '')?.[1];
  const name = /^env:\/\/(.*)$/s.exec(source ?? '')?.[1];
  const filled = options?.isAnyText ? (secret: string) => secret : notEmpty;
  const decode = options?.isAnyText ? decodeAnyText : decodeText;
  if (source === undefined || (source === '-' && typed)) {
    return filled(await io.askSecret(`${what}: `, options), what);
  }
  if (source === '-') {
    return filled(withoutNewline(decode(await io.readStdin(), `${what}: standard input`)), what);
  }
  if (file !== undefined) {
    if (file === '') throw usage(`${what}: no file is named after ${source}`);
    return filled(withoutNewline(await readText(pathAt(place, file), what, undefined, decode)), what);
  }
  if (name !== undefined) {
    if (name === '') throw usage(`${what}: no variable is named after ${source}`);
    const value = env[name];
    if (!value)
      throw usage(`${what}: the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`);
    return value;
  }
  throw usage(
    `${what} is not taken from the command line, where other users and the shell's history see it`,
    {
      hint: `Give it as ${secretForms}.`,
    },
  );
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function notEmpty(secret: string, what: string): string {
  if (secret === '') throw usage(`${what} is empty`);
  return secret;
}
