import { isMissingToken } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { TokenProperties } from '../../../api/secrets-tokens.ts';
import { command, flag, showWarnings } from '../../../command/command.ts';
import { confirmDelete, insteadOf, isForbidden, isKind, isNotFound, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import {
  accessorFlag,
  describeMissingToken,
  lookUp,
  readSubject,
  type TokenSubject,
  tokenArg,
} from '../lib/tokens.ts';

export default command({
  description:
    'Child tokens and leases are revoked too; --mode orphan keeps the child tokens. Prompts for confirmation. "secrets logout" also removes the token stored with the profile.',
  examples: [
    'lanyard secrets token revoke - --yes < job-token.txt',
    'lanyard secrets token revoke --accessor "$ACCESSOR" --yes',
    'lanyard secrets token revoke --self',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets lease'],
  args: { token: tokenArg },
  flags: {
    ...accessorFlag,
    self: flag.boolean('revoke the token that is used'),
    mode: flag.choice(
      ['tree', 'orphan'] as const,
      'orphan: keep the child tokens, as orphans (default tree)',
    ),
  },
  async run({ args, flags }, ctx) {
    const { self, mode = 'tree' } = flags;
    const subject = await readSubject(args.token, flags.accessor, ctx);
    if (self && subject.kind !== 'self')
      throw usage(`--self cannot be combined with ${subject.kind === 'token' ? 'a token' : '--accessor'}`);
    if (!self && subject.kind === 'self')
      throw usage('missing token: a source, --accessor or --self is required');
    if (mode === 'orphan' && subject.kind !== 'token')
      throw usage('--mode orphan requires the token, not --accessor or --self');
    const secrets = await ctx.api.secrets();
    const token = await lookUpToRevoke(secrets, subject);
    const children = mode === 'orphan' ? 'Its child tokens are kept.' : 'Its child tokens are revoked too.';
    await ctx.input.confirm(`Revoke ${nameOf(token, subject)}? ${children} This cannot be undone.`);
    const response = await confirmDelete(
      () => revoke(secrets, subject, mode).catch(describeMissingToken),
      () => lookUp(secrets, subject),
      'the token',
      // A token that was revoked cannot look itself up.
      (error) => isGone(error, subject),
    );
    showWarnings(ctx.output, response?.body);
    const accessor = token?.accessor ?? flags.accessor ?? null;
    return {
      data: { accessor },
      document: [
        accessor === null ? text('Revoked the token.') : text('Revoked token ', code(accessor), '.'),
      ],
    };
  },
});

const isGone = (error: unknown, { kind }: TokenSubject): boolean =>
  kind === 'self'
    ? isKind('forbidden', 'unauthenticated')(error)
    : isMissingToken(error) || isNotFound(error);

/**
 * The token to revoke; undefined: the own token may not look it up.
 *
 * @throws LanyardError not_found: the service confirms the revocation of a missing token
 */
function lookUpToRevoke(secrets: SecretsClient, subject: TokenSubject): Promise<TokenProperties | undefined> {
  const isDenied = (error: unknown) => subject.kind !== 'self' && isForbidden(error);
  return lookUp(secrets, subject).catch(insteadOf(isDenied, undefined));
}

function nameOf(token: TokenProperties | undefined, subject: TokenSubject): string {
  const accessor = token?.accessor ?? (subject.kind === 'accessor' ? subject.accessor : undefined);
  const display = token?.display_name ? ` (${token.display_name})` : '';
  const name = accessor === undefined ? 'the token' : `token ${accessor}`;
  return `${subject.kind === 'self' ? 'the own ' : ''}${subject.kind === 'self' ? name.replace(/^the /, '') : name}${display}`;
}

function revoke(secrets: SecretsClient, subject: TokenSubject, mode: 'tree' | 'orphan') {
  if (subject.kind === 'self') return secrets.revokeSelf({});
  if (subject.kind === 'accessor') return secrets.revokeAccessor({ accessor: subject.accessor });
  return mode === 'orphan'
    ? secrets.revokeOrphan({ token: subject.token })
    : secrets.revokeToken({ token: subject.token });
}
