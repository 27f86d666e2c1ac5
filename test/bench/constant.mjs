import { createServer } from 'node:http';

// The least that answers HTTP: the same body to every request, once it is read. It says where it listens.

const body = JSON.stringify({ answer: 'x'.repeat(400) });
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(body));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
