/** Longest quotation of a name or value in a message (G55). */
const MAX_QUOTED = 60;

/** Quotes what was sent: shortened, and without characters that would need escapes. */
export const quote = (text: string): string => {
  const printable = text.slice(0, MAX_QUOTED + 1).replaceAll(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
  return printable.length <= MAX_QUOTED
    ? printable
    : `${printable.slice(0, MAX_QUOTED - 1).replace(/[\ud800-\udbff]$/, "")}…`;
};

/** Longest message in bytes (G55). */
const MAX_MESSAGE_BYTES = 4096;

/** Cuts a message at the limit. */
export const bounded = (message: string): string => {
  if (message.length * 3 <= MAX_MESSAGE_BYTES || Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return message;
  const cut = Buffer.from(message.slice(0, MAX_MESSAGE_BYTES)).toString("utf8", 0, MAX_MESSAGE_BYTES - ELLIPSIS_BYTES);
  return `${cut.replace(/\ufffd$/, "")}…`;
};

const ELLIPSIS_BYTES = 3;
