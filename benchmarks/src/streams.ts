import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { now } from "./commit.js";
import type { BenchCluster } from "./database.js";
import { dispatchRounds, tellRounds } from "./dispatch-rounds.js";
import { type BenchParticipant, type BenchService, startService } from "./service.js";

const STREAMS = 1000;
/** Keys are made by this many at a time. */
const AT_ONCE = 8;

/** One dispatch for 1,000 accounts that each have a stream open. */
export const streams = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_streams");
  // Accounts without contacts are not what is measured; the log has a line for each.
  const service = await startService(database, { log: "ignore" });
  const participants = await newParticipants(service);
  const readers = await Promise.all(participants.map(({ key }) => openReader(service.url, key)));
  const siteIds = participants.flatMap((participant) => participant.siteIds);
  const arrivals = () => Promise.all(readers.map((reader) => reader.next()));
  const rounds = await dispatchRounds({ cluster, database, service, siteIds, arrivals });
  for (const reader of readers) reader.close();
  tellRounds(`one dispatch over ${STREAMS} open streams`, rounds, "event");
  await service.stop();
  await database.drop();
};

const newParticipants = async (service: BenchService): Promise<BenchParticipant[]> => {
  const made: BenchParticipant[] = [];
  while (made.length < STREAMS) {
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => service.newParticipant(1)))));
  }
  return made.slice(0, STREAMS);
};

interface Reader {
  /** When the next event has arrived. */
  next(): Promise<number>;
  close(): void;
}

/** A stream after its snapshot. */
const openReader = async (url: string, key: string): Promise<Reader> => {
  const request = get(`${url}/2022-04-15/dispatches/stream`, { agent: false, headers: { "x-service-api-key": key } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`);
  let text = "";
  let told: ((atMs: number) => void) | undefined;
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    if (blocks.some((block) => block.includes("event: "))) told?.(now());
  });
  const next = (): Promise<number> => new Promise((resolve) => (told = resolve));
  await next();
  return { next, close: () => void request.destroy() };
};
