/** Packs the command as an npm package; returns the path of the tarball. */
export declare const packCli: (into: string) => Promise<string>;
/** Writes the command as one file, which needs only Node; returns its path. */
export declare const writeCli: (into: string) => Promise<string>;
