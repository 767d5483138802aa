/** The generated files of packages/client/src, by name. */
export declare const clientSources: () => Readonly<Record<string, string>>;
