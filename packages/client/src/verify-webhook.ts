/** A notice whose signature is good. */
export interface WebhookNotice {
  /** The same for each retry of a delivery, so it identifies a repetition. */
  readonly id: string;
  /** When the request was sent, in seconds of Unix time. */
  readonly timestamp: number;
  /** `test`: sent at registration or by a test; answer it with success and do nothing. */
  readonly event: "dispatch.create" | "dispatch.update" | "test";
  /** Fetch this dispatch and act on what it is now; null for a test. */
  readonly dispatchId: string | null;
}

/**
 * Why a request is not trusted: headers are missing, its time is too far from now, no secret made its signature, or its
 * body is no notice.
 */
export type WebhookFault = "header_missing" | "too_old_or_new" | "signature_wrong" | "body_unknown";

/** A notice that may be trusted, or why a request may not. */
export type VerifiedWebhook =
  | {
      /** The signature is good, and the request is of now. */
      readonly ok: true;
      /** What it says. */
      readonly notice: WebhookNotice;
    }
  | {
      /** Answer 400, and do nothing. */
      readonly ok: false;
      /** Why it is not trusted. */
      readonly fault: WebhookFault;
    };

/** A request to your webhook, and what verifies it. */
export interface ReceivedWebhook {
  /** The secret (`whsec_…`), or all that are valid while it is rotated. */
  readonly secrets: string | readonly string[];
  /** As the server has them: `Headers`, or an object with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it arrived, before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Longest distance of the request's time from now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds of Unix time. Default: now. */
  readonly nowMs?: number;
}

/**
 * Verifies a webhook request and reads its notice. Signatures follow Standard Webhooks 1.0: base64 HMAC-SHA256 of
 * `webhook-id`, `webhook-timestamp` and body, joined by dots. Several signatures and several secrets are allowed, so a
 * secret can be rotated without a gap.
 *
 * Answer 400 to a request that is not `ok`.
 *
 * @throws Error if the call itself is wrong: there is no secret, one is not base64, or the body was parsed
 * @example
 * const verified = await verifyWebhook({ secrets, headers: request.headers, body: await request.text() });
 * if (!verified.ok) return new Response(verified.fault, { status: 400 });
 */
export const verifyWebhook = async ({
  secrets,
  headers,
  body,
  toleranceSeconds = 300,
  nowMs = Date.now(),
}: ReceivedWebhook): Promise<VerifiedWebhook> => {
  const keys = keysOf(secrets);
  const received = bodyOf(body);
  const [id, sentAt, signatures] = ["id", "timestamp", "signature"].map((name) => headerOf(headers, `webhook-${name}`));
  if (id === undefined || sentAt === undefined || signatures === undefined) return faulty("header_missing");
  const timestamp = /^\d{1,12}$/.test(sentAt) ? Number(sentAt) : Number.NaN;
  if (!(Math.abs(Math.floor(nowMs / 1000) - timestamp) <= toleranceSeconds)) return faulty("too_old_or_new");
  const signed = bytesOf(`${id}.${sentAt}.`, received);
  if (!(await isSigned(keys, signatures, signed))) return faulty("signature_wrong");
  const content = contentOf(received);
  return content === null ? faulty("body_unknown") : { ok: true, notice: { id, timestamp, ...content } };
};

const faulty = (fault: WebhookFault): VerifiedWebhook => ({ ok: false, fault });

// What comes from JavaScript may be anything, whatever the types say.
const headerOf = (headers: unknown, name: string): string | undefined => {
  const value = valueOf(headers, name);
  const text = Array.isArray(value) ? value.join(" ") : value;
  return typeof text === "string" && text !== "" ? text : undefined;
};

const valueOf = (headers: unknown, name: string): unknown => {
  if (typeof headers !== "object" || headers === null)
    throw new Error("Pass the headers of the request as `headers`: Headers, or an object of names and values.");
  if ("get" in headers && typeof headers.get === "function") return (headers as Pick<Headers, "get">).get(name);
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return found?.[1];
};

const keysOf = (secrets: unknown): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (all.length === 0) throw new Error("Pass at least one secret as `secrets`: the list is empty.");
  return all.map(keyOf);
};

const keyOf = (secret: unknown): Uint8Array<ArrayBuffer> => {
  if (secret === undefined || secret === null || secret === "")
    throw new Error("Set the secret of the webhook: `secrets` has none. Is its environment variable set?");
  if (typeof secret !== "string") throw new Error("Pass the secret as text (`whsec_…`), not as its bytes.");
  const key = fromBase64(secret.trim().replace(/^whsec_/, ""));
  if (key === null || key.length === 0)
    throw new Error("Copy all of the secret: a webhook secret is whsec_ and base64.");
  return key;
};

const bodyOf = (body: unknown): string | Uint8Array => {
  if (typeof body === "string") return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new Error("Pass the body as it arrived, for example `await request.text()`: parsing loses what was signed.");
};

const isSigned = async (
  keys: ReadonlyArray<Uint8Array<ArrayBuffer>>,
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const given = signatures
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [fromBase64(each.slice("v1,".length))] : []))
    .filter((each) => each !== null);
  for (const key of keys) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
    // Compares in constant time.
    for (const each of given) if (await crypto.subtle.verify("HMAC", imported, each, signed)) return true;
  }
  return false;
};

const bytesOf = (head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const [first, second] = [encoder.encode(head), typeof body === "string" ? encoder.encode(body) : body];
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  } catch {
    return null;
  }
};

const RESOURCE = /^\/\d{4}-\d{2}-\d{2}\/dispatches\/([^/]+)$/;

const contentOf = (body: string | Uint8Array): Pick<WebhookNotice, "event" | "dispatchId"> | null => {
  const { event, resource } = parsed(body);
  const name = (event as { name?: unknown } | null | undefined)?.name;
  if (name === "" && resource === "") return { event: "test", dispatchId: null };
  const id = typeof resource === "string" ? RESOURCE.exec(resource)?.[1] : undefined;
  if (id === undefined || (name !== "dispatch.create" && name !== "dispatch.update")) return null;
  return { event: name, dispatchId: id };
};

const parsed = (body: string | Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) ?? {}) as Record<
      string,
      unknown
    >;
  } catch {
    return {};
  }
};
