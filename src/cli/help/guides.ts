import { twoColumns } from './help-text.ts';
import { wrapText } from './wrap.ts';

/** A guide of docs/guides; `lanyard help NAME` prints it. */
interface Guide {
  /** Its heading. */
  readonly title: string;
  readonly load: () => Promise<{ readonly default: string }>;
}

const guide = (title: string, load: Guide['load']): Guide => ({ title, load });

/** The guides by name, which is that of the file, in the order of reading. A name differs from those of topics and commands. */
export const guides: Readonly<Record<string, Guide>> = {
  'getting-started': guide('Getting started', () => import('../../../docs/guides/getting-started.md')),
  'real-clusters': guide(
    'Use Lanyard with real clusters',
    () => import('../../../docs/guides/real-clusters.md'),
  ),
  'ssh-for-teams': guide(
    'SSH certificates for a team',
    () => import('../../../docs/guides/ssh-for-teams.md'),
  ),
  'ssh-certificates': guide(
    'SSH certificates: renewal, agent, batches',
    () => import('../../../docs/guides/ssh-certificates.md'),
  ),
  'one-time-passwords': guide(
    'Log in with one-time passwords',
    () => import('../../../docs/guides/one-time-passwords.md'),
  ),
  'running-programs': guide('Running programs', () => import('../../../docs/guides/running-programs.md')),
  'aliases-and-plugins': guide(
    'Aliases and plugins',
    () => import('../../../docs/guides/aliases-and-plugins.md'),
  ),
  'state-files': guide('State in files', () => import('../../../docs/guides/state-files.md')),
  'ci-jobs': guide('Secrets in CI jobs', () => import('../../../docs/guides/ci-jobs.md')),
  'ci-github': guide('Secrets in GitHub Actions', () => import('../../../docs/guides/ci-github.md')),
  'ci-gitlab': guide('Secrets in GitLab CI/CD', () => import('../../../docs/guides/ci-gitlab.md')),
  'embedded-services': guide(
    'Embedded services for tests',
    () => import('../../../docs/guides/embedded-services.md'),
  ),
  'new-openbao': guide('Set up a new OpenBao or Vault', () => import('../../../docs/guides/new-openbao.md')),
  'new-consul': guide('Set up a new Consul', () => import('../../../docs/guides/new-consul.md')),
  'new-nomad': guide('Set up a new Nomad', () => import('../../../docs/guides/new-nomad.md')),
  'from-vault': guide('Moving from vault and bao', () => import('../../../docs/guides/from-vault.md')),
  'from-consul': guide('Moving from consul', () => import('../../../docs/guides/from-consul.md')),
  'from-nomad': guide('Moving from nomad', () => import('../../../docs/guides/from-nomad.md')),
  'from-boundary': guide('Moving from boundary', () => import('../../../docs/guides/from-boundary.md')),
  'from-vagrant': guide('Moving from vagrant cloud', () => import('../../../docs/guides/from-vagrant.md')),
};

/** The help topic that lists the guides. @param width cells in a line. */
export const guideList = (width: number): string => `Guides

${twoColumns(
  Object.entries(guides).map(([name, { title }]) => [name, title]),
  width,
).join('\n')}

${wrapText('Run "lanyard help NAME" to read a guide.', width)}
`;
