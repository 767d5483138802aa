import { createSocket, type RemoteInfo, type Socket } from "node:dgram";

export const GROUP = "224.0.0.251";
export const PORT = 5353;
/** Messages of multicast DNS have it; those of others have passed a router. */
const TTL = 255;

/** A socket for multicast DNS. Rejects if its port cannot be used. */
export const opened = async (onMessage: (bytes: Buffer, from: RemoteInfo) => void): Promise<Socket> => {
  // Others on this machine may use the port, too, such as its own resolver.
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(PORT, () => {
      socket.off("error", reject);
      resolve();
    });
  });
  socket.setMulticastTTL(TTL);
  socket.setMulticastLoopback(true);
  return socket.on("message", onMessage);
};

/** Rejects if the message could not be sent. */
export const sent = (socket: Socket, message: Buffer, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.send(message, port, address, (error) => (error === null ? resolve() : reject(error)));
  });
