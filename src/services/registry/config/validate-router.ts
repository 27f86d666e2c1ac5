import type { HttpMatch, Route, ServiceRouter, ValueMatch } from './entry.ts';
import { metaErrors, rejectAll, rejectIf, rejectNegative } from './reject-if.ts';

/** @throws HttpError 500 */
export function validateRouter({ Meta, Routes = [] }: ServiceRouter): void {
  rejectAll(metaErrors(Meta));
  for (const [index, route] of Routes.entries()) validateRoute(route, `Route[${index}]`);
}

const methods: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
];

const retryConditions: readonly string[] = [
  '5xx',
  'gateway-error',
  'reset',
  'connect-failure',
  'envoy-ratelimited',
  'retriable-4xx',
  'refused-stream',
  'cancelled',
  'deadline-exceeded',
  'internal',
  'resource-exhausted',
  'unavailable',
];

function validateRoute({ Match, Destination }: Route, where: string): void {
  const http = Match?.HTTP ?? {};
  validatePaths(http, where);
  validateValues(http, where);
  validateMethods(http, where);
  if (!Destination) return;
  rejectIf(
    Destination.PrefixRewrite && !http.PathExact && !http.PathPrefix,
    `${where} cannot make use of PrefixRewrite without configuring either PathExact or PathPrefix`,
  );
  const unknown = Destination.RetryOn?.find((condition) => !retryConditions.includes(condition));
  rejectIf(
    unknown !== undefined,
    `${where} contains an invalid retry condition: ${JSON.stringify(unknown ?? '')}`,
  );
  rejectNegative(`${where} Bad RequestTimeout`, Destination.RequestTimeout);
  rejectNegative(`${where} Bad IdleTimeout`, Destination.IdleTimeout);
  rejectIf(Destination.Partition, `${where} cannot set Partition: partitions are not supported`);
}

function validatePaths({ PathExact, PathPrefix, PathRegex }: HttpMatch, where: string): void {
  rejectIf(
    PathExact && !PathExact.startsWith('/'),
    `${where} PathExact doesn't start with '/': ${JSON.stringify(PathExact)}`,
  );
  rejectIf(
    PathPrefix && !PathPrefix.startsWith('/'),
    `${where} PathPrefix doesn't start with '/': ${JSON.stringify(PathPrefix)}`,
  );
  rejectIf(
    [PathExact, PathPrefix, PathRegex].filter(Boolean).length > 1,
    `${where} should only contain at most one of PathExact, PathPrefix, or PathRegex`,
  );
}

function validateValues({ Header = [], QueryParam = [] }: HttpMatch, where: string): void {
  const check = (field: string, conditions: string, values: readonly ValueMatch[]) => {
    for (const [index, { Name, Present, Exact, Prefix, Suffix, Regex }] of values.entries()) {
      rejectIf(!Name, `${where} ${field}[${index}] missing required Name field`);
      const provided = [Present, Exact, Prefix, Suffix, Regex].filter(Boolean).length;
      rejectIf(provided !== 1, `${where} ${field}[${index}] should only contain one of ${conditions}`);
    }
  };
  check('Header', 'Present, Exact, Prefix, Suffix, or Regex', Header);
  check('QueryParam', 'Present, Exact, or Regex', QueryParam);
}

function validateMethods({ Methods = [] }: HttpMatch, where: string): void {
  for (const [index, method] of Methods.entries()) {
    const name = JSON.stringify(method);
    rejectIf(!methods.includes(method), `${where} Methods contains an invalid method ${name}`);
    rejectIf(Methods.indexOf(method) !== index, `${where} Methods contains ${name} more than once`);
  }
}
