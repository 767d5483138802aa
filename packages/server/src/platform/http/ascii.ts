/** Bytes of JSON and timestamps that are parsed and written without creating strings. */
export const QUOTE = 34;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
export const Z = 90;
export const OPEN_LIST = 91;
export const BACKSLASH = 92;
export const CLOSE_LIST = 93;
export const LOWER_U = 117;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;
