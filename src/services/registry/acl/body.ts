import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { decodeBody, FieldError, Fields } from '../../core/http/fields.ts';
import type { HttpRequest } from '../../core/http/http-service.ts';

/** The known fields of an object, by lower-case name, with those of its objects and lists of objects. */
export type Shape = { readonly [name: string]: Shape };

/** Fields without known fields of their own. */
export function names(...all: readonly string[]): Shape {
  return Object.fromEntries(all.map((name) => [name.toLowerCase(), {}]));
}

const link = names('ID', 'Name');
export const templateVariablesShape = names('Name');
const indexes = names('CreateIndex', 'ModifyIndex');

export const roleShape: Shape = {
  ...names('ID', 'Name', 'Description', 'Hash'),
  policies: link,
  serviceidentities: names('ServiceName', 'Datacenters'),
  nodeidentities: names('NodeName', 'Datacenter'),
  templatedpolicies: {
    ...names('TemplateID', 'TemplateName', 'Datacenters'),
    templatevariables: templateVariablesShape,
  },
  ...indexes,
};

const { id: _id, name: _name, ...grantShape } = roleShape;

export const tokenShape: Shape = {
  ...grantShape,
  ...names('AccessorID', 'SecretID', 'Local', 'AuthMethod', 'ExpirationTime', 'ExpirationTTL', 'CreateTime'),
  roles: link,
};

export const bindingRuleShape: Shape = {
  ...names('ID', 'Description', 'AuthMethod', 'Selector', 'BindType', 'BindName'),
  bindvars: templateVariablesShape,
  ...indexes,
};

export const authMethodShape: Shape = {
  ...names('Name', 'Type', 'DisplayName', 'Description', 'MaxTokenTTL', 'TokenLocality', 'Config'),
  ...indexes,
};

/**
 * Reads the fields of a body that must be an object, and has no other fields than those of the shape.
 *
 * @param prefix precedes the reason of an error
 * @throws HttpError 400, 413
 */
export function decodeKnownFields<Result>(
  request: HttpRequest,
  prefix: string,
  shape: Shape,
  read: (fields: Fields) => Result,
): Promise<Result> {
  return decodeBody(request, prefix, (body) => {
    if (body === undefined) throw new FieldError('EOF');
    return read(knownFields(body, shape));
  });
}

/** The fields of a value that must be an object or null. @throws FieldError also for an unknown field */
export function knownFields(value: Json, shape: Shape): Fields {
  rejectUnknown(value, shape);
  return new Fields(value ?? {});
}

/** @throws FieldError for the first unknown field, with the text of Consul */
function rejectUnknown(value: Json, shape: Shape): void {
  if (Object.keys(shape).length === 0) return;
  if (Array.isArray(value)) for (const item of value) rejectUnknown(item, shape);
  else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const key = name.toLowerCase();
      if (!Object.hasOwn(shape, key)) throw unknownField(name);
      rejectUnknown(field as Json, shape[key] ?? {});
    }
  }
}

function unknownField(name: string): FieldError {
  const reason = name === 'Namespace' ? ' - Namespaces are a Consul Enterprise feature' : '';
  return new FieldError(`json: unknown field ${JSON.stringify(name)}${reason}`);
}
