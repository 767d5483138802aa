/** White space and control characters, which parsers of addresses remove or escape without a word. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/u;

/** A complete address that means the same to everybody who parses it; null for anything else. */
export const webAddressOf = (text: string): URL | null =>
  !UNSEEN.test(text) && URL.canParse(text) ? new URL(text) : null;
