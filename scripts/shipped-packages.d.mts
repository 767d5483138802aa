interface Entry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, Entry>>;
}

export declare const readLockfile: () => Lockfile;
/** Name of the package at a path of the lockfile. */
export declare const nameAt: (path: string) => string;
/** Whether a path is of a package of others. */
export declare const isOfOthers: (path: string) => boolean;
/** Paths in the lockfile of all that is shipped, with those that each needs; packages of the workspace, too. */
export declare const shippedPaths: (lock: Lockfile) => ReadonlyMap<string, readonly string[]>;
