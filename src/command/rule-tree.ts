import { type HclItem, type HclToken, parseHcl, unexpectedToken, unquote } from '../wire/hcl.ts';
import { type Json, parseJson } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { type Problem, syntaxProblem } from './policy-text.ts';

/** Where something is in the text; JSON has no positions. */
export type Position = Omit<Problem, 'what'>;

/** An assignment or a block of rules, of HCL or of JSON. */
export interface RuleNode extends Position {
  readonly name: string;
  /** `app/` in `key_prefix "app/" { ... }`. */
  readonly label?: string | undefined;
  /** The text of an assignment; undefined: a block, or a value that is not text. */
  readonly value?: string | undefined;
  /** The texts of a list. */
  readonly list?: readonly string[] | undefined;
  /** The contents of a block. */
  readonly children?: readonly RuleNode[] | undefined;
}

export type RuleTree = { readonly nodes: readonly RuleNode[]; readonly problems: readonly Problem[] };

/** Reads rules as HCL, or as JSON if they begin with `{`. A syntax error is a problem, with its position if it has one. */
export function parseRuleTree(text: string): RuleTree {
  try {
    if (text.trimStart().startsWith('{')) return { nodes: nodesOfJson(parseJson(text)), problems: [] };
    return { nodes: parseHcl(text).items.flatMap(nodesOfItem), problems: [] };
  } catch (error) {
    return { nodes: [], problems: [syntaxProblem(error, text)] };
  }
}

const nameOf = ({ text }: HclToken): string => (text.startsWith('"') ? text.slice(1, -1) : text);

const itemsOf = ({ body }: HclItem): readonly RuleNode[] => (body?.items ?? []).flatMap(nodesOfItem);

function nodesOfItem(item: HclItem): readonly RuleNode[] {
  const [key, label, extra] = item.keys;
  const { line, column } = key;
  if (extra) throw unexpectedToken('"{"', extra);
  const node = { name: nameOf(key), line, column };
  if (label)
    return [
      { ...node, label: label.text.startsWith('"') ? unquote(label) : label.text, children: itemsOf(item) },
    ];
  if (item.body) return [{ ...node, children: itemsOf(item) }];
  if (item.list) return [{ ...node, list: item.list.map(unquote) }];
  return [{ ...node, value: item.first.text.startsWith('<<') ? heredoc(item.first) : unquote(item.first) }];
}

/** The lines between the markers, each with its line break. */
const heredoc = ({ text }: HclToken): string =>
  text
    .split('\n')
    .slice(1, -1)
    .map((line) => `${line}\n`)
    .join('');

function nodesOfJson(value: Json): RuleNode[] {
  // The same kind several times is a list of objects.
  if (Array.isArray(value)) return value.flatMap(nodesOfJson);
  if (!isObject(value)) throw new SyntaxError('expected an object');
  return Object.entries(value as { readonly [name: string]: Json }).map(([name, member]) => {
    if (isTexts(member)) return { name, list: member };
    if (typeof member === 'object' && member !== null) return { name, children: nodesOfJson(member) };
    return { name, ...(typeof member === 'string' ? { value: member } : {}) };
  });
}

const isTexts = (value: Json): value is readonly string[] & Json =>
  Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string');
