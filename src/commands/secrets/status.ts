import type { SecretsClient } from '../../api/secrets.ts';
import { command } from '../../command/command.ts';
import { kinds, LanyardError } from '../../errors.ts';
import { bad, type Document, fields, good, type StyledText, warn } from '../../output/document.ts';

type Health = Awaited<ReturnType<SecretsClient['health']>>['body'];
type Seal = Awaited<ReturnType<SecretsClient['sealStatus']>>['body'];

/** The states by status code of the health response. */
const states: Readonly<Record<number, string>> = {
  200: 'active',
  429: 'standby',
  472: 'disaster-recovery secondary',
  473: 'performance standby',
  501: 'not initialized',
  503: 'sealed',
};

export default command({
  description:
    'Needs no token. The exit code is 0 for an active or standby node, and 8 if the service is sealed, in maintenance or not initialized.',
  examples: ['lanyard secrets status', 'lanyard secrets status --field state'],
  service: 'secrets',
  async run(_input, ctx) {
    const settings = await ctx.api.settings('secrets');
    const secrets = await ctx.api.secrets();
    const { status, body: health, address = settings.address } = await secrets.health({});
    const state = status === 503 && !health.sealed ? 'down for maintenance' : (states[status] ?? 'active');
    const seal = await readSeal(secrets);
    return {
      data: { state, address, health, seal },
      exitCode: status === 501 || status === 503 ? kinds.unavailable.code : 0,
      document: view(address, state, status, health, seal),
    };
  },
});

/** The seal status; null if the service does not disclose it. */
async function readSeal(secrets: SecretsClient): Promise<Seal | null> {
  try {
    return (await secrets.sealStatus({})).body;
  } catch (error) {
    if (!(error instanceof LanyardError) || error.status === undefined) throw error;
    return null;
  }
}

function view(address: string, state: string, status: number, health: Health, seal: Seal | null): Document {
  const tone = status === 200 ? good : status >= 500 ? bad : warn;
  return [
    fields([
      ['address', address],
      ['state', [tone(state)]],
      ['initialized', yesOrNo(health.initialized)],
      ['sealed', yesOrNo(health.sealed)],
      ...(seal ? ([['unseal keys', keysText(seal)]] as const) : []),
      ...(health.version === undefined ? [] : ([['version', health.version]] as const)),
    ]),
  ];
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

function keysText({ sealed, t, n, progress }: Seal): StyledText {
  if (n === 0) return 'none';
  const needed = `${t} of ${n} required`;
  return sealed ? `${needed}, ${progress} provided` : needed;
}
