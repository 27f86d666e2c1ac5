import type { SecretsClient } from '../../../api/secrets.ts';
import { arg, command, flag } from '../../../command/command.ts';
import { listResult } from '../../../output/document.ts';
import { accessorFlag, describeMissingToken, readSubject, type TokenSubject } from '../lib/tokens.ts';

export default command({
  description:
    'Without --token or --accessor, of the configured token: create, read, update, patch, delete, list, sudo, or deny if none. A root token has root.',
  examples: [
    'lanyard secrets token capabilities secret/data/app/db',
    'lanyard secrets token capabilities sys/mounts secret/metadata/ --accessor "$ACCESSOR"',
  ],
  service: 'secrets',
  args: { paths: arg.rest('PATH', 'path below /v1/, such as secret/data/app', 1) },
  flags: { token: flag.source('source of another token'), ...accessorFlag },
  async run({ args: { paths }, flags }, ctx) {
    const subject = await readSubject(flags.token, flags.accessor, ctx);
    const { body } = await ask(await ctx.api.secrets(), subject, paths).catch(describeMissingToken);
    const rows = paths.map((path) => ({ path, capabilities: capabilitiesOf(body.data, path) }));
    return listResult(rows, undefined, {
      PATH: ({ path }) => path,
      CAPABILITIES: ({ capabilities }) => capabilities.join(', '),
    });
  },
});

/** Sorted, as the product's program shows them; the service returns them in any order. */
function capabilitiesOf(data: Readonly<Record<string, unknown>>, path: string): readonly string[] {
  const found = data[path];
  return Array.isArray(found) ? found.map(String).toSorted() : [];
}

function ask(secrets: SecretsClient, subject: TokenSubject, paths: readonly string[]) {
  if (subject.kind === 'self') return secrets.ownCapabilities({ paths });
  return subject.kind === 'token'
    ? secrets.capabilitiesOfToken({ token: subject.token, paths })
    : secrets.capabilitiesOfAccessor({ accessor: subject.accessor, paths });
}
