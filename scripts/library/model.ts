import { readFileSync } from 'node:fs';
import { SignatureKind, SymbolFlags, type Type, type TypeReference } from 'typescript/unstable/sync';
import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import type { Operation } from '../../src/api/operation.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { methodName } from '../../src/library/method-names.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { root } from '../bundle.ts';
import type { Compiler } from '../compiler.ts';
import { commentText, typeWriter } from './type-text.ts';

/** The values that a required field may have; content is text or bytes. */
export type FieldKind = 'string' | 'string or null' | 'number' | 'boolean' | 'array' | 'object' | 'content';

/** One method of a client. */
export interface MethodModel {
  readonly name: string;
  /** The name of its operation in the table. */
  readonly operation: string;
  readonly required: readonly { readonly name: string; readonly kind: FieldKind }[];
  /** Sentences about the request. */
  readonly description: string;
  /** Undefined: it has no parameter. */
  readonly input: string | undefined;
  readonly isInputOptional: boolean;
  /** The type of the body. */
  readonly output: string;
}

/** A client of a service. */
export interface ClientModel {
  readonly service: ServiceName;
  readonly name: string;
  readonly comment: string;
  readonly methods: readonly MethodModel[];
}

/** A type with a name. */
export interface NamedType {
  readonly name: string;
  readonly comment: string;
  readonly text: string;
}

/** What the public types of the library are generated from. */
export interface LibraryModel {
  readonly clients: readonly ClientModel[];
  /** The bodies with a name. */
  readonly bodies: readonly NamedType[];
  /** The members of `LanyardError`, as declarations. */
  readonly errorMembers: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape are in one table
type Table = Readonly<Record<string, Operation<any, any>>>;

const tables: Readonly<Record<string, readonly [ServiceName, Table]>> = {
  SecretsClient: ['secrets', secretsOperations],
  RegistryClient: ['registry', registryOperations],
  BoxClient: ['box', boxOperations],
  SchedulerClient: ['scheduler', schedulerOperations],
  AccountsClient: ['accounts', accountsOperations],
};

/** Reads the clients from the tables of operations and from the types of the library. */
export function libraryModel(compiler: Compiler): LibraryModel {
  const { checker } = compiler;
  const names = new Map<string, string>();
  const bodies = declaredIn(compiler, 'src/library/bodies.ts').map(({ name, comment, type }) => {
    const text = typeWriter(checker, names)(type);
    names.set(text, name);
    return { name, comment, text };
  });
  const typeText = typeWriter(checker, names);
  const clients = declaredIn(compiler, 'src/library/operations.ts').map(({ name, comment, type }) => {
    const [service, table = {}] = tables[name] ?? [];
    const operations = new Map(Object.keys(table).map((each) => [methodName(each), each]));
    // Renaming changes the order of the compiler.
    const before = compiler.exportsOf(`src/api/${service}.ts`).find((each) => each.name === name);
    const order = before
      ? checker
          .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(before))
          .map((each) => methodName(each.name))
      : [];
    const properties = [...checker.getPropertiesOfType(type)].sort(
      (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
    );
    const methods = properties.map((method): MethodModel => {
      const operationName = operations.get(method.name) ?? '';
      const operation = table[operationName];
      const declared = checker.getTypeOfSymbol(method);
      const signature = declared && checker.getSignaturesOfType(declared, SignatureKind.Call)[0];
      const parameter = signature?.getParameters()[0];
      const input = parameter && checker.getTypeOfSymbol(parameter);
      const output = signature && bodyIn(compiler, checker.getReturnTypeOfSignature(signature));
      if (!operation || !input || !output) throw new Error(`${name}.${method.name} is not an operation`);
      const text = typeText(input);
      return {
        name: method.name,
        operation: operationName,
        required: text.endsWith(' | undefined') ? [] : requiredOf(compiler, input),
        description: descriptionOf(operation),
        input: text === 'object | undefined' ? undefined : text.replace(/ \| undefined$/, ''),
        isInputOptional: text.endsWith(' | undefined'),
        output: typeText(output),
      };
    });
    if (!service) throw new Error(`${name} is not a client`);
    return { service, name, comment, methods };
  });
  return { clients, bodies, errorMembers: errorMembers(compiler) };
}

function requiredOf({ checker }: Compiler, input: Type): MethodModel['required'] {
  const typeText = typeWriter(checker);
  return checker.getPropertiesOfType(input).flatMap((field) => {
    const type = checker.getTypeOfSymbol(field);
    if ((field.flags & SymbolFlags.Optional) !== 0 || !type) return [];
    return [{ name: field.name, kind: kindOf(field.name, typeText(type)) }];
  });
}

function kindOf(name: string, type: string): FieldKind {
  if (name === 'content') return 'content';
  if (type === 'string' || /^"[^"]*"$/.test(type)) return 'string';
  if (type === 'string | null') return 'string or null';
  if (type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type.endsWith('[]')) return 'array';
  if (type === 'object' || type.startsWith('{')) return 'object';
  throw new Error(`the required field ${name} has the type ${type}`);
}

/** The type aliases that a file exports, in the order of the file. */
function declaredIn(compiler: Compiler, path: string) {
  const { checker } = compiler;
  const symbols = new Map(compiler.exportsOf(path).map((symbol) => [symbol.name, symbol]));
  const source = readFileSync(`${root}/${path}`, 'utf8');
  return [...source.matchAll(/^export type (\w+)/gm)].flatMap(([, name = '']) => {
    const symbol = symbols.get(name);
    if (!symbol) throw new Error(`${path} does not export ${name}`);
    const comment = checker.getDocumentationCommentOfSymbol(symbol);
    return [{ name, comment, type: checker.getDeclaredTypeOfSymbol(symbol) }];
  });
}

/** The body in `Promise<ServiceResponse<Body>>`. */
function bodyIn({ checker }: Compiler, promise: Type | undefined): Type | undefined {
  const [response] = promise ? checker.getTypeArguments(promise as TypeReference) : [];
  const [body] = response ? checker.getTypeArguments(response as TypeReference) : [];
  return body;
}

const tokenNotes = {
  none: ' Sends no token.',
  optional: ' Sends a token if there is one.',
  required: ' Requires a token.',
} as const;

function descriptionOf({ name, method, path, token, retry }: Table[string]): string {
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const note = token === undefined ? '' : tokenNotes[token];
  return `${title}: \`${method} ${path.replaceAll(/\{[+*]/g, '{')}\`.${note} Retry: \`${retry}\`.`;
}

function errorMembers(compiler: Compiler): readonly string[] {
  const { checker } = compiler;
  const typeText = typeWriter(checker);
  const members = checker.getPropertiesOfType(compiler.exported('src/errors.ts', 'LanyardError'));
  return members.flatMap((member) => {
    const type = checker.getTypeOfSymbol(member);
    const comment = checker.getDocumentationCommentOfSymbol(member);
    // Those of Error are inherited, and the methods are for the command line.
    if (!type || /^(name|message|stack|cause|with.*)$/.test(member.name)) return [];
    const text = member.name === 'kind' ? 'ErrorKind' : typeText(type);
    return [`${commentText(comment)}readonly ${member.name}: ${text};`];
  });
}
