// The least that a Node program does for one call: GET a URL, write the response, end.
// Arguments: URL, the name of the token's header, token.
const { request } = require('node:http');

const [, , url, header, token] = process.argv;
const call = request(url, { headers: { [header]: token } });
call.on('response', (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.pipe(process.stdout);
});
call.end();
