import { type Block, code, text } from '../output/document.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Context } from './context.ts';

const storages = { keyring: ', in the keyring.', file: ', in a file.' } as const;

/** Where a token was stored. */
export const storedLine = (profile: string, storage: keyof typeof storages): Block =>
  text('Stored the token with profile ', code(profile), storages[storage]);

/** Says before the prompts of a login where it goes to. @param given the values that are prompted for if undefined. */
export async function noteLogin(
  service: ServiceName,
  given: readonly (string | undefined)[],
  { api, input, output }: Pick<Context, 'api' | 'input' | 'output'>,
): Promise<void> {
  if (!input.isInteractive() || given.every((value) => value !== undefined)) return;
  const [{ address, addressFrom }, { services }] = await Promise.all([
    api.settings(service),
    import('../api/services.ts'),
  ]);
  output.note(`Log in to the ${services[service].title} at ${address} (${addressFrom}).`);
}
