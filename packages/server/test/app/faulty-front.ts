import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { strangers } from "@curtail/testing/watch-replies";

/** How an upload is answered instead of by the service; `lost` stores it and then drops the connection. */
export type Fault =
  | "broken"
  | "lost"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** What a proxy says while the service behind it is away. */
export interface Excuse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection ends within the body. */
  readonly isCut?: boolean;
}

/** A proxy before the service that makes uploads, or everything, fail on request. */
export interface FaultyFront {
  readonly url: string;
  /** Faults of the next uploads, one each; "none" lets one through. */
  readonly faults: Array<Fault | "none">;
  /** Readings of each upload that arrived. */
  readonly uploads: ReadonlyArray<ReadonlyArray<{ readonly timestamp: string; readonly kW: number }>>;
  onUpload: () => void;
  /** Called before any other request is answered. */
  onOther: () => void;
  /** Every connection is dropped. */
  isDown: boolean;
  /** How everything is answered instead of by the service; null: not. */
  excuse: Excuse | null;
  /** A path that is answered with 404, as by a service that does not have it; null: none. */
  lacks: string | null;
}

export const faultyFront = async (service: string): Promise<FaultyFront> => {
  const uploads: Array<FaultyFront["uploads"][number]> = [];
  const server = createServer((request, response) => void answer(request, response));
  strangers.add(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const front: FaultyFront = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    uploads,
    onUpload: () => {},
    onOther: () => {},
    isDown: false,
    excuse: null,
    lacks: null,
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (front.isDown) return void request.socket.destroy();
    if (front.excuse !== null) return excuseTo(response, front.excuse);
    if (front.lacks !== null && request.url?.includes(front.lacks) === true) return void response.writeHead(404).end();
    const body = await bodyOf(request);
    const isUpload = request.method === "POST" && request.url?.endsWith("/telemetry") === true;
    if (isUpload) {
      uploads.push((JSON.parse(body) as { telemetry: FaultyFront["uploads"][number] }).telemetry);
      front.onUpload();
    } else front.onOther();
    const fault = isUpload ? (front.faults.shift() ?? "none") : "none";
    if (fault === "broken") return void request.socket.destroy();
    if (typeof fault === "object") return void response.writeHead(fault.status, fault.headers).end("{}");
    const answered = await forward(service, request, body);
    if (fault === "lost") return void request.socket.destroy();
    response.writeHead(answered.status, { "content-type": "application/json" }).end(await answered.text());
  };
  return front;
};

const excuseTo = (response: ServerResponse, { status, body, headers, isCut = false }: Excuse): void => {
  response.writeHead(status, { ...headers, "content-length": body.length + (isCut ? 1 : 0) });
  response.write(body, () => (isCut ? response.socket?.destroy() : response.end()));
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

const forward = (service: string, { method = "GET", url = "/", headers }: IncomingMessage, body: string) => {
  const kept = ["authorization", "content-type", "x-service-api-key"].flatMap((name): Array<[string, string]> => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return fetch(service + url, { method, headers: Object.fromEntries(kept), ...(body === "" ? {} : { body }) });
};
