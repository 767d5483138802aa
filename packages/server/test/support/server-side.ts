import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

// The server's side of a test's connections, where time limits can be read and shortened.

const accepted = new Map<number, WeakRef<Socket>>();
const servers = new Map<number, WeakRef<Server>>();

subscribe("net.server.socket", (message) => {
  const { socket } = message as { readonly socket: Socket };
  if (socket.remotePort !== undefined) accepted.set(socket.remotePort, new WeakRef(socket));
});

subscribe("http.server.request.start", (message) => {
  const { server } = message as { readonly server: Server };
  servers.set((server.address() as AddressInfo).port, new WeakRef(server));
});

export const acceptedFrom = ({ localPort }: Socket): Socket => known(accepted, localPort ?? 0);

/** The server at an address that has received a request. */
export const serverAt = (url: string): Server => known(servers, Number(new URL(url).port));

const known = <T extends object>(byPort: ReadonlyMap<number, WeakRef<T>>, port: number): T => {
  const found = byPort.get(port)?.deref();
  if (found === undefined) throw new Error(`this process serves nothing by port ${port}`);
  return found;
};
