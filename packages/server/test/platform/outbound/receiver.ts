import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { onTestFinished } from "vitest";
import { sendWebhook, type WebhookRequest } from "../../../src/notification/worker/send-webhook.js";
import { randomSecret } from "../../../src/notification/worker/signature.js";
import type { AddressPolicy } from "../../../src/platform/attempt.js";
import { type AttemptOutcome } from "../../../src/platform/outbound/post-attempt.js";
import { type WebhookClientOptions, webhookClient } from "../../../src/platform/outbound/webhook-client.js";

export const onlyPublic: AddressPolicy = { allowedNetworks: [], allowLoopback: false, allowHttp: true };
export const withLoopback: AddressPolicy = { ...onlyPublic, allowLoopback: true };

export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

/** Listens until the test ends, on a free port of every IPv4 address of this machine, or of another host. */
export const listening = async (server: Server, host = "0.0.0.0"): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
};

/** A server that reads each whole request, stores it and answers as configured. */
export const receiver = async (answer: Answer, host?: string) => {
  const requests: Received[] = [];
  const server = createServer(recording(requests, answer));
  let connections = 0;
  server.on("connection", () => connections++);
  const port = await listening(server, host);
  return { requests, port, url: `http://127.0.0.1:${port}/hook`, connections: () => connections };
};

/** Counts connections to every address of this machine, including IPv6 if available; must not be reached. */
export const canary = async () => receiver(answering(200), hasIpv6 ? "::" : "0.0.0.0");

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === "IPv6"));

export const recording =
  (requests: Received[], answer: Answer): RequestListener =>
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url: path, headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      answer(response, received);
    });
  };

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Answers with bytes of the test's choice, or none. */
export const rawReceiver = async (onConnection: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await listening(createTcpServer(onConnection))}/hook`;

export const message = (url: string, rest: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  body: '{"event":{"name":"dispatch.create"},"resource":"/2022-04-15/dispatches/dis_1"}',
  id: "del_1",
  secrets: [randomSecret()],
  timestamp: new Date(),
  ...rest,
});

/** Sends one message with its own client, which is closed when the test ends. */
export const send = async (
  url: string,
  { policy = withLoopback, attemptMs = 2000, ...options }: Setting = {},
): Promise<AttemptOutcome> => {
  const client = webhookClient(policy, options);
  onTestFinished(async () => client.close());
  return sendWebhook(message(url), { client, attemptMs });
};

interface Setting extends WebhookClientOptions {
  readonly policy?: AddressPolicy;
  readonly attemptMs?: number;
}
