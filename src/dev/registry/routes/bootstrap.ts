import { readFile, rm } from 'node:fs/promises';
import { decode, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { freshToken, shownToken } from '../acl/tokens.ts';
import type { Call } from '../http/call.ts';
import { written } from '../http/read.ts';
import { globalManagement, putToken } from '../state/acl.ts';

const uuidForm = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Makes the first token, which may do everything. It works once (docs/protocol/registry.md#access-control); and again
 * for who can write the number that the refusal names to a file beside the data
 * (docs/protocol/registry.md#access-control).
 */
export async function bootstrap(call: Call): Promise<Answer> {
  const { registry, request } = call;
  const { state } = registry;
  const wanted = await decode(request, 'Request decode failed', (body) =>
    new Fields(body ?? {}).text('BootstrapSecret'),
  );
  if (wanted !== '' && !uuidForm.test(wanted)) throw new HttpRefusal(400, 'BootstrapSecret must be a UUID');
  const specified = state.view.get('bootstrap', 'done')
    ? await takeResetIndex(registry.resetFile)
    : undefined;
  const token = await state.change((draft) => {
    checkReset(draft.get('bootstrap', 'done')?.index as number | undefined, specified);
    draft.put('bootstrap', 'done', { index: draft.index });
    return putToken(draft, {
      ...freshToken(registry, wanted),
      Description: 'Bootstrap Token (Global Management)',
      Policies: [globalManagement.ID],
    });
  });
  return written(call, { ID: token.SecretID, ...shownToken(state.view, token) });
}

/** @throws HttpRefusal 403, 500: it was done, and nobody says rightly that it is to be done again */
function checkReset(done: number | undefined, specified: number | undefined): void {
  if (done === undefined || done === specified) return;
  throw specified === undefined
    ? new HttpRefusal(403, `Permission denied: ACL bootstrap no longer allowed (reset index: ${done})`)
    : new HttpRefusal(500, `Invalid bootstrap reset index (specified ${specified}, reset index: ${done})`);
}

/** The number in the file, which is gone then; undefined: there is no file, or no number in it. */
async function takeResetIndex(file: string | undefined): Promise<number | undefined> {
  if (file === undefined) return undefined;
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (!/^\d{1,15}$/.test(text)) return undefined;
    await rm(file);
    return Number(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HttpRefusal(500, `cannot read and remove ${file}: the file must be the service's own`);
  }
}
