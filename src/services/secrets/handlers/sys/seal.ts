import { type Resource, requireSudo } from '../../resource.ts';
import type { SysContext } from './context.ts';

/** `sys/seal`; unsealing requires no token (service-state.ts). */
export const seal: Resource<SysContext> = {
  summary: 'Seal the service.',
  write(context, request) {
    requireSudo(request, 'sys/seal');
    context.seal();
    return undefined;
  },
};
