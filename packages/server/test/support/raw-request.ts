import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";

/** The answer on a connection over which the test writes HTTP itself. */
export interface RawAnswer {
  readonly status: number;
  /** Header lines as sent, lower-case. */
  readonly head: string;
  // A test looks into what it was sent; each expectation is the check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly seconds: number;
}

export const open = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server that cuts the connection may do so while the test still writes, which is what is being tested.
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
};

/** Sends `bytes` and reads until the server closes the connection. */
export const sendRaw = async (url: string, bytes: string | Buffer): Promise<RawAnswer> => {
  const socket = await open(url);
  socket.write(bytes);
  return untilClosed(socket);
};

export const untilClosed = async (socket: Socket): Promise<RawAnswer> => {
  const started = performance.now();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once("close", resolve));
  const text = Buffer.concat(chunks).toString("utf8");
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head: head.toLowerCase(),
    body: body === "" ? null : JSON.parse(body),
    seconds: (performance.now() - started) / 1000,
  };
};

/** Request line and headers of a request after which the connection closes. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const lines = Object.entries({ host: "curtail.test", connection: "close", ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
};
