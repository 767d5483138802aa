/** Major version of Node's newest line with long-term support. */
export declare const NEWEST_LTS: number;
/** Path of its binary, from npm's cache or the registry; null if it is not available. */
export declare const newestLts: () => string | null;
