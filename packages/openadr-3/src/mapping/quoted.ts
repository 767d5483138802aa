const MAX_CHARACTERS = 60;

/** What was sent, for a message: shortened, and without characters that would need escapes. */
export const shortened = (text: string): string => {
  const printable = text.slice(0, MAX_CHARACTERS + 1).replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
  return printable.length <= MAX_CHARACTERS ? printable : `${printable.slice(0, MAX_CHARACTERS - 1)}…`;
};

export const quoted = (text: string): string => `"${shortened(text)}"`;
