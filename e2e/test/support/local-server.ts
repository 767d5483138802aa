import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Lets a server listen on a free port of this machine; `close` breaks its connections, too. */
export const serveLocally = async (server: Server): Promise<{ url: string; close: () => void }> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};
