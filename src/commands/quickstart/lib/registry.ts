import type { Tour } from './tour.ts';

const operations = `- Node:    { Verb: set, Node: { Node: web-1, Address: 10.0.0.1 } }
- Node:    { Verb: set, Node: { Node: web-2, Address: 10.0.0.2 } }
- Service: { Verb: set, Node: web-1, Service: { ID: web, Service: web, Port: 8080, Tags: [v1] } }
- Service: { Verb: set, Node: web-2, Service: { ID: web, Service: web, Port: 8080, Tags: [v2] } }
- KV:      { Verb: set, Key: web/motto, Value: all or none }
`;

/** Registers services in a transaction, and finds them by a prepared query. */
export async function registryStop({ file, say, line }: Tour): Promise<void> {
  await say('3. Services: register two instances and write a key in one transaction.');
  await file('site.yaml', operations);
  await line('txn', 'apply', 'site.yaml');
  await say(
    'A prepared query finds instances by name, so that its definition can change without its clients:',
  );
  await line('query', 'put', 'web', '--service', 'web', '--tag', 'v2');
  await line('query', 'exec', 'web');
  await line('query', 'exec', 'web', '--format', 'addr');
}
