// Dead receivers, as a child process: a port that accepts and says nothing, one that drips, and one that refuses.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

const DRIP_MS = 1000;

const portOf = async (server: Server): Promise<number> => {
  server.listen({ port: 0, host: "0.0.0.0", backlog: 4096 });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const serving = (onConnection: (socket: Socket) => void): Promise<number> =>
  portOf(createServer((socket) => onConnection(socket.on("error", () => {}).resume())));

const drip = (socket: Socket): void => {
  socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  const timer = setInterval(() => socket.write("x"), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
};

process.on("disconnect", () => process.exit(0));

const gone = createServer();
const refusing = await portOf(gone);
gone.close();
process.send?.({ silent: await serving(() => {}), dripping: await serving(drip), refusing });
