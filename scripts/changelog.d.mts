/** Parts of the product, in the order of the items of a release. */
export declare const PARTS: readonly string[];
/** Faults of a changelog, one line each. */
export declare const changelogFaults: (text: string) => string[];
