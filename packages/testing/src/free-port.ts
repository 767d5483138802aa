import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems hand out themselves: nobody gets one of these while its owner is down. */
const FIRST = 20_000;
const AFTER_LAST = 32_000;

/** A port of 127.0.0.1 that nobody listens at, for a server that must return to its port. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(FIRST, AFTER_LAST);
  return (await isFree(port)) ? port : freePort();
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
};
