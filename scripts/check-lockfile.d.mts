interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** Faults of a lockfile, one line each. */
export declare const lockfileFaults: (lockfile: { readonly packages: Readonly<Record<string, Entry>> }) => string[];
