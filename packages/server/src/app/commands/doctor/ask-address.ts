import { IDENTITY_PATH, type ListenerIdentity } from "../../routes/identity.js";
import { LOOK_MS } from "./looks.js";

/** What an address answered. */
export interface SeenAddress {
  readonly status: number;
  /** Where it redirects; null: nowhere. */
  readonly location: string | null;
  /** null: it is not that of a Curtail. */
  readonly identity: ListenerIdentity | null;
  /** How long after the first event the second arrived; null: it did not. */
  readonly apartMs: number | null;
}

/** Asks it who it is. Throws if it cannot be reached. */
export const askAddress = async (url: string): Promise<SeenAddress> => {
  const signal = AbortSignal.timeout(LOOK_MS - 500);
  const response = await fetch(`${url}${IDENTITY_PATH}`, { redirect: "manual", signal });
  const { status, headers, body } = response;
  const location = status >= 300 && status < 400 ? headers.get("location") : null;
  const isStream = status === 200 && headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || body === null) {
    await body?.cancel();
    return { status, location, identity: null, apartMs: null };
  }
  return { status, location, ...(await eventsOf(body)) };
};

/** More than two events have no room in it. */
const MOST_CHARACTERS = 4096;

const eventsOf = async (body: ReadableStream<Uint8Array>): Promise<Pick<SeenAddress, "identity" | "apartMs">> => {
  const decoder = new TextDecoder();
  let text = "";
  let identity: ListenerIdentity | null = null;
  let firstMs = 0;
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const data = /event: identity\ndata: (.*)\n\n/.exec(text)?.[1];
      if (identity === null && data !== undefined) {
        identity = identityIn(data);
        firstMs = performance.now();
      }
      if (text.includes("event: end\n")) return { identity, apartMs: performance.now() - firstMs };
      if (text.length > MOST_CHARACTERS) break;
    }
  } catch {
    // It was broken off on the way.
  }
  return { identity, apartMs: null };
};

const identityIn = (data: string): ListenerIdentity | null => {
  try {
    const { service, listener, forwarding } = JSON.parse(data) as Partial<ListenerIdentity>;
    return typeof service === "string" && listener !== undefined && forwarding !== undefined
      ? { service, listener, forwarding }
      : null;
  } catch {
    return null;
  }
};
