/** Where a service takes bodies compressed by gzip: the paths of the operations whose last answer said so. */
export type Compression = Set<string> & { isOff?: boolean };

/** Sends a request with this body. */
export type SendBody = (
  body: string | Blob | ArrayBuffer | undefined,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Shorter bodies fit into one packet as they are. */
const LEAST_COMPRESSED = 1400;

/**
 * Sends a body, compressed if the last answer of the operation said that it may be. A compressed body that is refused is
 * sent again as it is: whatever lies between, such as a proxy, may not let it pass. If then it is accepted, none is
 * compressed any more.
 */
export const sendCompressed = async (
  compression: Compression,
  path: string,
  body: string,
  send: SendBody,
): Promise<Response> => {
  const isCompressed =
    body.length >= LEAST_COMPRESSED &&
    compression.has(path) &&
    compression.isOff !== true &&
    "CompressionStream" in globalThis;
  let response = await (isCompressed ? send(await gzip(body), { "content-encoding": "gzip" }) : send(body));
  if (isCompressed && isRefused(response)) {
    await response.body?.cancel();
    response = await send(body);
    compression.isOff = !isRefused(response);
  }
  if (/\bgzip\b/i.test(response.headers.get("accept-encoding") ?? "")) compression.add(path);
  else compression.delete(path);
  return response;
};

const isRefused = ({ status }: Response): boolean => status === 400 || status === 415;

const gzip = (body: string): Promise<ArrayBuffer> =>
  new Response(new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
