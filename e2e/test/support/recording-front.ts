import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { strangers } from "@curtail/testing/watch-replies";

/** A request that passed, and how it was answered. */
export interface Passed {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly status: number;
}

export interface Front {
  readonly url: string;
  /** Those that were answered. */
  readonly passed: readonly Passed[];
}

/** What the front does in place of what is behind it. */
export interface Interception {
  /** How the paths of such requests end. */
  readonly path: string;
  readonly answer: (response: ServerResponse) => void;
}

/** A proxy before a server at a port; where nothing listens, it closes the connection as that would. */
export const recordingFront = async (port: string, interception?: Interception): Promise<Front> => {
  const passed: Passed[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const { method, url: path = "/", headers } = request;
    const onward = requestTo({ host: "127.0.0.1", port, method, path, headers });
    onward.on("error", () => request.socket.destroy());
    onward.on("response", (answer) => {
      passed.push({ path, headers, body, status: answer.statusCode ?? 0 });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  };
  const server = createServer((request, response) => {
    if (interception !== undefined && request.url?.endsWith(interception.path) === true) interception.answer(response);
    else void pass(request, response);
  }).listen(0, "127.0.0.1");
  strangers.add(server);
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};
