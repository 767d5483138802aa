import { participantClient } from "@curtail/client";
import { listDispatches, operator } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import { swallowingEntries } from "@curtail/testing/swallowed-entries";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
/** The same VEN at each process. */
let vens: Ven[];

beforeAll(async () => {
  database = await clonedDatabase();
  // Both processes certify VENs by the same authority.
  const settings = { ...(await webSettings(database)), CURTAIL_RATE_LIMIT_DISPATCHES: "1000000" };
  processes = [await startProcess(settings), await startProcess(settings)];
  participant = await newParticipant(addressOf(0), 1);
  const [first, second] = processes.map(openadrUrlOf);
  const ven = await newVen(addressOf(0), first ?? "", participant.accountId);
  vens = [ven, ven.at(second ?? "")];
});

afterAll(async () => {
  await Promise.all(processes.map((each) => each.end("SIGTERM")));
});

const addressOf = (index: number): string => processes[index % processes.length]?.url ?? "";

/** The modification of the dispatch that a poll of the process shows. */
type Poll = (index: number, dispatchId: string) => Promise<number>;

const pollOfParticipant: Poll = async (index, dispatchId) => {
  const { dispatches } = await participantClient({ url: addressOf(index), key: participant.key }).call(listDispatches);
  return dispatches.find(({ id }) => id === dispatchId)?.modification_number ?? -1;
};

const pollOfVen: Poll = async (index, dispatchId) => {
  const { text } = await (vens[index % vens.length] as Ven).poll();
  const event = eventsIn(text).find(([id]) => id === dispatchId);
  return Number(event?.[1] ?? -1);
};

interface Race {
  readonly polls: number;
  readonly changes: number;
  /** Polls that showed less than what was changed before they were sent. */
  readonly stale: number;
}

/** Changes a dispatch through one process after the other, while both are polled: so often, or until a poll is stale. */
const race = async (polls: number, poll: Poll, endsStale = false): Promise<Race> => {
  const program_id = await newProgram(addressOf(0), { name: "Race" });
  const startMs = Date.now() + HOUR_MS;
  const timeAfter = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
  const issued = await operate(addressOf(0), operator.createDispatch, {
    body: { program_id, start_time: timeAfter(0), sites: [{ site_id: participant.sites[0]?.id ?? "" }] },
  });
  let [changed, sent, stale] = [0, 0, 0];
  const isOver = (): boolean => sent >= polls || (endsStale && stale > 0);
  const change = async (): Promise<void> => {
    while (!isOver()) {
      const body = { end_time: timeAfter(HOUR_MS / 1000 + changed) };
      const { modification_number } = await operate(addressOf(changed), operator.changeDispatch, {
        params: { id: issued.id },
        body,
      });
      changed = modification_number;
    }
  };
  const pollOften = async (): Promise<void> => {
    while (!isOver()) {
      const known = changed;
      if ((await poll(sent++, issued.id)) < known) stale += 1;
    }
  };
  await Promise.all([change(), ...Array.from({ length: POLLERS }, pollOften)]);
  return { polls: sent, changes: changed, stale };
};

describe.each([
  { who: "participants", poll: pollOfParticipant, polls: 2500 * ROUNDS },
  { who: "VENs", poll: pollOfVen, polls: 800 * ROUNDS },
])("polls of $who of two processes while a dispatch is changed through both", ({ poll, polls }) => {
  test("never show less than what was changed before they were sent", async () => {
    const { polls: sent, changes, stale } = await race(polls, poll);
    expect(stale).toBe(0);
    expect([sent >= polls, changes > polls / 50]).toEqual([true, true]);
  });

  test("do show less if the journal swallows entries: the race finds what it looks for", async () => {
    const { stale } = await swallowingEntries(database, () => race(1000, poll, true));
    expect(stale).toBeGreaterThan(0);
  });
});
