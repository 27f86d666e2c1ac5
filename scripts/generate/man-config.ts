import { settingNames } from '../../src/commands/profile/lib/settings.ts';
import { serviceNames, serviceSpecificSettings } from '../../src/wire/services.ts';
import { exampleLines } from './man-command.ts';
import { everyCommand, type Model } from './model.ts';
import { pathOf } from './notation.ts';
import { bold, hangingLines, italic, item, paragraph, prose, reference, roff, verbatim } from './roff.ts';
import { topicBlocks } from './topic-blocks.ts';

/** What each setting of a service in a profile is. */
const settings: { readonly [Name in keyof typeof settingNames]: string } = {
  address: 'Address of the service: an http or https URL such as https://host:port, or unix:///PATH.',
  addresses:
    'Servers of one cluster, which are tried in this order, after the address if there is one. On the command line, they are separated by commas.',
  namespace: 'Default of --namespace.',
  'header-prefix':
    'The only prefix of the headers of requests, such as X-Vault. By default, requests have the headers of the product and those of the embedded service.',
  token: 'Source of the token: stored, env://NAME or file://PATH (see TOKENS).',
  'http-auth':
    'Source of user:password for HTTP basic authentication: env://NAME or file://PATH. It is sent only to the addresses of the profile.',
  'ca-cert': 'File of CA certificates in PEM format, an absolute path.',
  'ca-path': 'Directory of CA certificates in PEM format, an absolute path.',
  'client-cert': 'File with the client certificate in PEM format, an absolute path.',
  'client-key': 'File with the private key of the client certificate in PEM format, an absolute path.',
  'server-name': 'Name in the certificate of the service, if it differs from the host in the address.',
  'skip-verify': 'With true, the TLS certificate is not verified. Every command prints a warning.',
  proxy: 'URL of the HTTP proxy for the service, without credentials.',
  timeout: 'Duration such as 30s, the default of --timeout.',
  'max-retries': 'Maximum number of retries of a request, from 0 to 999.',
  'allow-plain-http':
    'With true, requests are sent over http to a host that is not loopback. Tokens are then not encrypted.',
  region: 'Region of requests.',
  datacenter: 'Datacenter of requests; --dc of a command replaces it.',
  'auth-method': 'Default of --auth-method of logins.',
};

const types: Readonly<Record<string, string>> = {
  addresses: 'list of strings',
  skipVerify: 'boolean',
  allowPlainHttp: 'boolean',
};

function setting([name, field]: [string, string]): string[] {
  const services = serviceSpecificSettings[name];
  const only = services === undefined ? '' : ` Only for: ${services.join(', ')}.`;
  return item(
    `${bold(name)} (field ${bold(field)}, ${types[field] ?? 'string'})`,
    prose(`${settings[name as keyof typeof settings]}${only}`),
  );
}

const exampleConfiguration = {
  active: 'prod',
  profiles: {
    prod: {
      secrets: { address: 'https://vault.example.com:8200', token: 'stored', caCert: '/etc/ssl/vault.pem' },
      registry: { address: 'https://consul.example.com:8501', token: 'env://CONSUL_HTTP_TOKEN' },
    },
  },
};

/** The page of the configuration files, of the settings in profiles, and of their environment variables. */
export function configPage(model: Model) {
  const put = everyCommand(model.root).find((command) => pathOf(command) === 'profile put');
  const blocks = topicBlocks('environment').filter(({ title }) => title !== 'Other variables');
  return {
    name: 'lanyard-config',
    section: 5,
    summary: 'configuration files, profiles and settings of lanyard',
    sections: [
      [
        'SYNOPSIS',
        hangingLines([italic('~/.config/lanyard/config.json'), italic('~/.config/lanyard/credentials.json')]),
      ],
      [
        'DESCRIPTION',
        [
          ...paragraph(
            `A profile has the addresses of services, the sources of their tokens and their TLS settings. ${reference('lanyard-profile')} creates, shows and selects profiles; you do not need to edit the file. Without profiles, settings are read from environment variables (see ENVIRONMENT).`,
          ),
          ...paragraph(
            'The active profile is used if no other is selected. With one profile for each environment, the same commands work on each of them:',
          ),
          ...verbatim(['lanyard profile use dev', 'lanyard -p prod status']),
        ],
      ],
      ['FILES', files()],
      [
        'PROFILES',
        [
          ...paragraph(
            `The file is one JSON object. ${bold('active')} is the name of the active profile. ${bold('profiles')} has an object for each profile, by its name: ${roff('1 to 64 letters, digits, ".", "_" and "-"')}, starting with a letter or digit. A profile has an object for each of its services (${serviceNames.join(', ')}) with the settings below. Unknown fields are kept.`,
          ),
          ...verbatim(JSON.stringify(exampleConfiguration, undefined, 2).split('\n')),
        ],
      ],
      [
        'SETTINGS',
        [
          ...paragraph(
            `The names are those of ${bold('lanyard profile put')} ${italic('NAME')} ${italic('SERVICE')}.${italic('SETTING')}=${italic('VALUE')}, with the field in the file. Every setting is optional.`,
          ),
          ...Object.entries(settingNames).flatMap(setting),
        ],
      ],
      ['TOKENS', tokens()],
      [
        'ENVIRONMENT',
        blocks.flatMap(({ title, rows, paragraphs }) => [
          ...(title === undefined ? [] : [`.SS ${roff(title)}`]),
          ...(rows.length === 0 ? [] : hangingLines(rows.map(variables))),
          ...paragraphs.flatMap((text) => paragraph(prose(text))),
        ]),
      ],
      ['EXAMPLES', exampleLines(put?.examples ?? [])],
      [
        'SEE ALSO',
        [
          [
            reference('lanyard'),
            reference('lanyard-profile'),
            reference('lanyard-secrets'),
            reference('lanyard-status'),
          ].join(', '),
        ],
      ],
    ],
  } as const;
}

/** The variables of one setting: Lanyard's own, and those of the product. */
const variables = ([own, products]: readonly [string, string]): string =>
  [own, ...(products === '' ? [] : products.split(', '))].map(bold).join(', ');

const files = (): string[] => [
  ...paragraph(
    `Both files are in the configuration directory: ${bold('LANYARD_CONFIG_DIR')}, else ${italic('$XDG_CONFIG_HOME/lanyard')}, else ${italic('~/.config/lanyard')}; on Windows ${italic('%APPDATA%\\lanyard')}. A new directory has mode 0700 and new files mode 0600, whatever the umask. A file may have up to 16 MiB.`,
  ),
  ...item(
    italic('config.json'),
    'Profiles; it has no tokens. The file and its directory must belong to the user or root, and other users must not be able to write them; otherwise commands fail. Other users may read it. A symbolic link is followed, and its target must meet the same conditions.',
  ),
  ...item(
    italic('credentials.json'),
    'Which tokens are stored, and the tokens themselves where there is no keyring. It must belong to the user or root, must have mode 0600, and must not be a symbolic link.',
  ),
  ...item(
    `${italic('config.json.lock')}, ${italic('credentials.json.lock')}, ${italic('edits.lock')}`,
    'Locks of concurrent commands. They are empty and remain.',
  ),
];

const tokens = (): string[] => [
  ...paragraph('The token of a profile has one of these sources:'),
  ...item(
    bold('stored'),
    `The keyring of the operating system. If it is missing, does not respond within 3 seconds, or is disabled with ${bold('LANYARD_KEYRING=off')}, the token is stored unencrypted in ${italic('credentials.json')}, with a notice. Logins such as ${bold('lanyard secrets login')} store their token, and so does ${bold('lanyard profile put')} with ${bold('-')} (standard input), ${bold('@')}${italic('FILE')} or ${bold('?')} (prompt).`,
  ),
  ...item(`${bold('env://')}${italic('NAME')}`, 'An environment variable, read for each request.'),
  ...item(`${bold('file://')}${italic('PATH')}`, 'A file, read for each request.'),
  ...paragraph(
    `The token of a profile is sent only to the addresses of the profile: ${bold('--address')} with another origin needs a token from a variable. No flag has a token as its value.`,
  ),
];
