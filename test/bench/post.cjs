// The least that a Node program does for one call: POST a file's content, read the answer, end.
// Arguments: URL, token, file.
const { readFileSync } = require('node:fs');
const { request } = require('node:http');

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
