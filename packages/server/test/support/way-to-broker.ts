import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { startBroker } from "@curtail/testing/mosquitto";

/** A mosquitto that anybody may use, until the end of the file. */
export const newBroker = async (given?: number) => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-broker-"));
  const port = given ?? (await freePort());
  const broker = await startBroker(folder, port);
  atEnd(async () => {
    await broker.stop();
    await rm(folder, { recursive: true });
  });
  return { port, url: broker.url };
};

/** Of MQTT: the answers to a connection and to a ping. */
const STILL_ALIVE = [0x20, 0xd0];

/** A way to a broker that can be cut, or on which the broker connects and stays alive, but answers nothing. */
export const wayTo = async (brokerPort: number) => {
  const open = new Set<Socket>();
  const self = { url: "", isMute: false, isCut: false, lost: 0, answered: () => {} };
  const cut = (): void => {
    self.isCut = true;
    for (const socket of open) socket.destroy();
  };
  const server = createServer((socket) => {
    if (self.isCut) return void socket.destroy();
    const upstream = createConnection(brokerPort, "127.0.0.1");
    for (const each of [socket, upstream]) {
      open.add(each);
      each.on("error", () => {}).on("close", () => void open.delete(each));
    }
    socket.pipe(upstream);
    socket.on("close", () => {
      self.lost += 1;
      upstream.destroy();
    });
    upstream.on("data", (chunk: Buffer) => {
      self.answered();
      if (!self.isMute || STILL_ALIVE.includes(chunk[0] ?? 0)) socket.write(chunk);
    });
    upstream.on("close", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEnd(async () => {
    cut();
    server.close();
  });
  self.url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(self, { cut });
};
