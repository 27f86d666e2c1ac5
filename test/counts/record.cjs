'use strict';

// Preloaded (--require) into the process that is counted: writes what it loaded to the file COUNTS_FILE, as JSON.

const { writeFileSync } = process.getBuiltinModule('node:fs');

process.once('exit', () => {
  const builtIns = [...process.moduleLoadList];
  const files = [process.argv[1], ...Object.keys(require.cache)].filter(
    (file) => file && file !== __filename,
  );
  writeFileSync(process.env.COUNTS_FILE, JSON.stringify({ builtIns, files }));
});
