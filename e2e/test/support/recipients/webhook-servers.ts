import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Success } from "./judge.js";
import type { Kind } from "./kinds.js";

type Behaviour = NonNullable<Kind["webhook"]>;

/** Servers for webhooks and chat rooms, one per behaviour; a path is an account. */
export interface WebhookServers {
  urlOf(behaviour: Behaviour, accountId: string): string;
  /** From now on nobody listens where connections are to be refused. */
  beginRefusing(): void;
  close(): void;
}

const behaviours: readonly Behaviour[] = ["accepts", "fails", "hangs", "refuses", "deleted"];

/** Reports every notice that was answered 200, once the answer is sent. */
export const startWebhookServers = async (onAccepted: (success: Success) => void): Promise<WebhookServers> => {
  const servers = new Map<Behaviour, Server>();
  for (const behaviour of behaviours) {
    const server = createServer((request, response) => {
      // If a kill interrupts the request, it counts as never received.
      void receive(request, response, { behaviour, onAccepted }).catch(() => {});
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.set(behaviour, server);
  }
  const ports = new Map([...servers].map(([behaviour, server]) => [behaviour, (server.address() as AddressInfo).port]));
  return {
    urlOf: (behaviour, accountId) => `http://127.0.0.1:${ports.get(behaviour)}/${accountId}`,
    beginRefusing: () => shut(servers.get("refuses")),
    close: () => [...servers.values()].forEach(shut),
  };
};

const shut = (server: Server | undefined): void => {
  server?.closeAllConnections();
  server?.close();
};

interface Receiving {
  readonly behaviour: Behaviour;
  readonly onAccepted: (success: Success) => void;
}

const receive = async (
  request: IncomingMessage,
  response: ServerResponse,
  { behaviour, onAccepted }: Receiving,
): Promise<void> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const by = "resource" in (JSON.parse(text) as object) ? "webhook" : "chat";
  // A test request is about no dispatch.
  const [dispatchId] = /dis_\w+/.exec(text) ?? [];
  if (dispatchId === undefined) response.end();
  else if (behaviour === "fails") response.writeHead(500).end();
  else if (behaviour === "accepts") {
    const accountId = (request.url ?? "").slice(1);
    response.on("finish", () => onAccepted({ accountId, dispatchId, by }));
    response.end();
  }
};
