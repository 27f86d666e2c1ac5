import { command } from '../../command/command.ts';
import { maskValues } from '../kv/lib/mask-values.ts';
import { mountFlag, pathArg } from '../kv/lib/secret-path.ts';
import { secretSource } from '../kv/lib/secret-source.ts';
import type { SecretState } from '../kv/lib/secret-state.ts';
import { present } from './lib/conditions.ts';
import { waitFlags, waitFor } from './lib/wait-for.ts';

export default command({
  description:
    'Without --for it waits until the secret exists and its latest version is not deleted; it is read every 5s. Expressions apply to an object with "data" and "metadata". Exits with 8 if the condition is not met within --timeout (see "lanyard help watching").',
  examples: [
    'lanyard wait kv secret/app/db',
    `lanyard wait kv secret/app/db --for "data.user == 'app'" --interval 1s`,
  ],
  service: 'secrets',
  args: { path: pathArg },
  flags: { ...waitFlags, mount: mountFlag },
  run: ({ args: { path }, flags }, ctx) =>
    waitFor(ctx, flags, {
      name: `secret ${path}`,
      source: async (end) => {
        const which = { path, mount: flags.mount, version: undefined };
        return secretSource(await ctx.api.secrets({ signal: end, retries: 0 }), which);
      },
      otherwise: present(),
      data: ({ pairs, metadata }: SecretState) => (metadata ? { data: pairs, metadata } : { data: pairs }),
      fields: ['data', 'metadata'],
      payload: ({ pairs }) => pairs,
      mask: ({ pairs }) => maskValues(ctx.output, pairs),
    }),
});
