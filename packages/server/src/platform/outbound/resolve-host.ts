import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { ATTEMPT_MS } from "../attempt.js";
import { remember } from "../remember.js";
import { Slots } from "../slots.js";
import type { Resolve } from "./address-guard.js";

export interface ResolverOptions {
  /** Name servers as `address:port`; defaults to the system's. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Callers that waited longer have given up and are skipped. */
  readonly waitMs?: number;
  /** A slower response does not delay other names any more. */
  readonly burstMs?: number;
}

type Addresses = Array<{ readonly address: string }>;

/** A server that does not respond is queried once more, for twice as long; both fit into an attempt. */
const QUERY_MS = 1500;
const TRIES = 2;
/** Name servers drop bursts: of a thousand names queried at once, nearly all answers were lost. */
const NAMES_AT_ONCE = 64;
const BURST_MS = 300;
/** More than most services have webhooks; redirects could lead to names without end. */
const MAX_REMEMBERED_NAMES = 10_000;

/**
 * Resolves names by the hosts file and DNS, not by `dns.lookup`: that uses four threads, so names that do not resolve
 * hold up all others (100 of them for 20 s). Here a name waits only for names of its kind: resolved last time, failed
 * last time, or new.
 */
export const hostResolver = (options: ResolverOptions = {}): Resolve => {
  const { servers, hostsFile = "/etc/hosts", waitMs = ATTEMPT_MS, burstMs = BURST_MS } = options;
  let resolver = newResolver(servers);
  const newLane = (): Slots => new Slots(NAMES_AT_ONCE, burstMs);
  const lanes = { resolved: newLane(), failed: newLane(), unknown: newLane() };
  const [resolved, failed] = [new Set<string>(), new Set<string>()];
  const laneOf = (name: string): Slots => {
    if (resolved.has(name)) return lanes.resolved;
    return failed.has(name) ? lanes.failed : lanes.unknown;
  };
  const lookUp = async (name: string): Promise<Addresses> => {
    const untilMs = performance.now() + waitMs;
    const found = await laneOf(name).run(async () =>
      performance.now() < untilMs ? query(resolver, name) : new NotResolved("ESERVFAIL"),
    );
    if (found instanceof NotResolved) {
      resolved.delete(name);
      remember(failed, name, MAX_REMEMBERED_NAMES);
      // The system's servers may have changed.
      if (found.code !== "ENOTFOUND") resolver = newResolver(servers);
      throw found;
    }
    failed.delete(name);
    remember(resolved, name, MAX_REMEMBERED_NAMES);
    return found;
  };
  const find = async (name: string): Promise<Addresses> => {
    const listed = await hostsEntries(hostsFile, name);
    return listed.length > 0 ? listed : lookUp(name);
  };
  const underWay = new Map<string, Promise<Addresses>>();
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    // Concurrent lookups of one name share the result: many webhooks may use the same host.
    const asked = underWay.get(name) ?? find(name).finally(() => underWay.delete(name));
    underWay.set(name, asked);
    return asked;
  };
};

const newResolver = (servers: readonly string[] | undefined): Resolver => {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
};

/** Read each time: the file is small, and changes should take effect. */
const hostsEntries = async (file: string, name: string): Promise<Addresses> => {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [{ address }] : [];
  });
};

class NotResolved extends Error {
  constructor(
    readonly code: "ENOTFOUND" | "ESERVFAIL",
    options?: ErrorOptions,
  ) {
    super(`the name could not be resolved: ${code}`, options);
  }
}

/** Queries both families; addresses of one are enough. */
const query = async (resolver: Resolver, name: string): Promise<Addresses | NotResolved> => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses.map((address) => ({ address }));
  const causes: unknown[] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  return new NotResolved(causes.every(isAnswer) ? "ENOTFOUND" : "ESERVFAIL", { cause: causes[0] });
};

/** Whether the answer is that the name, or an address of it, does not exist. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && ["ENOTFOUND", "ENODATA"].includes(String(Reflect.get(error, "code")));
