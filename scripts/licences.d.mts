interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly license?: string }>>;
}

/** What is wrong with the licences of what a release ships, a line for each package. */
export declare const licenceFaults: (lock: Lockfile) => string[];
