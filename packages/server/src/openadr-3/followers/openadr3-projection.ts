import type { Retailer } from "@curtail/openadr-3";
import type { Clock, NewId } from "../../platform/clock.js";
import type { Follower } from "../../platform/follower.js";
import type { JournalEntry, JournalKind } from "../../platform/journal.js";
import { PROJECTION } from "../domain/projection.js";
import { projectAccount, projectRehearsal } from "../operations/project-account.js";
import { projectDispatch } from "../operations/project-events.js";
import { projectPrograms } from "../operations/project-programs.js";
import type { RehearsalSources } from "../operations/projection-ports.js";
import type { Projecting, ProjectingStores } from "../operations/record-projection.js";

export interface ProjectionPorts {
  readonly rehearsals: RehearsalSources;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly retailer: Retailer;
}

const programKinds: readonly JournalKind[] = ["program.create", "program.change", "openadr3.settings", "demo.remove"];
const dispatchKinds: readonly JournalKind[] = ["dispatch.notified", "openadr3.lapsing"];
/** About accounts, and what accounts have. */
const accountKinds: readonly JournalKind[] = [
  "account.change",
  "site.create",
  "site.change",
  "meter.create",
  "meter.change",
  "openadr3_client.create",
  "openadr3_client.change",
  "openadr3_client.revoke",
  "scenario.play",
  "scenario.end",
];

/** Makes objects of OpenADR follow our programs, sites, clients, dispatches and scenarios. */
export const openadr3Projection = (ports: ProjectionPorts): Follower<ProjectingStores> => {
  const { clock, newId, rehearsals } = ports;
  const now = (): Projecting => ({ environment: "production", at: clock.now(), newId });
  const account = async (stores: ProjectingStores, projecting: Projecting, id: string): Promise<boolean> => {
    const changed = await projectAccount(stores, projecting, id);
    const rehearsal = await rehearsals.rehearsalOf(id, projecting.at);
    return (await projectRehearsal(stores, { ...projecting, environment: "sandbox" }, rehearsal)) || changed;
  };
  return {
    name: PROJECTION,
    stream: "journal",
    kinds: [...programKinds, ...accountKinds, ...dispatchKinds],
    by: "subject",
    atOnce: 50,
    behindAfterSeconds: 15,
    async handle(entries, { stores }) {
      const projecting = now();
      if (of(entries, programKinds).length > 0) await programs(stores, projecting, ports.retailer);
      const rehearsed = of(entries, dispatchKinds).filter(({ environment }) => environment === "sandbox");
      const accountIds = await accountsOf(stores, [...of(entries, accountKinds), ...rehearsed]);
      for (const id of accountIds) await account(stores, projecting, id);
      const dispatched = of(entries, dispatchKinds).filter(({ environment }) => environment === "production");
      for (const id of new Set(dispatched.map(({ subject }) => subject))) await projectDispatch(stores, projecting, id);
      return { more: false };
    },
    async rebuild({ stores }) {
      const projecting = now();
      const changes = [await programs(stores, projecting, ports.retailer)];
      for (const id of await stores.openadr3Sources.accountsWithVens())
        changes.push(await account(stores, projecting, id));
      for (const id of await stores.openadr3Sources.dispatchesWithEvents())
        changes.push(await projectDispatch(stores, projecting, id));
      return changes.includes(true);
    },
  };
};

const of = (entries: readonly JournalEntry[], kinds: readonly string[]): readonly JournalEntry[] =>
  entries.filter(({ kind }) => kinds.includes(kind));

/** Of a scenario or its dispatch the entry says it: their tables are those of the sandbox. */
const accountsOf = (stores: ProjectingStores, entries: readonly JournalEntry[]): Promise<readonly string[]> =>
  stores.openadr3Sources.accountsOf(
    entries.flatMap(({ environment, subject, accounts }) => (environment === "sandbox" ? (accounts ?? []) : [subject])),
  );

const programs = async (stores: ProjectingStores, projecting: Projecting, retailer: Retailer): Promise<boolean> => {
  const production = await projectPrograms(stores, projecting, retailer);
  return (await projectPrograms(stores, { ...projecting, environment: "sandbox" }, retailer)) || production;
};
