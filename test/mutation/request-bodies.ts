import type { Area } from './area.ts';

/** The limits and forms of requests to the embedded services: method, path and body. */
export const requestBodies: Area = {
  mutate: [
    'src/services/core/http/body.ts',
    'src/services/core/http/method-reader.ts',
    'src/services/core/http/path.ts',
    'src/services/core/http/request-guard.ts',
  ],
  tests: [
    'test/unit/services/core/http/body.test.ts',
    'test/unit/services/core/http/method-reader.test.ts',
    'test/unit/services/core/http/path.test.ts',
    'test/unit/services/core/http/request-guard.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/core/http/method-reader.ts',
      before: "#tail = '';",
      after: '#tail = "Stryker was here!";',
      reason:
        'Four bytes are kept, and a body in chunks has at least five: none of the first text is left at its end.',
    },
    {
      file: 'src/services/core/http/method-reader.ts',
      before: "this.#tail = '';",
      after: 'this.#tail = "Stryker was here!";',
      reason:
        'Four bytes are kept, and a body in chunks has at least five: none of the former text is left at its end.',
    },
    {
      file: 'src/services/core/http/method-reader.ts',
      before: "if (this.#phase === 'body') this.#body(chunk, at);",
      after: 'if (true) this.#body(chunk, at);',
      reason:
        'In a request line or a head all bytes of the packet are taken, so none is left to count. Where the end of a request is not known, the count is not used again.',
    },
    {
      file: 'src/services/core/http/path.ts',
      before: "return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];",
      after: "return at <= 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];",
      reason:
        'A target that begins with a question mark is rejected as one that does not begin with a slash.',
    },
  ],
};
