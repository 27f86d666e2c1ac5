import { isMissingTemplate } from '../../../api/conditions/registry.ts';
import { arg } from '../../../command/command.ts';
import { describeAs } from '../../../errors.ts';

export const templateArg = arg.text('TEMPLATE', 'name of the templated policy, such as builtin/service', {
  completes: [
    'builtin/service',
    'builtin/node',
    'builtin/dns',
    'builtin/nomad-server',
    'builtin/nomad-client',
    'builtin/api-gateway',
  ],
});

/** Reports an unknown template as not found, whatever its status. */
export const describeMissingTemplate = (name: string) =>
  describeAs(isMissingTemplate, 'not_found', `templated policy "${name}" not found`, {
    hint: 'Run `lanyard acl templated-policy list` for the existing templated policies.',
  });
