import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { operator } from "@curtail/contract";
import { Client } from "undici";
import type { BenchDatabase } from "./database.js";
import type { BenchService } from "./service.js";

/** Concurrent polls. */
const CONCURRENCY = 64;

/** PEM. */
export interface Trust {
  readonly key: string;
  readonly certificates: readonly string[];
  readonly ca: string;
}

/** By SQL: an account, a site and a VEN each. */
export const insertVens = async ({ pool }: BenchDatabase, count: number): Promise<void> => {
  const names = `select n, 'acc_' || n as account, 'site_' || n as site from generate_series(1, ${count}) as n`;
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
     select 'ven_' || n, account, 'ven-' || n, 'production', 'site_id', true, '*', 3600, now() from (${names}) as made`,
  );
  await pool.query("analyze");
};

/** A dispatch of all VENs' sites at a time in milliseconds. */
export const dispatchAll = async (
  service: BenchService,
  programId: string,
  {
    count,
    startMs,
    notificationMs,
  }: { readonly count: number; readonly startMs: number; readonly notificationMs?: number },
): Promise<void> => {
  const sites = Array.from({ length: count }, (_, index) => ({ site_id: `site_${index + 1}` }));
  const body = { program_id: programId, start_time: new Date(startMs).toISOString(), sites };
  const notification =
    notificationMs === undefined ? {} : { notification_time: new Date(notificationMs).toISOString() };
  await service.operate(operator.createDispatch, { body: { ...body, ...notification } });
};

export const newProgram = async (service: BenchService): Promise<string> => {
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  return (await service.operate(operator.createProgram, { body: program })).id;
};

/**
 * A certificate for each VEN, all with one key: creating a thousand keys takes minutes, and the handshake is the same.
 */
export const certify = async (service: BenchService, count: number): Promise<Trust> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-bench-key-"));
  const [key, csr] = [join(folder, "key.pem"), join(folder, "request.pem")];
  const what = ["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=ven", "-keyout", key, "-out", csr];
  await promisify(execFile)("openssl", what);
  const request = { csr: await readFile(csr, "utf8") };
  const certificates: string[] = [];
  let ca = "";
  for (let index = 1; index <= count; index++) {
    const issued = await service.operate(operator.certifyVen, { params: { id: `ven_${index}` }, body: request });
    if (!("certificate" in issued)) throw new Error("a link was answered instead of a certificate");
    certificates.push(issued.certificate);
    ca = issued.ca_certificate;
  }
  const trust = { key: await readFile(key, "utf8"), certificates, ca };
  await rm(folder, { recursive: true });
  return trust;
};

export const connect = (url: string, { key, certificates, ca }: Trust): Client[] =>
  certificates.map((cert) => new Client(url, { keepAliveTimeout: 60_000, connect: { key, cert, ca } }));

export const poll = async (ven: Client, index: number): Promise<string> => {
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
  if (statusCode !== 200) throw new Error(`a poll was answered ${statusCode} ${text}`);
  return text;
};

export const pollAll = async (vens: readonly Client[]): Promise<{ seconds: number; latenciesMs: number[] }> => {
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
