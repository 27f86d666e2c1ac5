import type { Json } from '../../../wire/json.ts';
import { messageOf } from '../../core/errors.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { HttpError, textResponse } from '../../core/http/http-service.ts';
import * as s from '../../core/schema/types.ts';
import { translateRules } from '../acl/legacy/translate.ts';
import { parseRules } from '../acl/rules.ts';
import { newToken } from '../acl/tokens.ts';
import { writeResponse } from '../blocking-query.ts';
import { operations } from '../call.ts';
import { globalManagement, putToken, tokens } from '../model/acl.ts';

/** Maximum length of legacy rules in bytes, so that a translation does not block the event loop. */
const maxRulesBytes = 64 * 1024;

const operation = operations('ACL');
const rules = { type: 'text/plain', schema: { type: 'string', description: 'Rules.' } };
const returnsRules = { 200: { content: rules, headers: 'all' } };

/** Translates legacy rules into the current syntax (docs/protocol/registry.md#access-control; deprecated). */
export const translateText = operation('translateRules', 'Translate legacy rules into the current syntax', {
  content: rules,
  responses: returnsRules,
  handle: async ({ request }) => textResponse(200, translateChecked(await request.text())),
});

export const translateToken = operation('translateTokenRules', 'Translate the rules of a legacy token', {
  responses: returnsRules,
  handle({ params, registry }) {
    const token = tokens.get(registry.state.view, params.accessor ?? '');
    if (!token || registry.acl.isExpired(token)) throw new HttpError(403, 'ACL not found');
    if (!token.Rules) throw new HttpError(500, 'The specified token does not have any rules set');
    return textResponse(200, translateChecked(token.Rules));
  },
});

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

const tokenTypes = ['client', 'management'] as const;

/** @throws FieldError */
function toTokenType(value: Json): (typeof tokenTypes)[number] {
  const type = tokenTypes.find((each) => each === (value || 'client'));
  if (!type) throw new FieldError('Type must be client or management');
  return type;
}

/**
 * Creates a legacy token with rules of its own: the rest of the earlier ACL API, so that tokens with rules to
 * translate exist (docs/protocol/registry.md#versions).
 */
export const createLegacyToken = operation('createLegacyToken', 'Create a token with rules', {
  description: 'Deprecated: a token of the earlier ACL system.',
  body: s.object({
    Name: s.string(),
    Type: s.converted(s.oneOf(tokenTypes, undefined, { default: 'client' }), toTokenType),
    Rules: s.string('Rules in the legacy syntax.'),
  }),
  isBodyOptional: true,
  bodyError: 'Request decode failed',
  returns: s.object({ ID: s.string() }),
  async handle(call) {
    const { registry } = call;
    const { Name, Rules, Type } = await call.body();
    // A token with invalid rules would have unexpected permissions.
    parseChecked(parseRules, translateChecked(Rules));
    const created = newToken(registry);
    await registry.state.update((transaction) =>
      putToken(transaction, {
        ...created,
        Description: Name,
        Policies: Type === 'management' ? [globalManagement.ID] : [],
        ...(Rules !== '' && { Rules }),
      }),
    );
    return writeResponse(call, { ID: created.SecretID });
  },
});
