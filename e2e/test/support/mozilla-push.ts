import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "@curtail/testing/at-end";
import { type WebSocket, WebSocketServer } from "ws";

/** A push service for one Firefox. */
export interface MozillaPush {
  /** For the browser. */
  readonly url: string;
  /** Headers of the messages that were sent to the browser. */
  readonly sent: readonly IncomingHttpHeaders[];
  /** Codes with which the browser confirmed messages; 100: its service worker took it. */
  readonly confirmed: readonly number[];
}

interface FromBrowser {
  readonly messageType?: "hello" | "register" | "unregister" | "ack" | "nack";
  readonly channelID?: string;
  readonly updates?: ReadonlyArray<{ readonly code: number }>;
  readonly code?: number;
}

/**
 * A push service on real sockets: the browser holds a connection by Mozilla's protocol, and messages for it are posted by
 * RFC 8030. It passes them on as they are; only the browser can decrypt them. Closed after the test file.
 */
export const mozillaPush = async (): Promise<MozillaPush> => {
  const [sent, confirmed]: [IncomingHttpHeaders[], number[]] = [[], []];
  let browser: WebSocket | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push(request.headers);
      const encoding = request.headers["content-encoding"];
      const message = { channelID: request.url?.split("/").at(-1), version: randomUUID(), headers: { encoding } };
      const data = Buffer.concat(chunks).toString("base64url");
      browser?.send(JSON.stringify({ messageType: "notification", ...message, data }));
      response.writeHead(201).end();
    });
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => "push-notification" });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = (message: FromBrowser): object | null => {
    const { messageType, channelID } = message;
    switch (messageType) {
      case "hello":
        return { messageType, status: 200, uaid: randomUUID().replaceAll("-", ""), use_webpush: true, broadcasts: {} };
      case "register":
        return { messageType, status: 200, channelID, pushEndpoint: `http://127.0.0.1:${port}/push/${channelID}` };
      case "unregister":
        return { messageType, status: 200, channelID };
      case "ack":
      case "nack":
        confirmed.push(message.updates?.[0]?.code ?? message.code ?? 0);
        return null;
      default:
        // A ping.
        return {};
    }
  };
  sockets.on("connection", (socket) => {
    browser = socket;
    socket.on("message", (data: Buffer) => {
      const reply = answer(JSON.parse(data.toString()) as FromBrowser);
      if (reply !== null) socket.send(JSON.stringify(reply));
    });
  });
  atEnd(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `ws://127.0.0.1:${port}/`, sent, confirmed };
};
