import { InvalidData } from "./invalid-data.js";

// By the names that peers use; ISO-8859-1 is read as windows-1252, a superset.
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ascii", "utf-8"],
  ["iso-8859-1", "windows-1252"],
  ["latin1", "windows-1252"],
  ["windows-1252", "windows-1252"],
]);

/**
 * A document's bytes as text. A byte order mark takes precedence; then the XML declaration, with UTF-8 as default;
 * then, if that does not fit, the charset of the content type: one VEN declares UTF-8 and sends ISO-8859-1.
 */
export const decode = (bytes: Uint8Array, charset: string | null): string => {
  for (const encoding of encodingsOf(bytes, charset)) {
    const text = decodeAs(encoding, bytes);
    if (text !== null) return text;
  }
  throw new InvalidData("encoding", "the message is not in its declared encoding; send UTF-8 and declare it");
};

/** The encodings to try, in order, without unsupported ones. */
const encodingsOf = (bytes: Uint8Array, charset: string | null): string[] => {
  const marked = encodingOfMark(bytes);
  if (marked !== null) return [marked];
  const named = [declaredEncoding(bytes) ?? "utf-8", charset ?? ""];
  return named.flatMap((name) => ENCODINGS.get(name.toLowerCase()) ?? []);
};

const encodingOfMark = ([first, second, third]: Uint8Array): string | null => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
};

const DECLARATION_BYTES = 256;
const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;

const declaredEncoding = (bytes: Uint8Array): string | null => {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, DECLARATION_BYTES));
  return DECLARED.exec(start)?.[1] ?? null;
};

/** null if the bytes are not in this encoding. */
const decodeAs = (encoding: string, bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};
