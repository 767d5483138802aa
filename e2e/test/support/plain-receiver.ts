import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";

/** A participant's system that answers every request with a configurable response. */
export interface PlainReceiver {
  readonly url: string;
  status: number;
  /** Body of its responses. */
  says: string;
  readonly bodies: readonly string[];
}

export const plainReceiver = async (): Promise<PlainReceiver> => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      bodies.push(text);
      response.writeHead(receiver.status).end(receiver.says);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const receiver: PlainReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/curtail`,
    status: 200,
    says: "",
    bodies,
  };
  return receiver;
};
