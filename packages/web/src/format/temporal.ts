import type { Temporal as Library } from "temporal-polyfill";

const own = (globalThis as { readonly Temporal?: typeof Library }).Temporal;

/** The browser's own, or a library that only browsers without one load. */
// biome-ignore lint/style/useNamingConvention: the name of the standard
export const Temporal: typeof Library = own ?? (await import("temporal-polyfill")).Temporal;
