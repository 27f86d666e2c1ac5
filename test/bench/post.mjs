// The least that a Node program does for one call, as a module: POST a file's content, read the answer, end.
// Arguments: URL, token, file.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

const [, , url, token, file] = process.argv;
const call = request(url, {
  method: 'POST',
  headers: { 'X-Secrets-Token': token, 'Content-Type': 'application/json' },
});
call.on('response', (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.pipe(process.stdout);
});
call.end(readFileSync(file));
