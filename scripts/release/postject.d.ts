declare module 'postject' {
  interface InjectOptions {
    readonly sentinelFuse?: string;
    readonly machoSegmentName?: string;
    readonly overwrite?: boolean;
  }
  /** Adds a resource to an executable, in place. */
  export function inject(
    path: string,
    name: string,
    resource: Buffer,
    options?: InjectOptions,
  ): Promise<void>;
}
