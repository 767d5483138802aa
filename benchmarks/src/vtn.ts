import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operator } from "@curtail/contract";
import { Client } from "undici";
import { cpuSeconds } from "./cpu.js";
import type { BenchCluster, BenchDatabase } from "./database.js";
import { figure, median, percentile, ratio, report } from "./report.js";
import { type BenchService, startService } from "./service.js";

const VENS = 1000;
const ROUNDS = 20;
/** For handshakes, sending the event, and compiling. */
const WARM_UP_ROUNDS = 3;
/** Concurrent polls. */
const CONCURRENCY = 64;
const TARGET = 0.5;

/** PEM. */
interface Trust {
  readonly key: string;
  readonly certificates: readonly string[];
  readonly ca: string;
}

interface Round {
  readonly pollsPerSecond: number;
  readonly barePerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly serviceCpu: number;
  readonly databaseCpu: number;
}

/** Every VEN polls once per round over an open connection, in turns with the same request to a bare server. */
export const vtn = async (cluster: BenchCluster): Promise<void> => {
  const database = await cluster.fresh("bench_vtn");
  const service = await startService(database);
  await insertVens(database);
  await activeDispatch(service);
  const trust = await certify(service);
  const vens = connect(service.openadrUrl, trust);
  const [body] = await Promise.all(vens.slice(0, 1).map((ven) => poll(ven, 0)));
  const floor = await startFloor(service, trust.ca, body ?? "");
  const bare = connect(floor.url, trust);
  const rounds: Round[] = [];
  for (let index = -WARM_UP_ROUNDS; index < ROUNDS; index++) {
    const cpuBefore = [cpuSeconds(service.pid), cpuSeconds(cluster.pid)];
    const polled = await pollAll(vens);
    const cpuAfter = [cpuSeconds(service.pid), cpuSeconds(cluster.pid)];
    const asked = await pollAll(bare);
    if (index < 0) continue;
    rounds.push({
      pollsPerSecond: VENS / polled.seconds,
      barePerSecond: VENS / asked.seconds,
      latenciesMs: polled.latenciesMs,
      serviceCpu: (cpuAfter[0] ?? 0) - (cpuBefore[0] ?? 0),
      databaseCpu: (cpuAfter[1] ?? 0) - (cpuBefore[1] ?? 0),
    });
  }
  tell(rounds);
  await Promise.all([...vens, ...bare].map((client) => client.destroy()));
  floor.stop();
  await service.stop();
  await database.drop();
};

const tell = (rounds: readonly Round[]): void => {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs);
  const ratios = rounds.map((each) => each.pollsPerSecond / each.barePerSecond);
  report(`${VENS} VENs polling, one active event`, {
    "polls/s": Math.round(of((each) => each.pollsPerSecond)),
    "p50 ms": figure(median(latenciesMs)),
    "p99 ms": figure(percentile(latenciesMs, 0.99)),
    "bare server, answers/s": Math.round(of((each) => each.barePerSecond)),
    ratio: ratio(median(ratios), TARGET),
    "ratio of each round": ratios.map(figure).join(" "),
    "CPU µs per poll, service": figure((of((each) => each.serviceCpu) / VENS) * 1e6),
    "CPU µs per poll, database": figure((of((each) => each.databaseCpu) / VENS) * 1e6),
  });
};

/** By SQL: an account, a site and a VEN each. */
const insertVens = async ({ pool }: BenchDatabase): Promise<void> => {
  const names = `select n, 'acc_' || n as account, 'site_' || n as site from generate_series(1, ${VENS}) as n`;
  await pool.query(
    `insert into accounts (id, name, disabled, created_at) select account, account, false, now() from (${names}) as made`,
  );
  await pool.query(
    `insert into sites (id, account_id, name, customer_location_id, dispatch_group, timezone, created_at)
     select site, account, site, '', '', 'UTC', now() from (${names}) as made`,
  );
  await pool.query(
    `insert into vens (id, account_id, ven_id, environment, target_resource, target_ven_id, market_context,
       poll_interval_seconds, created_at)
     select 'ven_' || n, account, 'ven-' || n, 'production', 'site_id', true, '*', 60, now() from (${names}) as made`,
  );
  await pool.query("analyze");
};

const activeDispatch = async (service: BenchService): Promise<void> => {
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: program_id } = await service.operate(operator.createProgram, { body: program });
  const sites = Array.from({ length: VENS }, (_, index) => ({ site_id: `site_${index + 1}` }));
  const start_time = new Date(Date.now() + 1000).toISOString();
  await service.operate(operator.createDispatch, { body: { program_id, start_time, sites } });
};

/**
 * A certificate for each VEN, all with one key: creating a thousand keys takes minutes, and the handshake is the same.
 */
const certify = async (service: BenchService): Promise<Trust> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-bench-key-"));
  const [key, csr] = [join(folder, "key.pem"), join(folder, "request.pem")];
  const what = ["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=ven", "-keyout", key, "-out", csr];
  await promisify(execFile)("openssl", what);
  const request = { csr: await readFile(csr, "utf8") };
  const certificates: string[] = [];
  let ca = "";
  for (let index = 1; index <= VENS; index++) {
    const issued = await service.operate(operator.certifyVen, { params: { id: `ven_${index}` }, body: request });
    if (!("certificate" in issued)) throw new Error("a link was answered instead of a certificate");
    certificates.push(issued.certificate);
    ca = issued.ca_certificate;
  }
  const trust = { key: await readFile(key, "utf8"), certificates, ca };
  await rm(folder, { recursive: true });
  return trust;
};

const connect = (url: string, { key, certificates, ca }: Trust): Client[] =>
  certificates.map((cert) => new Client(url, { keepAliveTimeout: 60_000, connect: { key, cert, ca } }));

const poll = async (ven: Client, index: number): Promise<string> => {
  const venId = `ven-${index + 1}`;
  const { statusCode, body } = await ven.request({
    method: "POST",
    path: `/vtn/${venId}/OpenADR2/Simple/EiEvent`,
    headers: { "content-type": "application/xml" },
    body:
      '<oadr:oadrRequestEvent xmlns:oadr="http://openadr.org/oadr-2.0a/2012/07" ' +
      'xmlns:ei="http://docs.oasis-open.org/ns/energyinterop/201110" ' +
      'xmlns:pyld="http://docs.oasis-open.org/ns/energyinterop/201110/payloads"><pyld:eiRequestEvent>' +
      `<pyld:requestID>${index}</pyld:requestID><ei:venID>${venId}</ei:venID></pyld:eiRequestEvent></oadr:oadrRequestEvent>`,
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes("<oadr:oadrEvent>"))
    throw new Error(`a poll was answered ${statusCode} ${text}`);
  return text;
};

const pollAll = async (vens: readonly Client[]): Promise<{ seconds: number; latenciesMs: number[] }> => {
  const latenciesMs: number[] = [];
  const startedMs = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < vens.length; index = next++) {
      const ven = vens[index];
      const sentMs = performance.now();
      if (ven !== undefined) await poll(ven, index);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { seconds: (performance.now() - startedMs) / 1000, latenciesMs };
};

const startFloor = async (service: BenchService, authority: string, body: string) => {
  const child = fork(fileURLToPath(new URL("./vtn-floor.js", import.meta.url)));
  // The service's own key and certificate.
  const server = await readFile(join(service.dataDir, "openadr", "server.pem"), "utf8");
  child.send({ key: server, certificate: server, authority, body });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { url: `https://127.0.0.1:${port}`, stop: () => child.disconnect() };
};
