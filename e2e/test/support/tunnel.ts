import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { atEnd } from "@curtail/testing/at-end";

/** A proxy that tunnels (CONNECT), and what it connected to. */
export interface Tunnel {
  readonly url: string;
  readonly hosts: readonly string[];
}

export const startTunnel = async (): Promise<Tunnel> => {
  const hosts: string[] = [];
  const server = createServer();
  server.on("connect", ({ url = "" }, socket) => {
    hosts.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const there = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    for (const [one, other] of [
      [there, socket],
      [socket, there],
    ] as const)
      one.on("error", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hosts };
};
