import { messageOf } from '../../core/errors.ts';
import { decodeFields, FieldError } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse, textResponse } from '../../core/http/http-service.ts';
import { uuid } from '../../core/uuid.ts';
import { translateRules } from '../acl/legacy/translate.ts';
import { parseRules } from '../acl/rules.ts';
import { writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { globalManagement, hashOf, putToken, tokens } from '../model/acl.ts';

/** Maximum length of legacy rules in bytes, so that a translation does not block the event loop. */
const maxRulesBytes = 64 * 1024;

/** Translates legacy rules into the current syntax (docs/protocol/registry.md#access-control; deprecated). */
export async function translateText(call: Call): Promise<HttpResponse> {
  return textResponse(200, translateChecked(await call.request.text()));
}

/** Translates the rules of a legacy token. */
export function translateToken({ params, registry }: Call): HttpResponse {
  const token = tokens.get(registry.state.view, params.accessor ?? '');
  if (!token || registry.acl.isExpired(token)) throw new HttpError(403, 'ACL not found');
  if (!token.Rules) throw new HttpError(500, 'The specified token does not have any rules set');
  return textResponse(200, translateChecked(token.Rules));
}

/** @throws HttpError 400, 413 */
function translateChecked(rules: string): string {
  const bytes = Buffer.byteLength(rules);
  if (bytes > maxRulesBytes) {
    throw new HttpError(413, `Request body(${bytes} bytes) too large, max size: ${maxRulesBytes} bytes`);
  }
  return parseChecked(translateRules, rules);
}

function parseChecked<Result>(parse: (rules: string) => Result, rules: string): Result {
  try {
    return parse(rules);
  } catch (error) {
    throw new HttpError(400, `Failed to parse rules: ${messageOf(error)}`);
  }
}

/**
 * Creates a legacy token with rules of its own: the rest of the earlier ACL API, so that tokens with rules to
 * translate exist (docs/protocol/registry.md#versions).
 */
export async function createLegacyToken(call: Call): Promise<HttpResponse> {
  const { registry } = call;
  const { Name, Rules, management } = await decodeFields(call.request, 'Request decode failed', (fields) => {
    const type = fields.string('Type') || 'client';
    if (type !== 'client' && type !== 'management') throw new FieldError('Type must be client or management');
    return { Name: fields.string('Name'), Rules: fields.string('Rules'), management: type === 'management' };
  });
  // A token with invalid rules would have unexpected permissions.
  parseChecked(parseRules, translateChecked(Rules));
  const SecretID = uuid(registry.random);
  await registry.state.update((transaction) =>
    putToken(transaction, {
      AccessorID: uuid(registry.random),
      SecretID,
      Description: Name,
      Policies: management ? [globalManagement.ID] : [],
      ...(Rules !== '' && { Rules }),
      Local: false,
      CreateTime: new Date(registry.state.now).toISOString(),
      Hash: hashOf(SecretID),
    }),
  );
  return writeResponse(call, { ID: SecretID });
}
