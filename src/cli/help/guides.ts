import { twoColumns } from './help-text.ts';
import { wrapText } from './wrap.ts';

/** A guide of docs/guides; `lanyard help NAME` prints it. The title is its heading. */
type Guide = readonly [title: string, load: () => Promise<{ readonly default: string }>];

/** The guides by the name of the file, in the order of reading. Topics and commands have other names. */
export const guides: Readonly<Record<string, Guide>> = {
  'getting-started': ['Getting started', () => import('../../../docs/guides/getting-started.md')],
  'real-clusters': ['Use Lanyard with real clusters', () => import('../../../docs/guides/real-clusters.md')],
  'ssh-for-teams': ['SSH certificates for a team', () => import('../../../docs/guides/ssh-for-teams.md')],
  'ssh-hosts': ['Enroll a host', () => import('../../../docs/guides/ssh-hosts.md')],
  'ssh-certificates': [
    'SSH certificates: renewal, agent, batches',
    () => import('../../../docs/guides/ssh-certificates.md'),
  ],
  'ssh-revoke': ['Revoke certificates and keys', () => import('../../../docs/guides/ssh-revoke.md')],
  'ssh-history': ['What was signed', () => import('../../../docs/guides/ssh-history.md')],
  'ssh-rotate': ['Rotate an SSH CA', () => import('../../../docs/guides/ssh-rotate.md')],
  'ssh-rejected': ['My SSH login is rejected', () => import('../../../docs/guides/ssh-rejected.md')],
  'one-time-passwords': [
    'Log in with one-time passwords',
    () => import('../../../docs/guides/one-time-passwords.md'),
  ],
  'copy-secrets': ['Copy, search and back up secrets', () => import('../../../docs/guides/copy-secrets.md')],
  'running-programs': ['Running programs', () => import('../../../docs/guides/running-programs.md')],
  'team-state': ["A team's systems in files", () => import('../../../docs/guides/team-state.md')],
  environments: ['Environments and several sets', () => import('../../../docs/guides/environments.md')],
  templates: ['Files from templates', () => import('../../../docs/guides/templates.md')],
  'aliases-and-plugins': ['Aliases and plugins', () => import('../../../docs/guides/aliases-and-plugins.md')],
  'state-files': ['State in files', () => import('../../../docs/guides/state-files.md')],
  drift: ['Changes outside of files', () => import('../../../docs/guides/drift.md')],
  'ci-jobs': ['Secrets in CI jobs', () => import('../../../docs/guides/ci-jobs.md')],
  'ci-github': ['Secrets in GitHub Actions', () => import('../../../docs/guides/ci-github.md')],
  'ci-gitlab': ['Secrets in GitLab CI/CD', () => import('../../../docs/guides/ci-gitlab.md')],
  'embedded-services': [
    'Embedded services for tests',
    () => import('../../../docs/guides/embedded-services.md'),
  ],
  'new-openbao': ['Set up a new OpenBao or Vault', () => import('../../../docs/guides/new-openbao.md')],
  'new-consul': ['Set up a new Consul', () => import('../../../docs/guides/new-consul.md')],
  'new-nomad': ['Set up a new Nomad', () => import('../../../docs/guides/new-nomad.md')],
  'new-boundary': ['Set up a new Boundary', () => import('../../../docs/guides/new-boundary.md')],
  'from-vault': ['Moving from vault and bao', () => import('../../../docs/guides/from-vault.md')],
  'from-consul': ['Moving from consul', () => import('../../../docs/guides/from-consul.md')],
  'from-nomad': ['Moving from nomad', () => import('../../../docs/guides/from-nomad.md')],
  'from-boundary': ['Moving from boundary', () => import('../../../docs/guides/from-boundary.md')],
  'from-vagrant': ['Moving from vagrant cloud', () => import('../../../docs/guides/from-vagrant.md')],
};

/** The help topic that lists the guides. @param width cells in a line. */
export const guideList = (width: number): string => `Guides

${twoColumns(
  Object.entries(guides).map(([name, [title]]) => [name, title]),
  width,
).join('\n')}

${wrapText('Run "lanyard help NAME" to read a guide.', width)}
`;
