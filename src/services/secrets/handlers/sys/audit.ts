import * as s from '../../../core/schema/types.ts';
import { badRequest, orBadRequest } from '../../errors.ts';
import { requireSudo } from '../../resource.ts';
import { copied, rejected } from '../../returns.ts';
import { sysResource } from './context.ts';

/** `sys/audit`: devices are set when the service is started (docs/protocol/secrets.md#audit). */

export const all = sysResource({
  summary: 'List the audit devices.',
  returns: {
    read: copied(
      s.map(
        s.object({
          path: s.string(),
          type: s.string(),
          description: s.string(),
          options: s.map(s.string()),
          local: s.boolean(),
        }),
      ),
    ),
  },
  read({ audit }, request) {
    requireSudo(request, 'sys/audit');
    const devices = audit.devices.map(({ path, type, description, options }) => {
      return [path, { path, type, description, options: { ...options }, local: false }] as const;
    });
    return { data: Object.fromEntries(devices) };
  },
});

export const one = sysResource({
  summary: 'Rejected: audit devices are set when the service is started.',
  returns: { write: rejected },
  write(_context, request, path) {
    requireSudo(request, `sys/audit/${path}`);
    throw badRequest(
      'cannot enable audit device via API; use declarative, config-based audit device management instead: lanyard dev --audit-log FILE',
    );
  },
  delete({ audit }, request, path) {
    requireSudo(request, `sys/audit/${path}`);
    if (!audit.devices.some((device) => device.path === `${path}/`)) return undefined;
    throw badRequest('cannot disable configuration-managed audit device');
  },
});

export const hash = sysResource({
  summary: 'Show the hash of a text in the log of an audit device.',
  fields: { input: s.required(s.string('The text.')) },
  returns: { write: copied(s.object({ hash: s.string() })) },
  write: ({ audit }, { input: { input } }, path) => ({
    data: { hash: audit.hash(`${path}/`, orBadRequest(input, 'the "input" parameter is empty')) },
  }),
});
