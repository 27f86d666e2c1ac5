import type { AclToken } from '../../../api/registry-acl.ts';
import { askedDatacenter } from '../../../api/registry-datacenter.ts';
import { command } from '../../../command/command.ts';
import { emptied, givenFields, unsetFields, unsetFlagFor } from '../../../command/object-flags.ts';
import { usage } from '../../../errors.ts';
import type { Messages } from '../../../io/io.ts';
import { registryToken } from '../../../objects/registry-acl.ts';
import { diff, updatedResult } from '../../../output/diff.ts';
import { compact } from '../../../wire/objects.ts';
import { changedFields, type Fields, writableFields } from '../lib/fields.ts';
import { dcFlag, describeMissing, describeMissingLink } from '../lib/find.ts';
import { findTokenToWrite, tokenArg } from '../lib/find-token.ts';
import { grantFields, tokenFlags, withoutGrants } from '../lib/grants.ts';
import { confirmKept, grantChangesTable, warnAboutUnstored, writeIfChanged } from '../lib/put-result.ts';

const silent = { warn: () => undefined };

/** Fields that are set when the token is created. */
const immutable = ['ExpirationTime', 'AuthMethod', 'AuthMethodNamespace', 'Local', 'ExpandedPolicies'];

export default command({
  description:
    'Reads the token, changes the given fields and writes it; other fields are unchanged. --policy replaces all policies, --add-policy and --remove-policy change some; "" empties a list. The registry has no check-and-set for tokens: of two concurrent updates, the last one wins.',
  examples: [
    'lanyard acl token update 6a1253d2 --add-policy deploy --remove-policy test',
    'lanyard acl token update anonymous --policy read-services',
    'lanyard acl token update 6a1253d2 --description "Deploy job" --dry-run',
  ],
  service: 'registry',
  writes: 'after reads',
  returnsList: () => true,
  args: { token: tokenArg },
  flags: { ...tokenFlags, unset: unsetFlagFor(registryToken), dc: dcFlag },
  async run({ args, flags }, ctx) {
    const registry = await ctx.api.registry();
    const { dc, ...given } = flags;
    const unset = emptied(unsetFields(registryToken, flags));
    const own = givenFields(withoutGrants(registryToken), flags);
    const stated = { ...unset, ...own };
    if (Object.keys({ ...stated, ...grantFields({}, given, silent) }).length === 0)
      throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
    const asked = await askedDatacenter(dc, ctx.api);
    const { token, where } = await findTokenToWrite(registry, args.token, asked);
    const before = writableFields(token, immutable);
    const change = (fields: Fields, output: Pick<Messages, 'warn'>): Fields =>
      changedFields(fields, { ...stated, ...grantFields({ ...fields, ...unset }, given, output) });
    const after = change(before, ctx.output);
    const id = token.AccessorID;
    const read = async () => (await registry.readToken({ id, ...where })).body;
    const written = await writeIfChanged(
      'token',
      { current: token, after },
      () =>
        registry
          // What cannot be changed is sent unchanged: an absent scope would be the change to "global".
          .updateToken({ ...unchanged(token), ...after, id })
          .catch(describeMissing('token', args.token))
          .catch(describeMissingLink),
      read,
      immutable,
    );
    if (written !== token)
      await confirmKept(
        `token ${id}`,
        async () => writableFields(await read(), immutable),
        (found) => change(found, silent),
      );
    const stored = writableFields(written ?? token, immutable);
    warnAboutUnstored('token', after, stored, ctx.output);
    return updatedResult('token', id, { AccessorID: id }, diff(before, stored), grantChangesTable);
  },
});

const unchanged = ({ Local, ExpirationTime, AuthMethod }: AclToken) =>
  compact({ Local: Local || undefined, ExpirationTime, AuthMethod });
