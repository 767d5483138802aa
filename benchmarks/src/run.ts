import { uploadsOfBatteries } from "./batteries.js";
import { besideDead } from "./beside-dead.js";
import { chart } from "./chart.js";
import { startCluster } from "./database.js";
import { energy } from "./energy.js";
import { fanout, many, thousand } from "./fanout.js";
import { growth } from "./growth.js";
import { bulk, ingest, live } from "./ingest.js";
import { journal } from "./journal.js";
import { largeDispatch } from "./large-dispatch.js";
import { measure } from "./measure.js";
import { measureMany } from "./measure-many.js";
import { million } from "./million.js";
import { mqtt } from "./mqtt.js";
import { openBoard } from "./open-board.js";
import { openadr3 } from "./openadr3.js";
import { operations } from "./operations.js";
import { pace } from "./pace.js";
import { packed } from "./packed.js";
import { pages } from "./pages.js";
import { peers } from "./peers.js";
import { polls } from "./polls.js";
import { pollsAfterChange } from "./polls-after-change.js";
import { manySites, oneSite, read } from "./read.js";
import { reports } from "./reports.js";
import { single } from "./single.js";
import { soak } from "./soak.js";
import { streams } from "./streams.js";
import { sustained } from "./sustained.js";
import { vtn } from "./vtn.js";
import { vtnBeside } from "./vtn-beside.js";
import { year } from "./year.js";

const parts = {
  bulk: (cluster) => ingest(cluster, bulk),
  live: (cluster) => ingest(cluster, live),
  batteries: uploadsOfBatteries,
  single,
  "one-site": (cluster) => read(cluster, oneSite),
  "many-sites": (cluster) => read(cluster, manySites),
  soak,
  sustained,
  pace,
  fanout: async (cluster) => {
    await fanout(cluster, thousand);
    await fanout(cluster, many);
  },
  streams,
  mqtt,
  "beside-dead": besideDead,
  polls,
  "polls-after-change": pollsAfterChange,
  vtn,
  "vtn-beside": vtnBeside,
  openadr3,
  measure,
  "measure-many": measureMany,
  operations,
  "large-dispatch": largeDispatch,
  reports,
  energy,
  journal,
  packed,
  growth,
  peers,
  chart,
  pages,
  "open-board": openBoard,
  million,
  year,
} satisfies Record<string, (cluster: Awaited<ReturnType<typeof startCluster>>) => Promise<void>>;

/** Run without a name; the others take longer, and have scripts of their own: `bench:fanout` and so on. */
const usual = ["bulk", "live", "one-site", "many-sites"];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : usual;
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined)
  throw new Error(`there is no benchmark ${unknown}; choose from ${Object.keys(parts).join(", ")}`);

const cluster = await startCluster();
try {
  for (const [name, run] of Object.entries(parts)) if (wanted.includes(name)) await run(cluster);
} finally {
  await cluster.stop();
}
