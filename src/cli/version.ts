declare const __LANYARD_VERSION__: string;

/** The version of package.json, put in by the bundler (and by the test runner's configuration). */
export const version: string = typeof __LANYARD_VERSION__ === 'undefined' ? '0.0.0' : __LANYARD_VERSION__;
