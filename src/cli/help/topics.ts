import { ownVariable, type Service, services, settingNames } from '../../api/services.ts';
import { kinds } from '../../errors.ts';
import { hasSetting } from '../../wire/services.ts';
import { commonFlags, resultFlags, serviceFlags, writeFlags } from '../parse/globals.ts';
import { guideList } from './guides.ts';
import { flagRows, type Row, twoColumns } from './help-text.ts';
import { productTopics } from './product-topics.ts';
import { watching } from './watching-topic.ts';
import { wrapLines, wrapText } from './wrap.ts';

/** A help topic; `lanyard help TOPIC` prints it. */
interface Topic {
  readonly summary: string;
  /** @param width cells in a line. */
  readonly text: (width: number) => string;
}

const twoColumnText = (rows: readonly Row[], width: number): string => twoColumns(rows, width).join('\n');

const exitCodeRows = [
  ...Object.values(kinds).map(({ code, meaning }) => ({ code, meaning })),
  {
    code: 10,
    meaning: 'differences found (plan, diff, kv diff, var diff, and apply with --detailed-exit-code)',
  },
]
  .sort((one, other) => one.code - other.code)
  .map(({ code, meaning }): [string, string] => [String(code), meaning]);

const exitCodes = (width: number): string => `Exit codes

${twoColumnText([['0', 'success'], ...exitCodeRows], width)}

${wrapText(
  `"run", "dev run", "ssh connect", "var lock" and "registry lock" return the exit code of the program they run.
With -o json an error is one JSON object on standard error, with code, kind, message and hint.`,
  width,
)}
`;

/** The token files of a product's own login, with the variables for their location. */
const loginFilesOf = ({ loginFiles = [] }: Service): readonly string[] =>
  loginFiles.map(({ variable, path }) =>
    [variable === undefined ? '' : `$${variable}`, path].filter((part) => part !== '').join('/'),
  );

/** One service: its environment variables, Lanyard's own first, then the product's. */
function variablesOf(service: Service, width: number): string {
  const { name, title, product, verify = [], unsupported = [] } = service;
  const rows = settingNames
    .filter((setting) => hasSetting(name, setting))
    .map((setting): [string, string] => [
      ownVariable(name, setting),
      [
        ...(product[setting] ?? []),
        ...(setting === 'skipVerify' ? verify.map((variable) => `${variable} (false)`) : []),
      ].join(', '),
    ]);
  const files = loginFilesOf(service);
  const notes = [
    ...(files.length === 0
      ? []
      : [`Token file, with an address from ${(product.address ?? []).join(' or ')}: ${files.join(', ')}.`]),
    ...(unsupported.length === 0
      ? []
      : [`Not supported, with a warning: ${unsupported.flatMap(({ names }) => names).join(', ')}.`]),
  ];
  return [`${title}\n${twoColumnText(rows, width)}`, ...notes.map((each) => indented(each, width))].join(
    '\n',
  );
}

const indented = (text: string, width: number): string =>
  wrapLines(text, width - 2)
    .map((line) => `  ${line}`)
    .join('\n');

const environment = (
  width: number,
): string => `${wrapText('Environment variables and precedence of settings', width)}

${wrapText(
  'Settings are read in this order, first match wins: flags; LANYARD_ variables; the profile of --profile or ' +
    "LANYARD_PROFILE; the product's variables or token file; the active profile. A profile selected by name replaces " +
    "the active one. A token stored in a profile is sent only to that profile's addresses, and the token file of a " +
    "product only to an address from the product's own variable.",
  width,
)}

${wrapText(
  'Of several variables on one line the first one set is used; an empty BAO_ variable hides its VAULT_ variable. ' +
    'CONSUL_HTTP_TOKEN_FILE takes precedence over CONSUL_HTTP_TOKEN, and a CA file over PEM text over a CA ' +
    'directory. LANYARD_<SERVICE>_ADDR accepts several servers of one cluster, separated by commas. ' +
    '"lanyard profile import" creates a profile from these variables.',
  width,
)}

${Object.values(services)
  .map((service) => variablesOf(service, width))
  .join('\n\n')}

Other variables
${twoColumnText(
  [
    ['LANYARD_PROFILE', 'profile to use'],
    ['LANYARD_CONFIG_DIR', 'configuration directory (default ~/.config/lanyard)'],
    ['LANYARD_KEYRING', '"off" stores tokens in a file of mode 0600 instead of the keyring'],
    ['LANYARD_<SERVICE>_ALLOW_PLAIN_HTTP', 'true: allow plain http to another machine'],
    ['LANYARD_<SERVICE>_HEADER_PREFIX', 'header prefix, to send only headers such as X-Vault-*'],
    ['LANYARD_SSH_ROLE', 'default role of the SSH commands'],
    ['LANYARD_SSH_MOUNT', 'default mount path of the SSH commands'],
    ['LANYARD_SSH_PRINCIPALS', 'default principals of user certificates, separated by commas'],
    ['LANYARD_SSH_REVOKED, LANYARD_SSH_RECORD', 'locations of the revocation list and of the record'],
    ['LANYARD_CACHE', '"off" disables the compile cache; each start is slower'],
    ['LANYARD_DEBUG_FILE', 'file for the trace of --debug'],
    [
      'LANYARD_UPDATE_CHECK',
      'URL of the newest version, {"version":"1.2.3"} or a GitHub release, read at most once a day (default: no check)',
    ],
    ['LANYARD_COMPLETION', '"static" disables completion of names from the services'],
    [
      'LANYARD_PAGER, PAGER',
      'pager for help and long results on a terminal (default less); "cat" or an empty value disables it',
    ],
    ['CONSUL_HTTP_SSL', '"true" uses https for CONSUL_HTTP_ADDR, even if it specifies http'],
    [
      'XDG_RUNTIME_DIR, TMPDIR',
      'where "edit" keeps a text that could not be written, and completion its cache',
    ],
    ['NO_COLOR, FORCE_COLOR, TERM=dumb', 'color off, on, off'],
  ],
  width,
)}

${wrapText(
  'HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or their lower-case forms, work as in the Go tools; loopback addresses and ' +
    'unix sockets never use a proxy. The PROXY variables above and "proxy" in a profile take precedence. https ' +
    'requests use CONNECT, so the proxy cannot read tokens. Plain http requires allow-plain-http in the profile, with ' +
    'or without a proxy. NO_PROXY is a comma-separated list of host names (example.com includes its subdomains, ' +
    '.example.com only its subdomains), addresses and CIDR blocks; * matches all. ALL_PROXY is not read.',
  width,
)}

${wrapText(
  '"boundary authenticate" stores its token in a keyring that Lanyard does not read. Run ' +
    `export BOUNDARY_TOKEN="$(${services.accounts.loginCommand})"; it also reads BOUNDARY_TOKEN_NAME.`,
  width,
)}

${wrapText(
  'In GitHub Actions (GITHUB_ACTIONS=true) and Azure Pipelines (TF_BUILD), secrets are masked in the log before ' +
    'they are printed, line by line: values of key-value secrets and variables, tokens, passwords, private keys and ' +
    'one-time passwords. "secrets read" and "secrets write" recognize secrets by the type of the engine, the name of ' +
    'the field (password, secret_id, client_token) and the format of the value. GitLab CI cannot mask at run time. ' +
    'Workflow commands in texts of a service (::, ##[, ##vso[) are escaped, except with --field and --out. ' +
    '"ci export" sets secrets as outputs and variables of a job.',
  width,
)}

${wrapText(
  'A JWT ("secrets login --jwt", "acl login --bearer-token") may also have the source github://AUDIENCE, the OIDC token ' +
    'of a job of GitHub Actions (ACTIONS_ID_TOKEN_REQUEST_URL and ACTIONS_ID_TOKEN_REQUEST_TOKEN, which require the ' +
    'permission "id-token: write"), or gitlab://NAME, a variable that id_tokens of a GitLab job declares.',
  width,
)}
`;

const formats = (width: number): string => `Output formats

${twoColumnText(
  [
    ['text', 'human-readable (default); in a pipe, lists are tab-separated without a header'],
    ['json', 'the complete response; integers keep their precision'],
    ['jsonl', 'one list item per line'],
    ['yaml', 'the same as json, in YAML'],
    ['table', 'a table with borders, also in a pipe'],
    ['env', 'KEY=\'value\' lines for a POSIX shell: eval "$(lanyard ... -o env)"'],
    ['dotenv', "KEY='value' lines for .env files; values that .env readers parse differently are rejected"],
    ['github-env', 'for GitHub Actions: lanyard ... -o github-env >> "$GITHUB_ENV"'],
    ['markdown', 'a comment for a pull request (lanyard plan)'],
  ],
  width,
)}

${wrapText(
  `The default is text, also if standard output is not a terminal.

Variables (env, dotenv, github-env) keep the case of their names; characters other than letters, digits and "_" become "_". Names that affect how programs run are rejected (PATH, HOME, IFS, ENV, BASH_ENV, PS1, PROMPT_COMMAND, LD_*, DYLD_*, GIT_CONFIG*, GIT_SSH*, NODE_OPTIONS, PYTHONPATH, PERL5OPT, RUBYOPT, JAVA_TOOL_OPTIONS, EDITOR, PAGER and similar; path in zsh). Add a prefix with --env-prefix APP_.

--field PATH prints one raw value: --field signed_key, --field data.keys.0. The path starts at the response; for the secrets service it may also start inside "data".
--select EXPR prints the result of a JMESPath expression: --select "data.keys[?starts_with(@, 'web')]".
--out FILE writes the result to a new file of mode 0600.`,
  width,
)}
`;

const flagGroups: readonly (readonly [title: string, flags: Parameters<typeof flagRows>[0]])[] = [
  ['Common: all commands', { ...commonFlags, help: { short: 'h', help: 'show the help of the command' } }],
  ['Output: commands that print a result', resultFlags],
  ['Service: commands that call one service', serviceFlags],
  ['Write: commands that change something', writeFlags],
];

const flags = (width: number): string => `Shared flags

${wrapText(
  'The help of a command names the groups that it accepts. Shared flags may precede or follow the command; the last ' +
    'one wins. A flag that a command lists as its own replaces the shared one.',
  width,
)}

${flagGroups.map(([title, group]) => `${wrapText(title, width)}\n${twoColumnText(flagRows(group), width)}`).join('\n\n')}
`;

export const topics: Readonly<Record<string, Topic>> = {
  guides: { summary: 'Guides: first steps, SSH, tests, moving from other tools', text: guideList },
  flags: { summary: 'Flags that commands share', text: flags },
  'exit-codes': { summary: 'Exit codes and their meaning', text: exitCodes },
  environment: { summary: 'Environment variables and precedence of settings', text: environment },
  formats: { summary: 'Output formats, --field and --select', text: formats },
  watching: { summary: 'Watching for changes, and waiting for conditions', text: watching },
  ...productTopics,
};

export const topicNamed = (name: string): Topic | undefined =>
  Object.hasOwn(topics, name) ? topics[name] : undefined;
