import type { Context } from '../../../command/context.ts';
import { usage } from '../../../errors.ts';
import { raw } from '../../../output/document.ts';
import { formatJson } from '../../../wire/json.ts';
import type { ServiceName } from '../../../wire/services.ts';

/** The OpenAPI document of an embedded service. It depends only on the version of the program. */
export async function openApiResult(service: ServiceName, ctx: Pick<Context, 'system'>) {
  const { openApiOf } = await import('../../../services/openapi.ts');
  const document = await openApiOf(service, ctx.system.version);
  return { data: document, document: [raw(`${formatJson(document, 2)}\n`)] };
}

/** @throws LanyardError usage: `--openapi` with a flag for services that run */
export function rejectOtherFlags(flags: Readonly<Record<string, unknown>>): void {
  const other = Object.entries(flags).find(
    ([name, value]) => name !== 'openapi' && value !== undefined && value !== false,
  );
  if (!other) return;
  const name = other[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw usage(`--openapi cannot be combined with --${name}: no service is started`);
}
