import { readFile, rm } from 'node:fs/promises';
import { decodeBody } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { knownFields, names } from '../acl/body.ts';
import { newToken, tokenView } from '../acl/tokens.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { bootstraps, globalManagement, putToken } from '../model/acl.ts';

const bootstrapShape = names('BootstrapSecret');

/**
 * Creates the first management token, once (docs/protocol/registry.md#access-control); again for a user who writes
 * the index of the error message to a file next to the data (docs/protocol/registry.md#access-control).
 */
export async function bootstrap(call: Call): Promise<HttpResponse> {
  const { registry, request } = call;
  const { state } = registry;
  const secret = await decodeBody(request, 'Request decoding failed', (body) =>
    knownFields(body ?? null, bootstrapShape).string('BootstrapSecret'),
  );
  const specified = bootstraps.get(state.view, 'done') ? await takeResetIndex(registry.resetFile) : undefined;
  const token = await state.update((transaction) => {
    checkReset(bootstraps.get(transaction, 'done')?.index, specified);
    if (secret !== '' && !uuidPattern.test(secret))
      throw new HttpError(400, 'BootstrapSecret must be a UUID');
    transaction.write(bootstraps.put('done', { index: transaction.index }));
    return putToken(transaction, {
      ...newToken(registry, secret),
      Description: 'Bootstrap Token (Global Management)',
      Policies: [globalManagement.ID],
    });
  });
  return writeResponse(call, { ID: token.SecretID, ...tokenView(state.view, token) });
}

/** @throws HttpError 403, 500: already done, without a valid reset index */
function checkReset(resetIndex: number | undefined, specified: number | undefined): void {
  if (resetIndex === undefined || resetIndex === specified) return;
  throw specified === undefined
    ? new HttpError(403, `Permission denied: ACL bootstrap no longer allowed (reset index: ${resetIndex})`)
    : new HttpError(
        500,
        `Invalid bootstrap reset index (specified ${specified}, reset index: ${resetIndex})`,
      );
}

/** The index in the file, which is deleted; undefined: no file, or no number. */
async function takeResetIndex(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (!/^\d{1,15}$/.test(text)) return undefined;
    await rm(file);
    return Number(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HttpError(500, `cannot read and remove ${file}: the file must be the service's own`);
  }
}
