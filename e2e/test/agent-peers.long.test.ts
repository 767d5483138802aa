import { join } from "node:path";
import { Agent, createLog, parseConfig, ServiceKey, SpoolingSink } from "@curtail/agent";
import { createParticipant } from "@curtail/client";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { beforeAll, describe, expect, test } from "vitest";
import { type AgentPeer, type PeerKind, peerKinds } from "./support/agent-peer.js";
import { BEGINS_BEFORE_MS, fastClock } from "./support/fast-agent.js";
import { newParticipant, newProgram, operate, type Participant, readPoints, type Site } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";
import { temporaryFolder } from "./support/service-process.js";

/** A site whose meter and limit are at one peer. */
interface PeerSite {
  readonly kind: PeerKind;
  readonly peer: AgentPeer;
  readonly site: Site;
}

let service: PreparedService;
let participant: Participant;
let sites: readonly PeerSite[];
let dispatchId: string;

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const siteConfig = ({ kind: { normal }, peer: { source, target }, site }: PeerSite) => ({
  id: site.id,
  control: { contact: { lost_after: "1m", action: "level" } },
  meters: [{ id: site.meterId, unit: "kW", range: [0, 1000], interval: "30s", poll: "1s", source }],
  outputs: [{ name: "limit", to: target, curtail: "commitment", full: 10, normal, failsafe: 60, repeat: "1h" }],
});

const startAgent = async (state: string): Promise<void> => {
  const text = JSON.stringify({
    service: { url: service.url, key: participant.key, poll: "1s" },
    state,
    status: false,
    connections: Object.fromEntries(sites.map(({ kind, peer }) => [kind.name, peer.connection])),
    sites: sites.map(siteConfig),
  });
  const read = parseConfig(text, { environment: {}, readText: () => "" });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const clock = fastClock();
  const key = new ServiceKey(read.config.service, clock.monotonic);
  const access = createParticipant({ ...key.access, retry: { attempts: 1 } });
  const sink = await SpoolingSink.open(join(state, "spool"), access);
  const agent = new Agent(read.config, { clock, sink, key, log: createLog("words", () => {}, clock.now) });
  await agent.start();
  atEnd(() => agent.stop());
};

beforeAll(async () => {
  const folder = await temporaryFolder();
  atEnd(() => folder.remove());
  service = await preparedService();
  const kinds = peerKinds.filter(({ missing }) => missing === null);
  participant = await newParticipant(service.url, kinds.length);
  sites = await Promise.all(
    participant.sites.map(async (site, index) => {
      const kind = kinds[index] ?? peerKinds[0];
      if (kind === undefined) throw new Error("there are more sites than peers");
      const peer = await kind.start(folder.path);
      atEnd(() => peer.stop());
      return { kind, peer, site };
    }),
  );
  const program_id = await newProgram(service.url);
  const start_time = `${ago(2 * BEGINS_BEFORE_MS).slice(0, 19)}Z`;
  const called = participant.sites.map(({ id }) => ({ site_id: id, commitment: 120 }));
  const body = { program_id, start_time, sites: called, confirm_past: true };
  ({ id: dispatchId } = await operate(service.url, operator.createDispatch, { body }));
  await startAgent(join(folder.path, "state"));
}, 120_000);

/** Tests what a peer shows; skipped where it is not installed. */
const withEach = (name: (peer: string) => string, look: (site: PeerSite) => Promise<void>): void => {
  for (const kind of peerKinds) {
    const named = kind.missing === null ? test : test.skip;
    named(`${name(kind.name)}${kind.missing === null ? "" : ` (${kind.missing})`}`, async () => {
      const found = sites.find((each) => each.kind === kind);
      if (found === undefined) throw new Error(`${kind.name} has no site`);
      await look(found);
    });
  }
};

withEach(
  (peer) => `a dispatch is written over ${peer}`,
  async ({ peer }) => {
    await expect.poll(() => peer.held()).toBe(120);
  },
);

withEach(
  (peer) => `the values of a meter over ${peer} become readings`,
  async ({ site }) => {
    const window = { start: ago(BEGINS_BEFORE_MS), end: ago(0) };
    const stored = async () => (await readPoints(service.url, participant, window)).get(site.meterId) ?? [];
    await expect.poll(async () => (await stored()).length).toBeGreaterThan(0);
    expect(new Set((await stored()).map(({ value }) => value))).toEqual(new Set([420]));
  },
);

describe("once the dispatch is cancelled", () => {
  beforeAll(async () => {
    await operate(service.url, operator.changeDispatch, { params: { id: dispatchId }, body: { authorized: false } });
  });

  withEach(
    (peer) => `the normal value is written over ${peer}`,
    async ({ kind, peer }) => {
      await expect.poll(() => peer.held()).toBe(kind.normal === "release" ? null : kind.normal);
    },
  );
});

describe("without the service", () => {
  beforeAll(async () => {
    await service.end("SIGKILL");
  });

  withEach(
    (peer) => `the fail-safe is written over ${peer}`,
    async ({ peer }) => {
      await expect.poll(() => peer.held()).toBe(60);
    },
  );
});
