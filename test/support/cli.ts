// The whole program as a process of its own, run from source.
import './compile-cache.ts';

const { cli } = await import('../../src/cli/cli.ts');

process.exitCode = await cli();
