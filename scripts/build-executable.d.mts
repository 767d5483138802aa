/** Whether the Node that runs can be made into another program. */
export declare const isPossible: () => boolean;
/** Writes the command as a program that contains Node; returns its path. */
export declare const writeExecutable: (into: string) => Promise<string>;
