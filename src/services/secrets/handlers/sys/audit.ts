import { badRequest } from '../../errors.ts';
import { textField } from '../../fields.ts';
import { required, text } from '../../help/field.ts';
import { type Resource, requireSudo } from '../../resource.ts';
import type { SysContext } from './context.ts';

/** `sys/audit`: devices are set when the service is started (docs/protocol/secrets.md#audit). */

export const all: Resource<SysContext> = {
  summary: 'List the audit devices.',
  read({ audit }, request) {
    requireSudo(request, 'sys/audit');
    const devices = audit.devices.map(({ path, type, description, options }) => {
      return [path, { path, type, description, options: { ...options }, local: false }] as const;
    });
    return { data: Object.fromEntries(devices), copyToTopLevel: true };
  },
};

export const one: Resource<SysContext> = {
  summary: 'Rejected: audit devices are set when the service is started.',
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
};

export const hash: Resource<SysContext> = {
  summary: 'Show the hash of a text in the log of an audit device.',
  fields: { input: required(text('The text.')) },
  write({ audit }, { data }, path) {
    const input = textField(data, 'input');
    if (!input) throw badRequest('the "input" parameter is empty');
    return { data: { hash: audit.hash(`${path}/`, input) }, copyToTopLevel: true };
  },
};
