import {
  type Client,
  ErrorResponse,
  NoResponse,
  type Participant,
  participantClient,
  type Site,
} from "@curtail/client";
import type { Command } from "commander";
import { CommandFailure } from "../admin-io.js";
import { endOfCertificate } from "../certificate-of.js";
import { bad, type Check, good, reportChecks, warning } from "../check.js";
import type { Access } from "./access.js";
import {
  certificateCheck,
  clockCheck,
  keyCheck,
  type Reply,
  readingsCheck,
  type SiteReadings,
  schemeCheck,
  strangerCheck,
  unreachedCheck,
  webhooksCheck,
} from "./doctor-checks.js";
import { environmentOf } from "./environment-kind.js";
import { machineChecks } from "./machine.js";
import { proxyFor } from "./network.js";
import { onRun, participantCommand, type Run, reachedBy, withExamples } from "./participant-call.js";
import { failureOf, reasonOf } from "./participant-failure.js";
import type { ParticipantIo } from "./participant-io.js";
import { isOpenToOthers, profilesFile } from "./profiles.js";

export const doctorCommand = (io: ParticipantIo): Command => {
  const command = participantCommand(
    io,
    "doctor",
    "Check everything between this machine and the service, and what waits or runs here, and say what to do. Exit code 1: a check failed.",
  );
  return onRun(io, withExamples(command, "curtail doctor", "curtail doctor --profile sandbox --json"), doctor);
};

const doctor = async ({ io, access, connect, print }: Run<object>): Promise<void> => {
  const found = access();
  await reportChecks(print, { url: found.url }, checksOf(io, found, connect));
};

/** In the order in which they depend on each other: what cannot be reached is not asked. */
async function* checksOf(
  io: ParticipantIo,
  access: Access,
  connect: () => Promise<Participant>,
): AsyncGenerator<Check> {
  const { url, from } = access;
  yield keyFileCheck(io, from);
  yield* machineChecks(io);
  const proxy = proxyCheck(io, url);
  yield proxy.check;
  if (proxy.check.result === "failed") return;
  const asked = await firstReply(io, access, proxy.shown);
  yield asked.reached;
  if (asked.reply === null) return;
  yield schemeCheck(url) ??
    (proxy.shown === null ? await tlsCheck(url, io.now().getTime()) : good("tls", "behind the proxy"));
  yield clockCheck(asked.date, asked.sentMs, asked.arrivedMs);
  const key = keyCheck(asked.reply, from);
  yield key;
  if (key.result !== "ok") return;
  yield good("environment", environmentOf(access));
  try {
    yield* accountChecks(await connect(), io.now().getTime());
  } catch (error) {
    const failure = failureOf(error, access);
    if (failure === null) throw error;
    yield bad("account", failure.message, "try again later; if it stays, ask the operator");
  }
}

const proxyCheck = (io: ParticipantIo, url: string): { readonly check: Check; readonly shown: string | null } => {
  try {
    const proxy = proxyFor(url, io.environment);
    const shown = proxy === null ? null : withoutPassword(proxy);
    return { check: good("proxy", shown ?? "none for this address"), shown };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { check: bad("proxy", error.message, "correct the variable, or unset it"), shown: null };
  }
};

const withoutPassword = (proxy: string): string => {
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
};

const keyFileCheck = ({ configFolder }: ParticipantIo, from: string): Check => {
  const file = profilesFile(configFolder);
  if (!from.startsWith("profile")) return good("credentials", `from ${from}`);
  return isOpenToOthers(file)
    ? bad("credentials", `other users of this machine can read ${file}`, `chmod 600 ${file}`)
    : good("credentials", `${from} in ${file}`);
};

const TIMEOUT_MS = 10_000;

interface Asked {
  readonly reached: Check;
  /** Null if the service did not respond. */
  readonly reply: Reply | null;
  readonly date: string | null;
  readonly sentMs: number;
  readonly arrivedMs: number;
}

const firstReply = async (io: ParticipantIo, access: Access, proxy: string | null): Promise<Asked> => {
  const { url } = access;
  const client = participantClient({ ...(await reachedBy(io, access)), timeoutMs: TIMEOUT_MS });
  const sentMs = Date.now();
  try {
    const { status, headers, text } = await sitesResponse(client);
    const arrivedMs = Date.now();
    const reply = { status, location: headers.get("location"), body: text };
    const stranger = strangerCheck(url, reply);
    const reached = stranger ?? good("reachable", `${url} in ${arrivedMs - sentMs} ms`);
    return { reached, reply: stranger === null ? reply : null, date: headers.get("date"), sentMs, arrivedMs };
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    const reached = unreachedCheck({ url, why: reasonOf(error.cause), proxy });
    return { reached, reply: null, date: null, sentMs, arrivedMs: sentMs };
  }
};

const sitesResponse = async (client: Client) => {
  const response = await client.send({ method: "GET", path: "/sites" });
  const text = await response.text().catch((cause: unknown) => {
    throw new NoResponse("the response broke off", { cause });
  });
  return { status: response.status, headers: response.headers, text };
};

/** When the service's certificate ends; the request before found it trusted. */
const tlsCheck = async (url: string, nowMs: number): Promise<Check> => {
  const end = await endOfCertificate(url, TIMEOUT_MS);
  return end === null
    ? warning("tls", "the certificate could not be read", "check it with a browser")
    : certificateCheck(end, nowMs);
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
