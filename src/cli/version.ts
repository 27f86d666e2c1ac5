declare const __LANYARD_VERSION__: string;

/** The version in package.json, defined by the bundler and the configuration of the tests. */
export const version: string = typeof __LANYARD_VERSION__ === 'undefined' ? '0.0.0' : __LANYARD_VERSION__;
