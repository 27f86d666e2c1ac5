import type { ConfigEntry } from './entry.ts';
import { rejectIf } from './reject-if.ts';
import { validateProxyDefaults, validateServiceDefaults } from './validate-defaults.ts';
import { validateResolver } from './validate-resolver.ts';
import { validateRouter } from './validate-router.ts';
import { validateSplitter } from './validate-splitter.ts';

/**
 * Checks an entry against the rules of its kind (docs/protocol/registry.md#config-entries).
 * @throws HttpError 500
 */
export function validateEntry(entry: ConfigEntry): void {
  validateName(entry.Name);
  switch (entry.Kind) {
    case 'service-defaults':
      validateServiceDefaults(entry);
      break;
    case 'proxy-defaults':
      validateProxyDefaults(entry);
      break;
    case 'service-router':
      validateRouter(entry);
      break;
    case 'service-splitter':
      validateSplitter(entry);
      break;
    case 'service-resolver':
      validateResolver(entry);
  }
}

/** A name is a segment of the path of the entry. */
function validateName(name: string): void {
  rejectIf(!name, 'Name is required');
  rejectIf(
    name === '.' || name === '..' || /[/\p{Cc}]/u.test(name),
    `invalid name (${JSON.stringify(name)}): it cannot be a segment of a path`,
  );
}
