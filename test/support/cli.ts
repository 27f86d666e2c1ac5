// The whole program as a process of its own, run from source.
import { cli } from '../../src/cli/cli.ts';

process.exitCode = await cli();
