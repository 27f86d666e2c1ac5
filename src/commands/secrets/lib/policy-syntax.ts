import { type Problem, syntaxProblem } from '../../../command/policy-text.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { type HclItem, type HclToken, parseHcl, unquote } from '../../../wire/hcl.ts';
import { parseJson } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { suggest } from '../../../wire/suggest.ts';

/** What is wrong with a policy, and where. */
export interface PolicyProblem extends Problem {
  /** The service accepts it, but it hardly means what was meant. */
  readonly isWarning?: true;
}

/** Of Vault or OpenBao; `scan` is OpenBao's, `subscribe` and `recover` are Vault's. */
const capabilities = [
  ...['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'],
  ...['scan', 'subscribe', 'recover'],
];
const policyWords = ['read', 'write', 'sudo', 'deny'];
const ttlFields = ['min_wrapping_ttl', 'max_wrapping_ttl'];
const pathFields = [
  ...['capabilities', 'policy', 'comment', 'allowed_parameters', 'denied_parameters', 'required_parameters'],
  ...[...ttlFields, 'mfa_methods', 'control_group', 'pagination_limit', 'expiration'],
  ...['list_scan_response_keys_filter_path', 'subscribe_event_types'],
];

/** A value as the checks see it; undefined: an object, or a list with others than texts. */
interface Value {
  readonly text?: string | undefined;
  readonly list?: readonly string[] | undefined;
}

/**
 * Checks the syntax of a policy in HCL, or in JSON if it begins with `{`.
 *
 * @returns how many rules it has, and what is wrong
 */
export function checkPolicy(text: string): {
  readonly rules: number;
  readonly problems: readonly PolicyProblem[];
} {
  try {
    return text.trimStart().startsWith('{') ? checkJson(text) : checkHcl(text);
  } catch (error) {
    return { rules: 0, problems: [syntaxProblem(error, text)] };
  }
}

function checkHcl(text: string) {
  const problems: PolicyProblem[] = [];
  let rules = 0;
  for (const item of parseHcl(text, { hasNestedLists: true }).items) {
    const [key, label, extra] = item.keys;
    const name = plain(key);
    const report: Report = (what, { line, column } = key, kind = {}) => {
      problems.push({ what, line, column, ...kind });
    };
    if (name === 'name') continue;
    if (name !== 'path')
      report(`unknown block "${name}"${suggestion(name, ['path'])}: expected path "PATH" { ... }`);
    else if (!label || extra || !item.body) report('expected path "PATH" { ... }', extra ?? key);
    else {
      rules++;
      checkRule(unquote(label), item.body.items, report);
    }
  }
  return { rules, problems };
}

type Report = (what: string, at?: HclToken, kind?: Pick<PolicyProblem, 'isWarning'>) => void;

function checkRule(path: string, items: readonly HclItem[], report: Report): void {
  const subject = `path "${path}"`;
  for (const { what, ...kind } of problemsOfPath(path)) report(what, undefined, kind);
  for (const { keys, first, list } of items) {
    const name = plain(keys[0]);
    const value = {
      text: list || first.kind !== 'scalar' ? undefined : plain(first),
      list: list?.map(plain),
    };
    for (const what of problemsOfField(subject, name, value)) report(what, keys[0]);
  }
}

const plain = ({ text }: HclToken): string => (text.startsWith('"') ? text.slice(1, -1) : text);

function checkJson(text: string) {
  const policy = parseJson(text);
  const top = isObject(policy) ? policy : {};
  const problems: PolicyProblem[] = Object.keys(top)
    .filter((name) => name !== 'path' && name !== 'name')
    .map((name) => ({ what: `unknown block "${name}"${suggestion(name, ['path'])}` }));
  const rules = [top.path ?? {}].flat().flatMap((each) => Object.entries(isObject(each) ? each : {}));
  for (const [path, rule] of rules) {
    const fields = [rule].flat().flatMap((each) => Object.entries(isObject(each) ? each : {}));
    const found = fields.flatMap(([name, value]) =>
      problemsOfField(`path "${path}"`, name, {
        text: typeof value === 'object' ? undefined : String(value),
        list: Array.isArray(value) ? value.map(String) : undefined,
      }),
    );
    problems.push(...problemsOfPath(path), ...found.map((what) => ({ what })));
  }
  return { rules: rules.length, problems };
}

function problemsOfPath(path: string): readonly PolicyProblem[] {
  const [start = '', ...pieces] = path.split('{{');
  if (start.includes('}}') || pieces.some((piece) => piece.split('}}').length !== 2))
    return [{ what: `path "${path}": unbalanced templates: expected }} after each {{` }];
  if (path.includes('+*')) return [{ what: `path "${path}": invalid wildcards: "+*" is not permitted` }];
  const star = path.indexOf('*');
  if (star < 0 || star === path.length - 1) return [];
  const what = `path "${path}": "*" is a wildcard only at the end and matches the character * here; use "+" for one segment`;
  return [{ what, isWarning: true }];
}

function problemsOfField(subject: string, name: string, { text, list }: Value): readonly string[] {
  if (!pathFields.includes(name))
    return [`${subject}: unknown field "${name}"${suggestion(name, pathFields)}`];
  if (name === 'capabilities') {
    if (!list) return [`${subject}: invalid capabilities: expected a list such as ["read", "list"]`];
    return list
      .filter((each) => !capabilities.includes(each))
      .map((each) => `${subject}: invalid capability "${each}"${suggestion(each, capabilities)}`);
  }
  if (name === 'policy' && !policyWords.includes(text ?? ''))
    return [`${subject}: invalid policy "${text ?? ''}": expected ${policyWords.join(', ')}`];
  if (ttlFields.includes(name) && (text === undefined || parseDuration(text) === undefined))
    return [`${subject}: invalid ${name} "${text ?? ''}": expected a duration such as 10m`];
  if (name === 'required_parameters' && !list)
    return [`${subject}: invalid required_parameters: expected a list of names`];
  return [];
}

function suggestion(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return meant === undefined || meant === name ? '' : `; did you mean "${meant}"?`;
}
