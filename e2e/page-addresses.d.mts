type Get = (address: string) => Promise<unknown>;
/** Name and address. */
type Pages = Promise<readonly (readonly [string, string])[]>;

export declare const operatorPages: (get: Get) => Pages;
export declare const participantPages: (get: Get) => Pages;
