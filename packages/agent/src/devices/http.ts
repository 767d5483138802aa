import type { HttpSource } from "../config/other-config.js";
import { type PointResult, type Reader, reasonOf } from "./device.js";
import { numberIn } from "./number-text.js";

const LARGEST_BODY = 1_000_000;

/** Values that are fetched by GET. */
export const httpReader: Reader<HttpSource> = {
  read: (points) => Promise.all(points.map(fetchValue)),
};

const fetchValue = async ({ url, path, headers, timeoutMs }: HttpSource): Promise<PointResult> => {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const text = await shortBody(response);
    return response.ok ? numberIn(text, path) : { fault: `${url} returned ${response.status}` };
  } catch (error) {
    return { fault: `${url}: ${reasonOf(error)}` };
  }
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
