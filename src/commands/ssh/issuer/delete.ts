import { isMissingIssuer } from '../../../api/conditions/secrets.ts';
import { command, showWarnings } from '../../../command/command.ts';
import { confirmDelete } from '../../../errors.ts';
import { textResult } from '../../../output/document.ts';
import {
  describeIssuerError,
  issuerArg,
  issuerText,
  readDefaultIssuer,
  readIssuer,
  rolesText,
} from '../lib/ca/issuer.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description:
    'Deletes the private key of the issuer permanently; roles that sign with it fail. Without a default issuer, all roles without an issuer fail. Signed certificates stay valid until they expire.',
  examples: ['lanyard ssh issuer delete 2025'],
  service: 'secrets',
  writes: 'after reads',
  args: { issuer: issuerArg },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const issuer = await readIssuer(secrets, mount, args.issuer);
    const isDefault = (await readDefaultIssuer(secrets, mount))?.id === issuer.id;
    const references = [issuer.id, ...(issuer.name ? [issuer.name] : []), ...(isDefault ? ['default'] : [])];
    const roles = await rolesText(secrets, mount, references);
    await ctx.input.confirm(
      `Delete ${isDefault ? 'the default issuer' : 'issuer'} ${issuerText(issuer)} of ${mount}/ with its private key? ${roles} This cannot be undone.`,
    );
    const response = await confirmDelete(
      () => secrets.deleteIssuer({ mount, issuer: issuer.id }).catch(describeIssuerError(mount, args.issuer)),
      () => secrets.readIssuer({ mount, issuer: issuer.id }),
      'the issuer',
      isMissingIssuer,
    );
    showWarnings(ctx.output, response?.body);
    return textResult(response?.body ?? null, `Deleted issuer ${issuerText(issuer)} of ${mount}/.`);
  },
});
