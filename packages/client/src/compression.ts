/**
 * Where a service takes bodies compressed by gzip: the paths of the operations whose last answer said so.
 * `rest`: as many bodies are sent as they are, because something on the way cannot read compressed ones.
 */
export type Compression = Set<string> & { rest?: number };

/** Sends a request with this body. */
export type SendBody = (
  body: string | Blob | ArrayBuffer | undefined,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Shorter bodies fit into one packet as they are. */
const LEAST_COMPRESSED = 1400;
/** A proxy may be mended: trying again costs one request in a hundred. */
const REST = 100;

/**
 * Sends a body, compressed if the last answer of the operation said that it may be. If an answer means that the body could
 * not be read, it is sent again as it is: whatever lies between, such as a proxy, may not let it pass. If that is
 * accepted, so are the next ones.
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
    "CompressionStream" in globalThis &&
    !(compression.rest && compression.rest--);
  let response = await (isCompressed ? send(await gzip(body), { "content-encoding": "gzip" }) : send(body));
  // A refusal that names a reading, such as `telemetry[3]`, has read it.
  if (isCompressed && [400, 415].includes(response.status) && !/\w\[\d/.test(await response.clone().text())) {
    response = await send(body);
    if (response.ok) compression.rest = REST;
  }
  if (/gzip/i.test(response.headers.get("accept-encoding") ?? "")) compression.add(path);
  else compression.delete(path);
  return response;
};

const gzip = (body: string): Promise<ArrayBuffer> =>
  new Response(new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
