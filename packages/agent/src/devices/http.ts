import type { HttpSource } from "../config/other-config.js";
import { type PointResult, type Reader, reasonOf } from "./device.js";
import { numberIn } from "./number-text.js";
import { addressOf } from "./place.js";

const LARGEST_BODY = 1_000_000;

/** Values that are fetched by GET. */
export const httpReader: Reader<HttpSource> = {
  read: (points) => Promise.all(points.map(fetchValue)),
};

const fetchValue = async (source: HttpSource): Promise<PointResult> => {
  const place = addressOf(source.url);
  try {
    const { url, headers } = requestOf(source);
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(source.timeoutMs) });
    const text = await shortBody(response);
    return response.ok ? numberIn(text, source.path) : { fault: `${place} returned ${response.status}` };
  } catch (error) {
    return { fault: `${place}: ${reasonOf(error)}` };
  }
};

/** `fetch` refuses an address with user and password, and quotes it; they belong into a header. */
const requestOf = (source: HttpSource): { readonly url: string; readonly headers: Headers } => {
  const address = new URL(source.url);
  const headers = new Headers(source.headers);
  const { username, password } = address;
  if (username === "" && password === "") return { url: source.url, headers };
  address.username = "";
  address.password = "";
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  // A configured header wins, in whatever case it is written: a device refuses two.
  if (!headers.has("authorization")) headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  return { url: address.href, headers };
};

const shortBody = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > LARGEST_BODY) throw new Error("the body is longer than 1 MB");
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};
