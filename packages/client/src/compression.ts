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
  const mayBe = body.length >= LEAST_COMPRESSED && compression.has(path) && "CompressionStream" in globalThis;
  const { rest = 0 } = compression;
  if (mayBe && rest > 0) compression.rest = rest - 1;
  const isCompressed = mayBe && rest === 0;
  let response = await (isCompressed ? send(await gzip(body), { "content-encoding": "gzip" }) : send(body));
  if (isCompressed && (await isUnread(response))) {
    response = await send(body);
    if (response.ok) compression.rest = REST;
  }
  if (/\bgzip\b/i.test(response.headers.get("accept-encoding") ?? "")) compression.add(path);
  else compression.delete(path);
  return response;
};

/** A refusal that names a reading, such as `telemetry[3]`, has read it. */
const isUnread = async (response: Response): Promise<boolean> =>
  /^4(?:00|15)$/.test(`${response.status}`) && !/\w\[\d/.test(await response.clone().text());

const gzip = (body: string): Promise<ArrayBuffer> =>
  new Response(new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
