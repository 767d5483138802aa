import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { OPERATOR_TOKEN } from "./running.js";

export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  // A test looks into what it was sent; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** A reader of server-sent events. */
export interface EventStream {
  readonly headers: IncomingMessage["headers"];
  /** What came besides events, so far: comments, and how long to wait before connecting again. */
  readonly preamble: string;
  /** The next event, skipping comments; null when the stream ended. */
  next(): Promise<StreamedEvent | null>;
  close(): void;
}

/** Opens a stream of the operator API, by the operator token unless a session's cookie is given. */
export const openStream = (
  url: string,
  path: string,
  { lastEventId, cookie }: { readonly lastEventId?: string; readonly cookie?: string } = {},
): Promise<EventStream> =>
  openStreamAt(`${url}/operator/v1${path}`, {
    ...(cookie === undefined ? { authorization: `Bearer ${OPERATOR_TOKEN}` } : { cookie }),
    ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
  });

export const openStreamAt = async (
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> => {
  // Its own connection: a pooled one would still be open when the service drains.
  const request = get(address, { agent: false, headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`);
  const chunks = response.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = "";
  let preamble = "";
  return {
    headers: response.headers,
    get preamble() {
      return preamble;
    },
    async next() {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (/^event:/m.test(block)) return parsed(block);
          preamble += block;
          continue;
        }
        const { value, done } = await chunks.next();
        if (done) return null;
        text += value;
      }
    },
    close: () => void request.destroy(),
  };
};

const parsed = (block: string): StreamedEvent => {
  const fields = Object.fromEntries(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  return { id: fields["id"] ?? "", event: fields["event"] ?? "", data: JSON.parse(fields["data"] ?? "null") };
};
