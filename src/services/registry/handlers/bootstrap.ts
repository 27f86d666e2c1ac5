import { takeResetIndex } from '../../core/bootstrap-reset.ts';
import { HttpError } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { uuidPattern } from '../../core/uuid.ts';
import { newToken, tokenView } from '../acl/tokens.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { bootstraps, bootstrapToken, globalManagement, putToken } from '../model/acl.ts';

const operation = operations('ACL');

/**
 * Creates the first management token, once (docs/protocol/registry.md#access-control); again for a user who writes
 * the index of the error message to a file next to the data (docs/protocol/registry.md#access-control).
 */
export const bootstrap = operation(
  'bootstrapAcl',
  'Enable access control and create the first management token',
  {
    isUnauthenticated: true,
    body: s.object({ BootstrapSecret: s.string('The secret of the token, a UUID; default: random.') }),
    isBodyOptional: true,
    bodyError: 'Request decoding failed',
    rejectsUnknownFields: 'with hint',
    returns: bootstrapToken,
    // Access control is on already.
    errors: [403],
    async handle(call) {
      const { registry } = call;
      const { state } = registry;
      const { BootstrapSecret: secret } = await call.body();
      const specified = bootstraps.get(state.view, 'done')
        ? await takeResetIndex(registry.resetFile)
        : undefined;
      const created = await state.update((transaction) => {
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
      return writeResponse(call, { ID: created.SecretID, ...tokenView(state.view, created) });
    },
  },
);

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
