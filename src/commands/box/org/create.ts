import { hasStatus } from '../../../api/conditions/any.ts';
import { command } from '../../../command/command.ts';
import { conflict, describeAs, unlessNotFound } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { organizationArg } from '../lib/box-names.ts';
import { writeNamed } from '../lib/confirmed-writes.ts';

export default command({
  description:
    'The user of the token becomes a member that may change all boxes of the organization. Only the embedded registry has a request for this; elsewhere, create the organization on the website of the registry.',
  examples: ['lanyard box org create acme'],
  service: 'box',
  writes: 'after reads',
  args: { name: organizationArg },
  async run({ args: { name } }, ctx) {
    const box = await ctx.api.box();
    const existing = `user or organization ${name}`;
    const read = () => box.readOrganization({ username: name });
    // If the response is lost, an organization that did not exist before was created by this request.
    if ((await unlessNotFound(read())) !== undefined)
      throw conflict(`${existing} already exists`, { service: 'box', hint: 'Choose another name.' });
    const write = () =>
      box
        .createOrganization({ organization: { username: name } })
        .catch(
          describeAs(
            (error) => hasStatus(error, 404, 405, 501),
            'failure',
            `cannot create organization "${name}": this registry has no request for it`,
            { hint: 'Create it on the website of the registry.', retryable: false },
          ),
        );
    const body = await writeNamed({ name: existing }, write, read, {}, ctx.output);
    return textResult(body, 'Created organization ', code(name), '.');
  },
});
