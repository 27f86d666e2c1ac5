import { resetIndexOf } from '../../api/conditions.ts';
import { command, flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, settle, usage } from '../../errors.ts';
import type { TokenHome } from '../../tokens.ts';
import { storedLine, type Token, tokenFields } from './views.ts';

export default command({
  description:
    'Makes the first token of the access control, which may do everything. It works once, and the secret is shown once: keep it well, or have it stored with --store. With a secret of your own (a UUID) a lost answer can be settled.',
  examples: [
    'lanyard acl bootstrap --store',
    'lanyard acl bootstrap --secret @bootstrap-secret.txt',
    'lanyard acl bootstrap --field SecretID',
  ],
  service: 'registry',
  writes: true,
  args: {},
  flags: {
    secret: flag.text(
      'SRC',
      'the secret that the token is to have, a UUID (default: the service makes one)',
      {
        completes: 'file',
      },
    ),
    store: flag.boolean('store the token with the profile too'),
  },
  async run({ flags }, ctx) {
    // Before anything is sent: a token that cannot be stored is not made.
    const home = flags.store
      ? await ctx.tokens.home('registry', 'without --store the token is only shown')
      : undefined;
    const secret = flags.secret === undefined ? undefined : uuid(await ctx.io.secret(flags.secret, 'secret'));
    const token = await (secret === undefined ? bootstrap(ctx) : bootstrapWith(secret, ctx)).catch(inWords);
    ctx.io.mask(token.SecretID);
    const where = home && (await keep(home, token, ctx));
    const isConfirmed = !home || !where || (await ctx.tokens.confirm(home, token.SecretID));
    return {
      data: token,
      document: [tokenFields(token), ...(home && where ? [storedLine(home.profile, where)] : [])],
      ...((home && !where) || !isConfirmed ? { exitCode: kinds.unknown.code } : {}),
    };
  },
});

function uuid(secret: string): string {
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(secret)) return secret;
  throw usage('the secret is not a UUID', {
    hint: 'It has 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12; "uuidgen" makes one.',
  });
}

async function bootstrap(ctx: Context): Promise<Token> {
  return (await (await ctx.api.registry()).bootstrapAcl({})).body;
}

/** Whoever holds the secret can see whether a bootstrap whose answer was lost took effect. */
async function bootstrapWith(secret: string, ctx: Context): Promise<Token> {
  const registry = await ctx.api.registry();
  const answer = await settle(
    () => registry.bootstrapAclWith({ BootstrapSecret: secret }),
    async () => ({
      done: await isThere(secret, ctx),
      found: 'there is no token with the secret that you gave',
    }),
  );
  if (answer) return answer.body;
  ctx.io.warn('the answer was lost, but the token with the secret that you gave is there now');
  return (await (await ctx.api.registryWith(secret)).readOwnToken({})).body;
}

async function isThere(secret: string, ctx: Context): Promise<boolean> {
  try {
    await (await ctx.api.registryWith(secret)).readOwnToken({});
    return true;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'forbidden') return false;
    throw error;
  }
}

/** Stores the token; should that fail, it must be shown all the same: there is no other way to it. */
async function keep(home: TokenHome, token: Token, ctx: Context): Promise<'keyring' | 'file' | undefined> {
  try {
    return await ctx.tokens.store(home, token.SecretID);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    ctx.io.warn(`the token could not be stored, keep it yourself: ${error.message}`);
    return undefined;
  }
}

/** A refusal names the reset index, the only way to a second bootstrap. */
function inWords(error: unknown): never {
  if (!(error instanceof LanyardError)) throw error;
  const index = resetIndexOf(error);
  if (error.kind === 'forbidden') {
    throw new LanyardError('forbidden', 'access control is bootstrapped already (403)', {
      ...error,
      details: [
        ...error.details,
        'If neither you nor a colleague did it, someone else has a token that may do everything: treat the cluster as compromised.',
      ],
      hint: `If the token is lost: write ${index ?? 'the reset index that the leader names'} into the file acl-bootstrap-reset in the data directory of the leader, and bootstrap again. The file works once.`,
    });
  }
  if (error.kind === 'unknown') {
    throw new LanyardError('unknown', error.message, {
      ...error,
      details: [
        ...error.details,
        'If it took effect, a token with all permissions exists, and its secret is lost.',
      ],
      hint: 'Bootstrap again: you get the token now, or a 403 that says how to reset the bootstrap that was lost.',
    });
  }
  if (index === undefined) throw error;
  throw new LanyardError(error.kind, error.message, {
    ...error,
    hint: `The number in the file acl-bootstrap-reset has to be ${index}.`,
  });
}
