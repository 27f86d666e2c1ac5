import type { SecretsClient } from '../../../api/secrets.ts';
import { arg, command, flag, showWarnings } from '../../../command/command.ts';
import { confirmWrite, listOrEmpty, usage } from '../../../errors.ts';
import { raw, text, textResult } from '../../../output/document.ts';
import { compact } from '../../../wire/objects.ts';
import { describeIssuerError, issuerText, readDefaultIssuer, rolesText } from '../lib/ca/issuer.ts';
import { decodeBlob, keyPairFlags, readKeyPair } from '../lib/ca/key-pair.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description:
    'The service generates the key pair unless you import one; the private key never leaves the service. The first issuer of a mount is the default; later ones sign only for roles that name them, until "ssh issuer use" or --default makes them the default.',
  examples: [
    'lanyard ssh issuer import 2026 --key-type ed25519',
    'lanyard ssh issuer import 2027 --private-key ca --public-key ca.pub --default',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { name: arg.optional('NAME', 'name of the new issuer (default: none; it has an ID)') },
  flags: { ...keyPairFlags, default: flag.boolean('make it the default issuer'), mount: mountFlag },
  async run({ args: { name }, flags }, ctx) {
    const { mount } = flags;
    if (name !== undefined && (name === 'default' || !/^\w([\w.-]*\w)?$/.test(name)))
      throw usage(
        `invalid issuer name "${name}": expected letters, digits, ".", "-" and "_", and not "default"`,
      );
    const given = await readKeyPair(flags, ctx);
    const secrets = await ctx.api.secrets();
    const current = flags.default ? await readDefaultIssuer(secrets, mount) : undefined;
    if (current)
      await ctx.input.confirm(
        `Replace the default issuer ${issuerText(current)} of ${mount}/? ${await rolesText(secrets, mount, ['default'])} Hosts must trust the public key of the new one.`,
      );
    const body = compact({
      ...given,
      key_type: flags.keyType,
      key_bits: flags.keyBits,
      set_default: flags.default || undefined,
    });
    const response = await confirmWrite(
      () =>
        (name === undefined
          ? secrets.importIssuer({ mount, ...body })
          : secrets.importNamedIssuer({ mount, name, ...body })
        ).catch(describeIssuerError(mount, name)),
      () => findImported(secrets, mount, name, given.public_key),
    );
    if (!response) {
      ctx.output.warn('the response was lost, but the issuer was imported');
      return textResult(null, `Imported the issuer into ${mount}/.`);
    }
    showWarnings(ctx.output, response.body);
    const { issuer_id: id, issuer_name = '', public_key } = response.body.data;
    const done = given.public_key === undefined ? 'Generated' : 'Imported';
    return {
      data: response.body,
      payload: response.body.data,
      document: [
        text(`${done} issuer ${issuerText({ id, name: issuer_name })} in ${mount}/. Its public key:`),
        raw(`${public_key.trimEnd()}\n`),
      ],
    };
  },
});

/**
 * Looks for an imported issuer after a lost response, by its public key. A generated one cannot be distinguished from
 * the response to another request.
 */
async function findImported(
  secrets: SecretsClient,
  mount: string,
  name: string | undefined,
  publicKey: string | undefined,
): Promise<{ readonly done: boolean; readonly found: string }> {
  const { data } = (await listOrEmpty(secrets.listIssuers({ mount }))).body;
  const issuers = Object.entries(data.key_info ?? {}).map(([id, { issuer_name = '', public_key }]) => ({
    id,
    name: issuer_name,
    hasKey: publicKey !== undefined && decodeBlob(public_key) === decodeBlob(publicKey),
  }));
  const found = issuers.map(issuerText).join(', ');
  return {
    done: issuers.some((issuer) => issuer.hasKey && (name === undefined || issuer.name === name)),
    found: found === '' ? `${mount}/ has no issuers` : `the issuers of ${mount}/ are now ${found}`,
  };
}
