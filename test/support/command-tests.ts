import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { EmbeddedOptions } from '../../src/services/start-services.ts';
import { type Home, home } from './run.ts';
import { services, type TestServices } from './services.ts';

/** A home for all tests of the file or block, removed after the last one. */
export function homeForAll(): Home {
  const at = home();
  afterAll(() => at.remove());
  return at;
}

/** A new home before each test of the file or block. */
export function homeForEach(): Home {
  const at = {} as Home;
  beforeEach(() => void Object.assign(at, home()));
  afterEach(() => at.remove());
  return at;
}

/** Embedded services for all tests of the file or block: started before the first one, closed after the last. */
export function servicesForAll(at: Home, options?: Partial<EmbeddedOptions>): TestServices {
  const running = {} as TestServices;
  beforeAll(async () => void Object.assign(running, await services(at, options)));
  afterAll(() => running.close());
  return running;
}

/** New embedded services before each test of the file or block. */
export function servicesForEach(at: Home, options?: Partial<EmbeddedOptions>): TestServices {
  const running = {} as TestServices;
  beforeEach(async () => void Object.assign(running, await services(at, options)));
  afterEach(() => running.close());
  return running;
}
