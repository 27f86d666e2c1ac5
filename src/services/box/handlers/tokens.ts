import { type HttpResponse, jsonResponse } from '../../core/http/http-service.ts';
import { passwordMatches } from '../../core/password.ts';
import * as s from '../../core/schema/types.ts';
import { sentToken } from '../auth.ts';
import { type Call, operations, timeOf } from '../call.ts';
import { forbidden, unauthorized } from '../errors.ts';
import { type User, userByLogin } from '../model/owners.ts';
import { hashOf, newSecret, type Token, tokenChange, tokenRemoval } from '../model/tokens.ts';
import { codeRequired, user } from '../objects.ts';

const operation = operations('Tokens');

const deliveryMethod = 'sms';
const deliveryMethodType = s.converted(s.required(s.oneOf([deliveryMethod])), (value) => {
  if (value !== deliveryMethod) throw new Error(`${deliveryMethod}: no other one is supported`);
  return deliveryMethod;
});

/** Without a required code the response is 406 with the ways to request one (docs/protocol/box.md#tokens). */
export const createToken = operation('createToken', 'Create a token with login, password and code', {
  isUnauthenticated: true,
  responses: {
    200: {
      body: s.named(
        'Token',
        s.object({
          description: s.string(),
          token: s.string('The token. It is not shown again.'),
          token_hash: s.string(),
          created_at: s.time(),
        }),
      ),
    },
    406: { description: 'A code is required.', body: codeRequired },
  },
  body: s.object({
    user: s.required(user),
    token: s.object({ description: s.string() }),
    two_factor: s.object({ code: s.string('The code of two-factor authentication.') }),
  }),
  errors: [401, 403],
  async handle(call) {
    const { registry } = call;
    const body = await call.body();
    const { description } = body.token;
    const { code } = body.two_factor;
    const found = await authenticate(call, body.user);
    if (found.phone !== null) {
      if (!code) return codeRequiredResponse();
      if (!registry.codes.use(found.name, code)) throw unauthorized('Invalid two-factor code');
    }
    const secret = newSecret(registry.random);
    const token: Token = { user: found.name, description, createdAt: timeOf(call) };
    await registry.storage.write([tokenChange(secret, token)]);
    return jsonResponse(200, {
      description,
      token: secret,
      token_hash: hashOf(secret),
      created_at: token.createdAt,
    });
  },
});

/** @throws HttpError 403: a field is missing; 401: unknown user or wrong password; 429 */
async function authenticate({ registry }: Call, { login, password }: s.Input<typeof user>): Promise<User> {
  const found = await userByLogin(registry.storage, login);
  const isCorrect = await passwordMatches(password, found?.password, registry.scryptCost);
  if (!found || !isCorrect) throw unauthorized('Invalid login or password');
  return found;
}

function codeRequiredResponse(): HttpResponse {
  return jsonResponse(406, {
    errors: ['Two-factor authentication is on; a code is required'],
    success: false,
    two_factor: { default_delivery_method: deliveryMethod, delivery_methods: [deliveryMethod] },
  });
}

/** Sends a code to a user: it is printed where the registry was started, in place of a text message. */
export const requestCode = operation('requestCode', 'Request a code for two-factor authentication', {
  isUnauthenticated: true,
  body: s.object({
    two_factor: s.object({ delivery_method: deliveryMethodType }),
    user: s.required(user),
  }),
  returns: s.object({ two_factor: s.object({ obfuscated_destination: s.string() }) }),
  errors: [401, 403],
  async handle(call) {
    const { name, phone } = await authenticate(call, (await call.body()).user);
    if (phone === null) throw forbidden(`Two-factor authentication is off for ${name}`);
    call.registry.print(`The code for ${name} is ${call.registry.codes.issue(name)}`);
    return jsonResponse(200, {
      two_factor: { obfuscated_destination: `number ending in ${phone.slice(-4)}` },
    });
  },
});

/** Returns the user of the token; an unknown token was rejected before. */
export const validateToken = operation('validateToken', 'Get the user of the token', {
  requiresToken: true,
  returns: s.object({ user: s.object({ username: s.string() }) }),
  handle(call) {
    return jsonResponse(200, { user: { username: call.caller } });
  },
});

export const deleteToken = operation('deleteToken', 'Delete the token of the request', {
  requiresToken: true,
  responses: { 204: {} },
  async handle(call) {
    await call.registry.storage.write([tokenRemoval(sentToken(call.request) ?? '')]);
    return { status: 204 };
  },
});
