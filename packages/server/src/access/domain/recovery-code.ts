export const RECOVERY_CODES = 10;

/** The significant characters of a code: people type spaces, hyphens and capitals as they like. */
export const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[^0-9a-z]/g, "");
