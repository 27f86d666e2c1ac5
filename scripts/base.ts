// What nearly every command needs. It is put before every module of the bundle, so that it stands in one
// chunk: each chunk that is loaded costs most of a millisecond, and without this each of these would be one.
import '../src/command/command.ts';
import '../src/cli/config-directory.ts';
import '../src/commands/completion/lib/scripts.ts';
import '../src/errors.ts';
import '../src/io/stdout.ts';
import '../src/cli/help/help-text.ts';
import '../src/api/services.ts';
import '../src/output/document.ts';
import '../src/output/humanize.ts';
import '../src/wire/duration.ts';
import '../src/wire/json.ts';
import '../src/wire/printable.ts';
import '../src/wire/services.ts';
import '../src/cli/lazy.ts';
import '../src/cli/version.ts';
import '../src/io/io.ts';
import '../src/io/resolve-path.ts';
