import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { swallowingEntries } from "@curtail/testing/swallowed-entries";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newBusinessLogic, newOpenadr3Ven, type Openadr3Client } from "./support/openadr3-client.js";
import { newParticipant, newProgram, operate, type Participant } from "./support/participant.js";
import { type ServiceProcess, startProcess } from "./support/service-process.js";
import { soakRounds } from "./support/soak.js";
import { eventsIn, newVen, openadrUrlOf, type Ven } from "./support/ven.js";
import { webSettings } from "./support/web-service.js";

/** 10,000 polls of participants: SOAK_ROUNDS=4. */
const ROUNDS = soakRounds(1);
const POLLERS = 8;
const HOUR_MS = 3_600_000;

let database: OwnDatabase;
let processes: ServiceProcess[];
let participant: Participant;
/** The same VEN at each process; business logic and a VEN of OpenADR 3.1. */
let vens: Ven[];
let logic: Openadr3Client[];
let gateways: Openadr3Client[];

beforeAll(async () => {
  database = await clonedDatabase();
  // Both processes certify VENs by the same authority.
  const settings = {
    ...(await webSettings(database)),
    CURTAIL_RATE_LIMIT_DISPATCHES: "1000000",
    CURTAIL_RATE_LIMIT: "1000000",
  };
  processes = [await startProcess(settings), await startProcess(settings)];
  participant = await newParticipant(addressOf(0), 1);
  const [first, second] = processes.map(openadrUrlOf);
  const ven = await newVen(addressOf(0), first ?? "", participant.accountId);
  vens = [ven, ven.at(second ?? "")];
  const [bl, gateway] = [
    await newBusinessLogic(addressOf(0)),
    await newOpenadr3Ven(addressOf(0), participant.accountId),
  ];
  logic = [bl, await bl.at(addressOf(1))];
  gateways = [gateway, await gateway.at(addressOf(1))];
});

afterAll(async () => {
  await Promise.all(processes.map((each) => each.end("SIGTERM")));
});

const addressOf = (index: number): string => processes[index % processes.length]?.url ?? "";

/** What is changed again and again through both processes, and polled at both. */
interface Changing {
  /** Makes the next change through a process; returns its number, which grows. */
  readonly change: (index: number) => Promise<number>;
  /** The number of the change that a poll of a process shows. */
  readonly poll: (index: number) => Promise<number>;
}

const newDispatch = async (pollFor: (dispatchId: string) => Changing["poll"]): Promise<Changing> => {
  const program_id = await newProgram(addressOf(0), { name: "Race" });
  const startMs = Date.now() + HOUR_MS;
  const timeAfter = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
  const { id } = await operate(addressOf(0), operator.createDispatch, {
    body: { program_id, start_time: timeAfter(0), sites: [{ site_id: participant.sites[0]?.id ?? "" }] },
  });
  return {
    poll: pollFor(id),
    async change(index) {
      const body = { end_time: timeAfter(HOUR_MS / 1000 + index) };
      return (await operate(addressOf(index), operator.changeDispatch, { params: { id }, body })).modification_number;
    },
  };
};

const dispatchOfParticipant = (): Promise<Changing> =>
  newDispatch((dispatchId) => async (index) => {
    const { dispatches } = await participantClient({ url: addressOf(index), key: participant.key }).call(
      listDispatches,
    );
    return dispatches.find(({ id }) => id === dispatchId)?.modification_number ?? -1;
  });

const dispatchOfVen = (): Promise<Changing> =>
  newDispatch((dispatchId) => async (index) => {
    const { text } = await (vens[index % vens.length] as Ven).poll();
    const event = eventsIn(text).find(([id]) => id === dispatchId);
    return Number(event?.[1] ?? -1);
  });

interface Event31 {
  readonly id: string;
  readonly eventName?: string;
}

const at = (clients: readonly Openadr3Client[], index: number) => clients[index % clients.length] as Openadr3Client;

/** An event of OpenADR 3.1 whose name is the number of its change. */
const eventOfLogic = async (): Promise<Changing> => {
  const { id: programID } = await at(logic, 0).call<{ id: string }>("POST", "/programs", {
    programName: crypto.randomUUID(),
  });
  const intervalPeriod = { start: new Date(Date.now() + HOUR_MS).toISOString(), duration: "PT1H" };
  const event = { programID, intervalPeriod, intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1] }] }] };
  const { id } = await at(logic, 0).call<Event31>("POST", "/events", { ...event, eventName: "0" });
  return {
    async change(index) {
      const changed = { ...event, eventName: String(index + 1) };
      return Number((await at(logic, index).call<Event31>("PUT", `/events/${id}`, changed)).eventName);
    },
    async poll(index) {
      const events = await at(gateways, index).call<readonly Event31[]>("GET", `/events?programID=${programID}`);
      return Number(events.find((each) => each.id === id)?.eventName ?? -1);
    },
  };
};

/**
 * Changes through one process after the other, while both are polled: so often, or until a poll is stale.
 *
 * @returns how many polls showed less than what was changed before they were sent
 */
const race = async (polls: number, { change, poll }: Changing, endsStale = false): Promise<number> => {
  let [changed, sent, stale] = [0, 0, 0];
  // On a busy machine changes are few.
  const isOver = (): boolean => (sent >= polls && changed > polls / 50) || (endsStale && stale > 0);
  const changeOften = async (): Promise<void> => {
    while (!isOver()) changed = await change(changed);
  };
  const pollOften = async (): Promise<void> => {
    while (!isOver()) {
      const known = changed;
      if ((await poll(sent++)) < known) stale += 1;
    }
  };
  await Promise.all([changeOften(), ...Array.from({ length: POLLERS }, pollOften)]);
  return stale;
};

describe.each([
  { who: "participants", changing: dispatchOfParticipant, polls: 2500 * ROUNDS },
  { who: "VENs", changing: dispatchOfVen, polls: 800 * ROUNDS },
  { who: "VENs of OpenADR 3.1", changing: eventOfLogic, polls: 2500 * ROUNDS },
])("polls of $who of two processes while what they ask for is changed through both", ({ changing, polls }) => {
  test("never show less than what was changed before they were sent", async () => {
    expect(await race(polls, await changing())).toBe(0);
  });

  test("do show less if the journal swallows entries: the race finds what it looks for", async () => {
    const made = await changing();
    expect(await swallowingEntries(database, () => race(1000, made, true))).toBeGreaterThan(0);
  });
});
