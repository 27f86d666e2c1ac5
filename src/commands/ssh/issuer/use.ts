import { command, showWarnings } from '../../../command/command.ts';
import { confirmWrite } from '../../../errors.ts';
import { text, textResult } from '../../../output/document.ts';
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
    'Roles without an issuer sign with the default one, and "ssh ca get" and "ssh trust" use its public key. Prompts before replacing another default issuer: hosts must trust the public key of the new one first.',
  examples: ['lanyard ssh issuer use 2026'],
  service: 'secrets',
  writes: 'after reads',
  args: { issuer: issuerArg },
  flags: { mount: mountFlag },
  async run({ args, flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const issuer = await readIssuer(secrets, mount, args.issuer);
    const current = await readDefaultIssuer(secrets, mount);
    if (current?.id === issuer.id)
      return textResult(null, `Issuer ${issuerText(issuer)} is already the default of ${mount}/.`);
    if (current)
      await ctx.input.confirm(
        `Replace the default issuer ${issuerText(current)} of ${mount}/ with ${issuerText(issuer)}? ${await rolesText(secrets, mount, ['default'])} Hosts must trust the public key of the new one.`,
      );
    const response = await confirmWrite(
      () =>
        secrets
          .setDefaultIssuer({ mount, default: issuer.id })
          .catch(describeIssuerError(mount, args.issuer)),
      async () => {
        const now = await readDefaultIssuer(secrets, mount);
        return {
          done: now?.id === issuer.id,
          found: now ? `the default issuer is ${issuerText(now)}` : `${mount}/ has no default issuer`,
        };
      },
    );
    showWarnings(ctx.output, response?.body);
    return {
      data: response?.body ?? null,
      document: [text(`Issuer ${issuerText(issuer)} is now the default of ${mount}/.`)],
    };
  },
});
