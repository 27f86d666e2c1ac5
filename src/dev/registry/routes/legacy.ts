import { messageOf } from '../../errors.ts';
import { decode, FieldError, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal, textAnswer } from '../../http/service.ts';
import { uuid } from '../../uuid.ts';
import { translateRules } from '../acl/legacy/translate.ts';
import { parseRules } from '../acl/rules.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { written } from '../http/read.ts';
import { globalManagement, hashOf, putToken, tokenOf } from '../state/acl.ts';

/** Bytes of legacy rules at the most: as many as can be translated in one short stretch. */
const maxRulesBytes = 64 * 1024;

/** Translates legacy rules into the current syntax (docs/protocol/registry.md#access-control; deprecated). */
export async function translateText(call: Call): Promise<Answer> {
  demand(call.authority, 'acl:read', '');
  return translation(await call.request.text());
}

/** Translates the rules of a legacy token. */
export function translateToken({ authority, params, registry }: Call): Answer {
  demand(authority, 'acl:read', '');
  const token = tokenOf(registry.state.view, params.accessor ?? '');
  if (!token || registry.acl.expired(token)) throw new HttpRefusal(403, 'ACL not found');
  if (!token.Rules) throw new HttpRefusal(500, 'The specified token does not have any rules set');
  return translation(token.Rules);
}

function translation(rules: string): Answer {
  return textAnswer(200, translated(rules));
}

/** @throws HttpRefusal 400, 413 */
function translated(rules: string): string {
  const bytes = Buffer.byteLength(rules);
  if (bytes > maxRulesBytes) {
    throw new HttpRefusal(413, `Request body(${bytes} bytes) too large, max size: ${maxRulesBytes} bytes`);
  }
  try {
    return translateRules(rules);
  } catch (error) {
    throw new HttpRefusal(400, `Failed to parse rules: ${messageOf(error)}`);
  }
}

function refuseUnknown(rules: string): void {
  try {
    parseRules(rules);
  } catch (error) {
    throw new HttpRefusal(400, `Failed to parse rules: ${messageOf(error)}`);
  }
}

/**
 * Makes a legacy token, which has its rules itself: what is left of the earlier access-control interface, so that
 * there are tokens whose rules can be translated (docs/protocol/registry.md#versions).
 */
export async function createLegacyToken(call: Call): Promise<Answer> {
  const { authority, registry } = call;
  demand(authority, 'acl:write', '');
  const { Name, Rules, management } = await decode(call.request, 'Request decode failed', (body) => {
    const fields = new Fields(body ?? {});
    const type = fields.text('Type') || 'client';
    if (type !== 'client' && type !== 'management') throw new FieldError('Type must be client or management');
    return { Name: fields.text('Name'), Rules: fields.text('Rules'), management: type === 'management' };
  });
  // Rules that cannot be read would let their token do less, or more, than was meant.
  refuseUnknown(translated(Rules));
  const SecretID = uuid(registry.random);
  await registry.state.change((draft) =>
    putToken(draft, {
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
  return written(call, { ID: SecretID });
}
