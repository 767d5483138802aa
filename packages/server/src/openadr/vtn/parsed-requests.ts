import { isDeepStrictEqual } from "node:util";
import { type Message, parseMessage, type Refusal, type RequestEvent } from "@curtail/openadr";

/** A poll of a VEN, in three parts; the one in between is its requestID. */
interface Remembered {
  readonly charset: string | null;
  readonly before: string;
  readonly after: string;
  readonly message: RequestEvent;
}

/** Longer messages are parsed each time. */
const MAX_BYTES = 4096;
/** Some 50 MB. */
const MAX_REMEMBERED = 20_000;
/** Read the same anywhere in a message, in every charset that messages are read in. */
const PLAIN_ID = /^[\w.:-]{1,100}$/;

/** Parses messages of VENs. A VEN's polls differ only by their requestID, so each is parsed once. */
export class ParsedRequests {
  private readonly remembered = new Map<string, Remembered>();

  parse(ven: string, body: Buffer, charset: string | null): Message | Refusal {
    if (body.length > MAX_BYTES) return parseMessage(body, { charset });
    const text = body.toString("latin1");
    const known = this.remembered.get(ven);
    const requestId = known?.charset === charset ? requestIdIn(text, known) : null;
    if (known !== undefined && requestId !== null) return { ...known.message, requestId };
    const message = parseMessage(body, { charset });
    if (message.kind === "requestEvent") this.remember(ven, partsOf(text, charset, message));
    return message;
  }

  private remember(ven: string, remembered: Remembered | null): void {
    if (remembered === null) return;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    this.remembered.set(ven, remembered);
  }
}

/** null if it is uncertain where the requestID is. */
const partsOf = (text: string, charset: string | null, message: RequestEvent): Remembered | null => {
  const [before, after, ...more] = text.split(`>${message.requestId}<`);
  if (!PLAIN_ID.test(message.requestId) || before === undefined || after === undefined || more.length > 0) return null;
  const remembered = { charset, before: `${before}>`, after: `<${after}`, message };
  // Another element, or a comment, may hold the same text.
  const other = `${message.requestId}-other`;
  const parsed = parseMessage(Buffer.from(remembered.before + other + remembered.after, "latin1"), { charset });
  return isDeepStrictEqual(parsed, { ...message, requestId: other }) ? remembered : null;
};

/** null if the message differs in anything else. */
const requestIdIn = (text: string, { before, after }: Remembered): string | null => {
  if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return null;
  const requestId = text.slice(before.length, text.length - after.length);
  return PLAIN_ID.test(requestId) ? requestId : null;
};
