import { command, showWarnings } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { describeIssuerError } from '../lib/ca/issuer.ts';
import { mountFlag } from '../lib/mount.ts';
import { issuersView } from '../lib/views.ts';

export default command({
  description:
    'Only OpenBao has several issuers in a mount. Roles sign with the default issuer unless they name one.',
  examples: ['lanyard ssh issuer list --mount ssh-hosts'],
  service: 'secrets',
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const keys = await ctx.ssh.keys();
    const { body } = await listOrEmpty(secrets.listIssuers({ mount })).catch(describeIssuerError(mount));
    showWarnings(ctx.output, body);
    const { keys: ids, key_info: info } = body.data;
    const rows = ids.map((id) => {
      const { issuer_name = '', is_default = false, public_key = '' } = info?.[id] ?? {};
      return { issuer_id: id, issuer_name, is_default, public_key };
    });
    const fingerprint = (publicKey: string): string =>
      publicKey === '' ? '' : keys.readPublicKey(publicKey, 'the public key of the issuer').info.fingerprint;
    const issuers = rows.map((row) => ({ ...row, fingerprint: fingerprint(row.public_key) }));
    return { data: body, payload: body.data, rows, document: issuersView(issuers) };
  },
});
