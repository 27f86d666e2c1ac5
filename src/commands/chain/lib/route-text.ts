import type { Chain } from './graph.ts';

type Route = NonNullable<Chain['Nodes'][string]['Routes']>[number];
type Definition = NonNullable<Route['Definition']>;
type Match = NonNullable<Definition['Match']>['HTTP'];
type Condition = NonNullable<NonNullable<NonNullable<Match>['Header']>>[number];

/** The requests that a route matches: "path prefix /admin, header x-debug is "1"". */
export function matchText(match: Match | undefined): string {
  const { PathExact, PathPrefix, PathRegex, Methods, Header, QueryParam } = match ?? {};
  const words = [
    ...(PathExact ? [`path ${PathExact}`] : []),
    ...(PathPrefix ? [`path prefix ${PathPrefix}`] : []),
    ...(PathRegex ? [`path matching ${PathRegex}`] : []),
    ...(Methods && Methods.length > 0 ? [Methods.join(' or ')] : []),
    ...(Header ?? []).map((condition) => `header ${conditionText(condition)}`),
    ...(QueryParam ?? []).map((condition) => `query ${conditionText(condition)}`),
  ];
  return words.length === 0 ? 'every request' : words.join(', ');
}

const relations = [
  ['Exact', 'is'],
  ['Prefix', 'starts with'],
  ['Suffix', 'ends with'],
  ['Contains', 'contains'],
  ['Regex', 'matches'],
] as const;

function conditionText(condition: Condition): string {
  const relation = relations.find(([name]) => condition[name]);
  const requested = relation ? `${relation[1]} ${JSON.stringify(condition[relation[0]])}` : 'is present';
  return `${condition.Name} ${requested}${condition.Invert ? ' (inverted)' : ''}`;
}

/** How a route changes and retries a request. */
export function destinationText(destination: Definition['Destination']): string[] {
  if (!destination) return [];
  const { PrefixRewrite, RequestTimeout, NumRetries, RetryOnConnectFailure, RetryOnStatusCodes } =
    destination;
  const timeout = typeof RequestTimeout === 'number' ? `${RequestTimeout / 1e9}s` : RequestTimeout;
  const occasions = [
    ...(RetryOnConnectFailure ? ['connection failure'] : []),
    ...(RetryOnStatusCodes ?? []).map(String),
  ];
  const retries = [
    ...(NumRetries ? [`${NumRetries} ${NumRetries === 1 ? 'retry' : 'retries'}`] : []),
    ...(occasions.length > 0 ? [`${NumRetries ? 'on' : 'retry on'} ${occasions.join(', ')}`] : []),
  ];
  return [
    ...(PrefixRewrite ? [`prefix rewritten to ${PrefixRewrite}`] : []),
    ...(timeout && timeout !== '0s' ? [`timeout ${timeout}`] : []),
    ...(retries.length > 0 ? [retries.join(' ')] : []),
  ];
}
