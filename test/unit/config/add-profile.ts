// Run as a program: adds one profile to the configuration in a folder.
import { profiles } from '../../../src/config/profiles.ts';

const [directory = '', name = ''] = process.argv.slice(2);
await profiles(directory).change((current) => ({
  ...current,
  profiles: { ...current.profiles, [name]: { secrets: { address: `https://${name}.example` } } },
}));
