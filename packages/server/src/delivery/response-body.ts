import { KEPT_RESPONSE_BYTES, MAX_RESPONSE_BYTES } from "../domain/webhook.js";

/** Reads a response to its end and hands its beginning on as it comes; false once it is too large. */
export const readWithinLimit = async (
  body: AsyncIterable<unknown>,
  keep: (start: string) => void,
): Promise<boolean> => {
  let bytes = 0;
  let kept = Buffer.alloc(0);
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("a response body is bytes");
    bytes += chunk.length;
    if (kept.length < KEPT_RESPONSE_BYTES) {
      kept = Buffer.concat([kept, chunk.subarray(0, KEPT_RESPONSE_BYTES - kept.length)]);
      keep(textOf(kept));
    }
    if (bytes > MAX_RESPONSE_BYTES) return false;
  }
  return true;
};

/** `stream` leaves a character out that the cut went through; PostgreSQL text cannot hold a NUL. */
const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");
