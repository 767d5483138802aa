/** Packs the compiled nodes for Node-RED; returns the path of the tarball. */
export declare const packNodeRed: (into: string) => Promise<string>;
