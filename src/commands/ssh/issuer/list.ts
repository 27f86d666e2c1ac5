import { command, showWarnings } from '../../../command/command.ts';
import { listOrEmpty } from '../../../errors.ts';
import { good, listResult, strong } from '../../../output/document.ts';
import { describeIssuerError } from '../lib/ca/issuer.ts';
import { mountFlag } from '../lib/mount.ts';

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
    const result = listResult(rows, 'No issuers. Run `lanyard ssh issuer import` to create one.', {
      ID: ({ issuer_id }) => issuer_id,
      NAME: ({ issuer_name }) => (issuer_name === '' ? null : strong(issuer_name)),
      DEFAULT: ({ is_default }) => (is_default ? good('yes') : 'no'),
      FINGERPRINT: { optional: 1, cell: ({ public_key }) => fingerprint(public_key) },
    });
    return { ...result, data: body, payload: body.data };
  },
});
