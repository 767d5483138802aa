import type { Script } from "node:vm";

export declare const compiledOf: (file: string) => string;
export declare const scriptOf: (file: string) => Script;
export declare const runScript: (
  file: string,
  modules: Readonly<Record<string, unknown>>,
  script?: Script,
) => Readonly<Record<string, unknown>>;
