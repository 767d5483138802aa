import type { readLockfile } from "./shipped-packages.mjs";

/** The bill of materials of what a release ships, as CycloneDX 1.6 in JSON. */
export declare const sbomOf: (lock: ReturnType<typeof readLockfile>, now?: Date) => string;
