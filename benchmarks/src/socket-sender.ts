// The load over plain sockets, as a child process.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { LoadSent, SocketLoad } from "./socket-load.js";

const HEAD_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

const sent = async ({ url, requests, connections, most, seconds }: SocketLoad): Promise<LoadSent> => {
  const { hostname, port } = new URL(url);
  const bytes = requests.map((request) => Buffer.from(request));
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)));
  const latenciesMs: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let received: Buffer = NOTHING;
          let sentMs = 0;
          const send = (): void => {
            sentMs = performance.now();
            if (next >= most || sentMs >= endsMs) return resolve();
            socket.write(bytes[next++ % bytes.length] ?? NOTHING);
          };
          socket.on("error", reject).on("data", (chunk: Buffer) => {
            received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
            if (received.length < answerBytes(received)) return;
            received = NOTHING;
            latenciesMs.push(performance.now() - sentMs);
            send();
          });
          send();
        }),
    ),
  );
  const took = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.destroy();
  return { count: latenciesMs.length, seconds: took, latenciesMs };
};

const opened = async (port: number, hostname: string): Promise<Socket> => {
  const socket = connect(port, hostname);
  await once(socket, "connect");
  return socket.setNoDelay();
};

/** Of the answer that begins here; infinite while its head is not complete. */
const answerBytes = (received: Buffer): number => {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return Number.POSITIVE_INFINITY;
  const head = received.toString("latin1", 0, headEnd).toLowerCase();
  if (!head.startsWith("http/1.1 20")) throw new Error(`a request was answered: ${received.toString("latin1")}`);
  const at = head.indexOf("content-length: ");
  return headEnd + HEAD_END.length + Number.parseInt(head.slice(at + "content-length: ".length), 10);
};

process.on("message", (order: SocketLoad) => void sent(order).then((result) => process.send?.(result)));
process.once("disconnect", () => process.exit(0));
