import { ownVariable, type Service, type SettingName, services } from './api/services.ts';
import { kinds } from './errors.ts';
import { hasSetting } from './wire/services.ts';
import { lines, wrapped } from './wrap.ts';

/** What a help topic says; `lanyard help TOPIC` prints it. */
interface Topic {
  readonly summary: string;
  /** @param width cells in a line. */
  readonly text: (width: number) => string;
}

function aligned(rows: readonly (readonly [string, string])[], width: number): string {
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows
    .map(([left, right]) => {
      const text = lines(right, width - indent).join(`\n${' '.repeat(indent)}`);
      return `  ${left.padEnd(indent - 2)}${text}`.trimEnd();
    })
    .join('\n');
}

const exitCodes = (width: number): string => `Exit codes

${aligned(
  [
    ['0', 'done'],
    ...Object.values(kinds).map(({ code, meaning }): [string, string] => [String(code), meaning]),
  ],
  width,
)}

${wrapped(
  `"run", "dev run" and "ssh connect" pass the exit code of their child on.
With -o json a failure is one JSON object on standard error, with code, kind, message and hint.`,
  width,
)}
`;

const settings = Object.keys({
  address: true,
  token: true,
  tokenFile: true,
  httpAuth: true,
  namespace: true,
  caCert: true,
  caPem: true,
  caPath: true,
  clientCert: true,
  clientKey: true,
  serverName: true,
  skipVerify: true,
  proxy: true,
  timeout: true,
  maxRetries: true,
  region: true,
  datacenter: true,
  authMethod: true,
} satisfies { readonly [S in SettingName]: true }) as readonly SettingName[];

/** Files where a product's own login leaves its token, with the variables that say where they are. */
const loginFilesOf = ({ loginFiles = [] }: Service): readonly string[] =>
  loginFiles.map(({ variable, path }) =>
    [variable === undefined ? '' : `$${variable}`, path].filter((part) => part !== '').join('/'),
  );

/** One service: every variable that is read, Lanyard's own and then the product's. */
function variablesOf(service: Service, width: number): string {
  const { name, title, product, verify = [], unsupported = [] } = service;
  const rows = settings
    .filter((setting) => hasSetting(name, setting))
    .map((setting): [string, string] => [
      ownVariable(name, setting),
      [
        ...(product[setting] ?? []),
        ...(setting === 'skipVerify' ? verify.map((variable) => `${variable} (false)`) : []),
      ].join(', '),
    ]);
  const files = loginFilesOf(service);
  const said = [
    ...(files.length === 0
      ? []
      : [`Token file, with an address from ${(product.address ?? []).join(' or ')}: ${files.join(', ')}.`]),
    ...(unsupported.length === 0
      ? []
      : [`Not supported, with a warning: ${unsupported.flatMap(({ names }) => names).join(', ')}.`]),
  ];
  return [`${title}\n${aligned(rows, width)}`, ...said.map((each) => indented(each, width))].join('\n');
}

const indented = (text: string, width: number): string =>
  lines(text, width - 2)
    .map((line) => `  ${line}`)
    .join('\n');

const environment = (width: number): string => `Where settings come from

${wrapped(
  'The first of these that has a value: a flag; a LANYARD_ variable; the profile of --profile or LANYARD_PROFILE; ' +
    "the product's own variable or token file; the active profile. A profile that is asked for by name takes the " +
    "place of the active one. A token that rests with a profile goes to that profile's addresses only, the token " +
    "file of a product's login only to an address from the product's own variable.",
  width,
)}

${wrapped(
  'Of several variables on one line the first that is set counts; a BAO_ variable that is set and empty hides the ' +
    'VAULT_ variable. CONSUL_HTTP_TOKEN_FILE comes before CONSUL_HTTP_TOKEN. A file of CA certificates comes before ' +
    'their text, and that before a directory. LANYARD_<SERVICE>_ADDR may list several servers of one cluster, ' +
    'separated by commas. "lanyard profile import" writes a profile from these variables.',
  width,
)}

${Object.values(services)
  .map((service) => variablesOf(service, width))
  .join('\n\n')}

Others
${aligned(
  [
    ['LANYARD_PROFILE', 'name of the profile to use'],
    ['LANYARD_CONFIG_DIR', 'folder of the configuration (default ~/.config/lanyard)'],
    ['LANYARD_KEYRING', '"off" keeps tokens in a file of mode 0600 instead of the keyring'],
    ['LANYARD_<SERVICE>_HEADER_PREFIX', 'send headers with this prefix only, such as X-Vault'],
    ['LANYARD_SSH_ROLE', 'role of "ssh connect" where --role names none'],
    ['LANYARD_CACHE', '"off" keeps no compiled code of Lanyard itself, which makes each start slower'],
    ['CONSUL_HTTP_SSL', '"true": CONSUL_HTTP_ADDR is https, also where it says http'],
    ['XDG_RUNTIME_DIR, TMPDIR', 'where "edit" keeps a text that could not be written'],
    ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'colour off, on, off'],
  ],
  width,
)}

${wrapped(
  'HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or their lower-case forms, work as in the Go tools: never for loopback or a ' +
    'unix socket. PROXY above, or "proxy" in the profile, comes before them. https goes through CONNECT, so the proxy ' +
    'sees no token. Plain http needs allow-plain-http in the profile, with or without a proxy. NO_PROXY lists host ' +
    'names (example.com with its subdomains, .example.com its subdomains only), addresses and CIDR blocks, separated ' +
    'by commas; * means all. ALL_PROXY is not read.',
  width,
)}

${wrapped(
  'The token of "boundary authenticate" is in its keyring, which Lanyard does not read: ' +
    `export BOUNDARY_TOKEN="$(${services.accounts.loginCommand})", which also reads BOUNDARY_TOKEN_NAME.`,
  width,
)}

${wrapped(
  'In GitHub Actions (GITHUB_ACTIONS=true) and Azure Pipelines (TF_BUILD) the secrets that a command receives are ' +
    'masked in the log before they are shown, each line of one that has several: values of key-value secrets and ' +
    'variables, tokens, passwords, private keys and one-time passwords. "secrets read" and "secrets write" know them ' +
    'by the type of the engine, the name of the field (password, secret_id, client_token) and the form of the value. ' +
    'GitLab CI cannot mask at run time.',
  width,
)}
`;

const formats = (width: number): string => `Formats of --output

${aligned(
  [
    [
      'text',
      'words for a person (the default); in a pipe the same words, lists tab-separated without a header',
    ],
    ['json', 'what the service sent, whole; integers stay exact'],
    ['jsonl', 'one item of a list a line'],
    ['yaml', 'as json, in YAML'],
    ['table', 'a table with borders, also in a pipe'],
    ['env', 'KEY=\'value\' lines for a POSIX shell: eval "$(lanyard ... -o env)"'],
    ['dotenv', "KEY='value' lines for .env files; values that their readers disagree about are rejected"],
    ['github-env', 'for GitHub Actions: lanyard ... -o github-env >> "$GITHUB_ENV"'],
  ],
  width,
)}

${wrapped(
  `The format never changes by itself: a terminal and a pipe get the same one.

Variables (env, dotenv, github-env) keep the case of their names; other characters than letters, digits and "_" become "_". A name that changes how programs run is rejected (PATH, HOME, IFS, ENV, BASH_ENV, PS1, PROMPT_COMMAND, LD_*, DYLD_*, GIT_CONFIG*, GIT_SSH*, NODE_OPTIONS, PYTHONPATH, PERL5OPT, RUBYOPT, JAVA_TOOL_OPTIONS, EDITOR, PAGER and their like; path in zsh). --env-prefix APP_ puts APP_ before every name.

--field PATH prints one value, raw: --field signed_key, --field data.keys.0. The path starts at the answer; for the secrets service it may also start inside "data".
--select EXPR prints what a JMESPath expression selects: --select "data.keys[?starts_with(@, 'web')]".
--out FILE writes the result to a new file of mode 0600.`,
  width,
)}
`;

export const topics: Readonly<Record<string, Topic>> = {
  'exit-codes': { summary: 'what each exit code means', text: exitCodes },
  environment: { summary: 'where settings come from, and every variable', text: environment },
  formats: { summary: 'the formats of --output, --field and --select', text: formats },
};

export const topicNamed = (name: string): Topic | undefined =>
  Object.hasOwn(topics, name) ? topics[name] : undefined;
