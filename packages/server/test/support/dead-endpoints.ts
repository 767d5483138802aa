import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { atEnd } from "@curtail/testing/at-end";

/** Hanging ones end no request within an attempt's time; the others fail at once. */
export const hangingKinds = ["silent", "dripping", "deaf"] as const;
export const failingKinds = ["refusing", "unresolved"] as const;
export type DeadKind = (typeof hangingKinds)[number] | (typeof failingKinds)[number];

const DRIP_MS = 1000;

/** Dead receivers on real sockets; returns a function that creates a unique address for a kind. */
export const deadEndpoints = async (): Promise<(kind: DeadKind, number: number) => string> => {
  const ports: Record<Exclude<DeadKind, "unresolved">, number> = {
    silent: await serving(() => {}),
    dripping: await serving(drip),
    deaf: await deaf(),
    refusing: await refusing(),
  };
  return (kind, number) =>
    kind === "unresolved"
      ? `http://dead-${number}.invalid/`
      : `http://127.1.${number >> 8}.${number & 255}:${ports[kind]}/${kind}`;
};

const serving = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onConnection(socket.resume());
  });
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return portOf(server);
};

/** Announces a length and sends a byte at a time. */
const drip = (socket: Socket): void => {
  socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  const timer = setInterval(() => socket.write("x"), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
};

/** A port that was just closed, so that nobody listens there. */
const refusing = async (): Promise<number> => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** A process that listens and then sleeps: nothing is accepted, and its backlog of one is soon full. */
const deaf = async (): Promise<number> => {
  const listen = "require('node:net').createServer().listen({ port: 0, host: '0.0.0.0', backlog: 1 }, function () {";
  const sleep =
    "process.send(this.address().port, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));";
  const child: ChildProcess = spawn(process.execPath, ["-e", `${listen}${sleep}});`], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  atEnd(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const [port] = (await once(child, "message")) as [number];
  return port;
};

const portOf = async (server: Server): Promise<number> => {
  server.listen({ port: 0, host: "0.0.0.0", backlog: 4096 });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};
