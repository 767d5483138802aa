import type { ChildProcess } from "node:child_process";
import { ownCpuSeconds } from "./cpu.js";
import type { BenchCluster } from "./database.js";
import { type BenchVtn, clientsOf, eventBody, made, reportBody } from "./openadr3-vtn.js";
import { startOpenleadr, withoutOpenleadr } from "./openleadr.js";
import { counting, eachPart, type Spent, spentLines } from "./parts.js";
import { figure, median, ratio, report, spread } from "./report.js";
import { startService } from "./service.js";
import { requestText, sendLoad, startBare, startLoad } from "./socket-load.js";

const VENS = 200;
const EVENTS = 20;
const CONNECTIONS = 32;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 4);

/** Requests of many clients, sent one after the other. */
interface Job {
  readonly title: string;
  readonly one: string;
  /** Of the bare server's rate, and of that of openleadr-rs. */
  readonly target: { readonly bare: number; readonly peer: number };
  readonly requests: (vtn: Vtn) => readonly string[];
}

interface Vtn extends BenchVtn {
  readonly programId: string;
  readonly eventId: string;
}

const json = { "content-type": "application/json" };
const sent = ({ url }: Vtn, token: string, path: string, body: object): string =>
  requestText("POST", `${url}${path}`, { authorization: `Bearer ${token}`, ...json }, JSON.stringify(body));

const jobs: readonly Job[] = [
  {
    title: `${VENS} VENs poll ${EVENTS} events`,
    one: "poll",
    target: { bare: 0.35, peer: 3 },
    requests: ({ url, venTokens }) =>
      venTokens.map((token) => requestText("GET", `${url}/events`, { authorization: `Bearer ${token}` })),
  },
  {
    title: "VENs create reports of 100 intervals",
    one: "report",
    target: { bare: 0.1, peer: 0.7 },
    requests: (vtn) => vtn.venTokens.map((token) => sent(vtn, token, "/reports", reportBody(vtn.eventId))),
  },
  // Last: thousands of events are more than a service keeps in memory.
  {
    title: "business logic creates events of 24 intervals",
    one: "event",
    target: { bare: 0.1, peer: 0.7 },
    requests: (vtn) =>
      Array.from({ length: 50 }, (_, nth) => sent(vtn, vtn.token, "/events", eventBody(vtn.programId, nth))),
  },
];

/** Polls, events and reports of OpenADR 3.1, in turns with openleadr-rs, if it is there, and with a bare server. */
export const openadr3 = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_openadr3");
  // VENs that end their polls are an alarm each.
  const service = await startService(database, { log: "ignore" });
  const vtns = [await prepared(await clientsOf(service, VENS))];
  const others = withoutOpenleadr === null ? await cluster.fresh("bench_openleadr") : null;
  if (others === null) process.stdout.write(`\n${withoutOpenleadr}\n`);
  else vtns.push(await prepared(await startOpenleadr(others, VENS)));
  for (const job of jobs) await compared(cluster, job, vtns);
  for (const vtn of vtns) await vtn.stop();
  for (const each of [database, others]) await each?.drop();
};

const prepared = async (vtn: BenchVtn): Promise<Vtn> => {
  const programId = await made(vtn, "/programs", { programName: "Prices" });
  const eventIds: string[] = [];
  while (eventIds.length < EVENTS) eventIds.push(await made(vtn, "/events", eventBody(programId, eventIds.length)));
  return { ...vtn, programId, eventId: eventIds[0] ?? "" };
};

interface Round {
  readonly perSecond: number;
  readonly barePerSecond: number;
  /** For one request. */
  readonly spent: Spent;
  readonly bareCpu: number;
}

const compared = async (cluster: BenchCluster, job: Job, vtns: readonly Vtn[]): Promise<void> => {
  const load = startLoad();
  const rounds = vtns.map((): Round[] => []);
  const [first] = vtns;
  const bare = await startBare(...(await answeredBy(job, first)));
  const bareRequests = job.requests({ ...(first as Vtn), url: bare.url });
  // The first round is for connections, memory and compiling.
  for (let index = -1; index < ROUNDS; index++)
    for (const [nth, vtn] of vtns.entries()) {
      const round = await roundOf(cluster, load, vtn, job.requests(vtn));
      const before = ownCpuSeconds(bare.pid);
      const asked = await sendLoad(load, orderOf(bare.url, bareRequests));
      if (index < 0) continue;
      const bareCpu = (ownCpuSeconds(bare.pid) - before) / asked.count;
      rounds[nth]?.push({ ...round, barePerSecond: asked.count / asked.seconds, bareCpu });
    }
  for (const [nth, { name }] of vtns.entries()) tell(job, name, rounds[nth] ?? [], rounds[1] ?? null);
  load.disconnect();
  bare.stop();
};

const orderOf = (url: string, requests: readonly string[]) => ({
  url,
  requests,
  connections: CONNECTIONS,
  most: Number.MAX_SAFE_INTEGER,
  seconds: SECONDS,
});

/** What the client of this process adds by itself. */
const OWN = ["host", "content-length"];

/** What the service answers, for the bare server. */
const answeredBy = async (job: Job, vtn: Vtn | undefined): Promise<[Headers, string]> => {
  const [request = ""] = vtn === undefined ? [] : job.requests(vtn);
  const [head = "", body] = request.split("\r\n\r\n", 2);
  const [line = "", ...headers] = head.split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const answer = await fetch(new URL(path, vtn?.url), {
    method,
    headers: [
      ...headers.map((each) => each.split(": ", 2) as [string, string]).filter(([name]) => !OWN.includes(name)),
      ["accept-encoding", "identity"],
    ],
    ...(body === "" || body === undefined ? {} : { body }),
  });
  return [answer.headers, await answer.text()];
};

const roundOf = async (
  cluster: BenchCluster,
  load: ChildProcess,
  { url, pid }: Vtn,
  requests: readonly string[],
): Promise<Pick<Round, "perSecond" | "spent">> => {
  const spent = counting({ service: pid, database: cluster.pid, load: load.pid ?? 0 });
  const { count, seconds } = await sendLoad(load, orderOf(url, requests));
  const all = spent();
  return { perSecond: count / seconds, spent: eachPart((part) => all[part] / count) };
};

const tell = ({ title, one, target }: Job, name: string, rounds: readonly Round[], peer: readonly Round[] | null) => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const toBare = rounds.map((each) => each.perSecond / each.barePerSecond);
  const toPeer = rounds.map((each, nth) => each.perSecond / (peer?.[nth]?.perSecond ?? Number.NaN));
  const isPeer = peer === rounds;
  report(`${title}: ${name}`, {
    [`${one}s/s`]: Math.round(of((each) => each.perSecond)),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    "ratio to the bare server": isPeer ? figure(median(toBare)) : ratio(median(toBare), target.bare),
    ...(peer === null || isPeer
      ? {}
      : { "ratio to openleadr-rs": ratio(median(toPeer), target.peer), "ratio of each round": spread(toPeer) }),
    ...spentLines(rounds, 1, one),
    [`CPU µs per ${one}, bare server`]: figure(of(({ bareCpu }) => bareCpu) * 1e6),
  });
};
