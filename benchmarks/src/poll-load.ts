import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface PollLoad {
  readonly url: string;
  /** Polled one after the other. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface PollsSent {
  readonly count: number;
  readonly seconds: number;
}

const HEAD_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

/** Polls over plain sockets: a client of HTTP would take longer than the service. */
const polled = async ({ url, keys, connections, seconds }: PollLoad): Promise<PollsSent> => {
  const { hostname, port } = new URL(url);
  const requests = keys.map((key) =>
    Buffer.from(`GET /2022-04-15/dispatches HTTP/1.1\r\nhost: ${hostname}\r\nx-service-api-key: ${key}${HEAD_END}`),
  );
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(Number(port), hostname)));
  let count = 0;
  let next = 0;
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  const send = (socket: Socket): boolean => socket.write(requests[next++ % requests.length] ?? "");
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let received: Buffer = NOTHING;
          socket.on("error", reject).on("data", (chunk: Buffer) => {
            received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
            if (received.length < answerBytes(received)) return;
            received = NOTHING;
            count += 1;
            if (performance.now() < endsMs) send(socket);
            else resolve();
          });
          send(socket);
        }),
    ),
  );
  const took = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.destroy();
  return { count, seconds: took };
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
  if (!head.startsWith("http/1.1 200")) throw new Error(`a poll was answered: ${head}`);
  const at = head.indexOf("content-length: ");
  return headEnd + HEAD_END.length + Number.parseInt(head.slice(at + "content-length: ".length), 10);
};

process.on("message", (order: PollLoad) => void polled(order).then((result) => process.send?.(result)));
process.once("disconnect", () => process.exit(0));
