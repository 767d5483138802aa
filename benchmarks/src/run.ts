import { startCluster } from "./database.js";
import { bulk, ingest, live } from "./ingest.js";
import { manySites, oneSite, read } from "./read.js";

const parts = {
  bulk: (cluster) => ingest(cluster, bulk),
  live: (cluster) => ingest(cluster, live),
  "one-site": (cluster) => read(cluster, oneSite),
  "many-sites": (cluster) => read(cluster, manySites),
} satisfies Record<string, (cluster: Awaited<ReturnType<typeof startCluster>>) => Promise<void>>;

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined)
  throw new Error(`there is no benchmark ${unknown}; choose from ${Object.keys(parts).join(", ")}`);

const cluster = await startCluster();
try {
  for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await run(cluster);
} finally {
  await cluster.stop();
}
