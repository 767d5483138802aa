import { connect as connectTls } from "node:tls";
import { ErrorResponse, NoResponse, type Participant, participantClient, type Site } from "@curtail/client";
import type { Command } from "commander";
import { harmless } from "../human-form.js";
import type { Access } from "./access.js";
import {
  bad,
  type Check,
  certificateCheck,
  clockCheck,
  good,
  readingsCheck,
  type SiteReadings,
  schemeCheck,
  warning,
  webhooksCheck,
} from "./doctor-checks.js";
import { environmentOf } from "./environment-kind.js";
import { proxyFor } from "./network.js";
import { onRun, participantCommand, type Run, reachedBy, unsuccessful, withExamples } from "./participant-call.js";
import { reasonOf } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import { isOpenToOthers, profilesFile } from "./profiles.js";

export const doctorCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "doctor",
    "Check everything between this machine and the service, and say what to do. Exit code 1: a check failed.",
  );
  return onRun(io, withExamples(command, "curtail doctor", "curtail doctor --profile sandbox --json"), doctor);
};

const doctor = async ({ io, access, connect, print }: Run<object>): Promise<void> => {
  const checks: Check[] = [];
  const found = access();
  for await (const check of checksOf(io, found, connect)) {
    checks.push(check);
    if (!print.isJson) print.line(checkLine(check));
  }
  if (print.isJson) print.line(JSON.stringify({ url: found.url, checks }));
  const failed = checks.filter(({ result }) => result === "failed").length;
  if (failed > 0) throw unsuccessful(failed === 1 ? "a check failed" : `${failed} checks failed`);
};

const signs = { ok: "ok     ", warning: "warning", failed: "failed " } as const;

const checkLine = ({ name, result, detail, advice }: Check): string => {
  const line = `${signs[result]}  ${name.padEnd(12)} ${harmless(detail)}`;
  return advice === null ? line : `${line}\n${" ".repeat(22)} ${advice}`;
};

/** In the order in which they depend on each other: what cannot be reached is not asked. */
async function* checksOf(
  io: ParticipantIo,
  access: Access,
  connect: () => Promise<Participant>,
): AsyncGenerator<Check> {
  const { url, from } = access;
  yield keyFileCheck(io, from);
  const proxy = proxyFor(url, io.environment);
  yield good("proxy", proxy === null ? "none for this address" : withoutPassword(proxy));
  const reply = await firstReply(io, access);
  yield reply.reached;
  if (reply.response === null) return;
  yield schemeCheck(url) ??
    (proxy === null ? await tlsCheck(url, io.now().getTime()) : good("tls", "behind the proxy"));
  yield clockCheck(reply.response.headers.get("date"), reply.sentMs, reply.arrivedMs);
  const key = keyCheck(reply.response, from);
  yield key;
  if (key.result !== "ok") return;
  yield good("environment", environmentOf(access));
  yield* accountChecks(await connect(), io.now().getTime());
}

const keyFileCheck = ({ configFolder }: ParticipantIo, from: string): Check => {
  const file = profilesFile(configFolder);
  if (!from.startsWith("profile")) return good("credentials", `from ${from}`);
  return isOpenToOthers(file)
    ? bad("credentials", `other users of this machine can read ${file}`, `chmod 600 ${file}`)
    : good("credentials", `${from} in ${file}`);
};

const withoutPassword = (proxy: string): string => {
  if (!URL.canParse(proxy)) return "not an address";
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
};

const TIMEOUT_MS = 10_000;

const firstReply = async (io: ParticipantIo, access: Access) => {
  const { url } = access;
  const client = participantClient({ ...(await reachedBy(io, access)), timeoutMs: TIMEOUT_MS });
  const sentMs = Date.now();
  try {
    const response = await client.send({ method: "GET", path: "/sites" });
    const [arrivedMs, text] = [Date.now(), await response.text()];
    const reached = isOurs(response, text)
      ? good("reachable", `${url} in ${arrivedMs - sentMs} ms`)
      : bad("reachable", `${url} is not the service: it responded with ${response.status}`, "check the address");
    return { reached, response: reached.result === "ok" ? response : null, sentMs, arrivedMs };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    const why = reasonOf(error.cause);
    return { reached: bad("reachable", `${url}: ${why}`, adviceFor(why)), response: null, sentMs, arrivedMs: sentMs };
  }
};

const isOurs = ({ status }: Response, text: string): boolean => {
  if (status === 404) return false;
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return status === 200 ? Array.isArray(body["sites"]) : typeof body["message"] === "string";
  } catch {
    return false;
  }
};

const adviceFor = (why: string): string => {
  if (why.startsWith("ENOTFOUND") || why.startsWith("EAI_"))
    return "the name is unknown: check the address and the DNS server";
  if (why.startsWith("ECONNREFUSED")) return "nothing listens there: check the address and port";
  if (/CERT|SELF_SIGNED|VERIFY/.test(why))
    return "the certificate is not trusted; if your company has its own authority, set NODE_EXTRA_CA_CERTS to its file";
  return "check the network, the firewall and the proxy (HTTPS_PROXY, NO_PROXY)";
};

/** When the service's certificate ends; the request before found it trusted. */
const tlsCheck = (url: string, nowMs: number): Promise<Check> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const socket = connectTls({ host, port: Number(port || 443), servername: host, timeout: TIMEOUT_MS });
    const end = (check: Check): void => {
      socket.destroy();
      resolve(check);
    };
    socket.once("secureConnect", () => end(certificateCheck(socket.getPeerCertificate().valid_to, nowMs)));
    const failed = () => end(warning("tls", "the certificate could not be read", "check it with a browser"));
    socket.once("error", failed).once("timeout", failed);
  });

const keyCheck = ({ status }: Response, from: string): Check => {
  if (status === 200) return good("key", "accepted");
  if (status === 401)
    return bad("key", `refused; it is from ${from}`, "ask the operator for a new one, then `curtail login`");
  return bad("key", `the service responded with ${status}`, "try again later; if it stays, ask the operator");
};

async function* accountChecks(participant: Participant, nowMs: number): AsyncGenerator<Check> {
  const { sites } = await participant.listSites();
  const meters = sites.reduce((sum, site) => sum + site.meters.length, 0);
  if (sites.length === 0)
    return yield warning("sites", "none", "ask the operator to create your sites: dispatches only name those");
  yield good("sites", `${sites.length} with ${meters} meters`);
  yield readingsCheck(await newestReadings(participant, sites, nowMs), nowMs);
  try {
    yield webhooksCheck((await participant.listWebhooks()).webhooks);
  } catch (error) {
    // The sandbox's public key has none.
    if (!(error instanceof ErrorResponse) || error.status >= 500) throw error;
    yield good("webhooks", "not offered to this key");
  }
}

const DAY_MS = 86_400_000;
const INTERVAL_SECONDS = 300;
/** As many as one request may ask for. */
const MAX_SITES = 50;

const newestReadings = async (
  participant: Participant,
  sites: readonly Site[],
  nowMs: number,
): Promise<readonly SiteReadings[]> => {
  const some = sites.slice(0, MAX_SITES);
  const { data } = await participant.readTelemetry({
    site_id: some.map(({ id }) => id),
    start_time: new Date(nowMs - DAY_MS).toISOString(),
    end_time: new Date(nowMs).toISOString(),
    interval_seconds: INTERVAL_SECONDS,
  });
  return some.map(({ id, name, meters }) => {
    const read = data.sites.find((site) => site.site_id === id)?.meters ?? [];
    const times = read.map(({ telemetry }) => Date.parse(telemetry.at(-1)?.timestamp ?? ""));
    return { name, meters: meters.length, newestMs: times.reduce<number | null>(later, null) };
  });
};

const later = (a: number | null, b: number): number | null => (Number.isNaN(b) ? a : Math.max(a ?? b, b));
