/** Packs a compiled package of the workspace; returns the path of the tarball. */
export declare const packSdk: (name: "client" | "spool", into: string) => Promise<string>;
