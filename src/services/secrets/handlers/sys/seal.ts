import { requireSudo } from '../../resource.ts';
import { sysResource } from './context.ts';

/** `sys/seal`; unsealing requires no token (service-state.ts). */
export const seal = sysResource({
  summary: 'Seal the service.',
  write(context, request) {
    requireSudo(request, 'sys/seal');
    context.seal();
    return undefined;
  },
});
