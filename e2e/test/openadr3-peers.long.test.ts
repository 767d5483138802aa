import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Openadr3Peer, openadr3Peers } from "./support/openadr3-peer.js";
import { newParticipant, newProgram, operate, type Participant, readPoints } from "./support/participant.js";
import { type PreparedService, preparedService } from "./support/prepared-service.js";

/** Those that can be driven here, each with an account of its own. */
interface Driven {
  readonly peer: Openadr3Peer;
  readonly participant: Participant;
  readonly venId: string;
}

const present = openadr3Peers.filter(({ missing }) => missing === null);
const driven = new Map<string, Driven>();
let service: PreparedService;

const secondsAway = (seconds: number): string => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

beforeAll(async () => {
  if (present.length === 0) return;
  service = await preparedService();
  const vtnUrl = service.lines.flatMap((line) => /^OpenADR 3.1: (\S+)/.exec(line)?.[1] ?? [])[0] ?? "";
  for (const kind of present) {
    const participant = await newParticipant(service.url, 1);
    const params = { id: participant.accountId };
    const client = await operate(service.url, operator.createOpenadrClient, { params, body: { name: kind.name } });
    const peer = await kind.start({ vtnUrl, id: client.id, secret: client.client_secret ?? "" });
    driven.set(kind.name, { peer, participant, venId: client.ven_id ?? "" });
  }
}, 120_000);

const drivenBy = (kind: { readonly name: string } | undefined): Driven => {
  const found = driven.get(kind?.name ?? "");
  if (found === undefined) throw new Error(`${kind?.name} was not started`);
  return found;
};

for (const { name, missing } of openadr3Peers) {
  const named = missing === null ? test : test.skip;

  describe(missing === null ? name : `${name} (${missing})`, () => {
    named("sees a dispatch when it is created, changed, ended early, and no more when it is cancelled", async () => {
      const { peer, participant } = drivenBy({ name });
      const program_id = await newProgram(service.url, { name: `Peak of ${name}` });
      const sites = participant.sites.map(({ id }) => ({ site_id: id, commitment: 120 }));
      const body = { program_id, start_time: secondsAway(-60), end_time: secondsAway(3600), sites };
      const { id } = await operate(service.url, operator.createDispatch, { body });
      const change = (changes: object) =>
        operate(service.url, operator.changeDispatch, { params: { id }, body: changes });
      const seen = async () => {
        const programs = await peer.do("programs");
        const program = programs.find(({ programName }: { programName: string }) => programName === `Peak of ${name}`);
        return program === undefined ? [] : peer.do("events", program.id);
      };
      await expect.poll(seen).toMatchObject([{ objectType: "EVENT", intervalPeriod: { duration: "PT1H1M" } }]);
      const [created] = await seen();
      expect(created.intervals[0].payloads).toContainEqual({ type: "DISPATCH_SETPOINT_RELATIVE", values: [-120] });
      await change({ end_time: secondsAway(7200) });
      await expect
        .poll(seen)
        .toMatchObject([{ id: created.id, intervalPeriod: { duration: expect.stringMatching(/^PT2H/) } }]);
      await change({ end_time: secondsAway(0) });
      await expect
        .poll(seen)
        .toMatchObject([{ id: created.id, intervalPeriod: { duration: expect.stringMatching(/^PT1M/) } }]);
      await change({ authorized: false, void_reason: "a test" });
      await expect.poll(seen).toEqual([]);
    });
  });
}

const [typescript, python] = openadr3Peers;

test.skipIf(typescript?.missing !== null)(
  "openadr-3-client sends a report that is found in GET /telemetry/kw",
  async () => {
    const { peer, participant, venId } = drivenBy(typescript);
    expect(await peer.do("vens")).toMatchObject([{ id: venId, objectType: "VEN" }]);
    const programs = await peer.do("programs");
    const telemetry = programs.find(({ programName }: { programName: string }) => programName === "Telemetry");
    const [request] = await peer.do("events", telemetry.id);
    const start = secondsAway(-600);
    const intervals = [{ id: 0, payloads: [{ type: "DEMAND", values: [412.5] }] }];
    const resourceName = request.reportDescriptors[0].targets?.[0] ?? participant.sites[0]?.id;
    const resources = [{ resourceName, intervalPeriod: { start, duration: "PT1M" }, intervals }];
    const report = { programID: telemetry.id, eventID: request.id, clientName: "ven", reportName: "load", resources };
    const made = await peer.do("report", report);
    expect(made).toMatchObject({ objectType: "REPORT", eventID: request.id });
    expect(await peer.do("reports")).toMatchObject([{ id: made.id }]);
    const points = await readPoints(service.url, participant, { start: secondsAway(-900), end: secondsAway(0) });
    expect([...points.values()].flat().map(({ value }) => value)).toEqual([412.5, 412.5]);
  },
);

test.skipIf(python?.missing !== null)(
  "oadr30, which asks for read_all alone, reads its ven and may not write",
  async () => {
    const { peer, venId, participant } = drivenBy(python);
    expect(await peer.do("ven", venId)).toMatchObject({ id: venId });
    const [program] = await peer.do("programs");
    expect(await peer.do("program", program.id)).toMatchObject({ id: program.id });
    expect(await peer.do("register", "another name")).toBeNull();
    const [event] = await peer.do("events");
    const report = { programID: program.id, eventID: event.id, resourceName: participant.sites[0]?.id };
    await peer.do("report", report);
    const { accountId: id } = participant;
    expect(await operate(service.url, operator.listOpenadrClients, { params: { id } })).toMatchObject({ items: [{}] });
  },
);
