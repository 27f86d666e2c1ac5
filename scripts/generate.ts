import { generatedFiles } from './generate/cache.ts';
import { writeFiles } from './generate/write.ts';

// Writes the generated files that are committed. The build makes the others.
await writeFiles((await generatedFiles()).committed, ['docs/commands']);
