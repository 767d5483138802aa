export declare const findChromium: () => string | undefined;
export declare const opensWindows: (browser: string) => boolean;
export declare const chromiumArguments: string[];
