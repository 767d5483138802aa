import { WrittenJson } from "../../platform/long-json.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, isRefusal, type Refusal, type Result } from "../../platform/refusal.js";
import { OBJECT_PREFIXES } from "../domain/stored-object.js";
import type { Openadr3Caller } from "./caller.js";
import type { ClientLimits } from "./client-volume.js";
import { keepAnswer, type NoteRehearsal } from "./dispatch-acts.js";
import type { ObjectDraft } from "./object-drafts.js";
import type { Created, Creation } from "./object-ports.js";
import type { Openadr3Stores } from "./openadr-3-stores.js";
import { renderedJson } from "./render-object.js";
import type { RoomForCreated } from "./room-for-created.js";
import { type ReportAnswer, unknownEvent } from "./take-report.js";

type OftenStores = Pick<Openadr3Stores, "openadr3Acts" | "openadr3Creations">;

export interface OftenPorts extends Pick<Ports<OftenStores>, "transact" | "clock" | "newId"> {
  /** Stores an object, perhaps with those of other requests; null if what it refers to is not there. */
  readonly store: (creation: Creation) => Promise<Created | null>;
  readonly room: Pick<RoomForCreated, "make">;
  readonly noteRehearsal: NoteRehearsal;
  readonly limits: ClientLimits;
}

/** Events and reports come at the rate of telemetry, have no unique names, and refer to one object. */
export const comesOften = ({ objectType }: ObjectDraft): boolean => objectType === "EVENT" || objectType === "REPORT";

/** Creates an event or report whose program or event the caller may see. */
export const createOften = async (
  ports: OftenPorts,
  caller: Openadr3Caller,
  draft: ObjectDraft,
  answer: ReportAnswer | null,
): Promise<Result<WrittenJson>> => {
  const creation = creationOf(ports, caller, draft);
  const created =
    answer === null
      ? ((await ports.store(creation)) ?? unknownReference(draft))
      : await storeWith(ports, caller, { creation, answer });
  if (isRefusal(created)) return created;
  await ports.room.make(caller, created);
  return new WrittenJson(Buffer.from(renderedJson(created.object, creation.bodyJson)));
};

const creationOf = (
  { clock, newId }: OftenPorts,
  { client: { id, environment } }: Openadr3Caller,
  draft: ObjectDraft,
): Creation => {
  const at = clock.now();
  const made = { id: newId(OBJECT_PREFIXES[draft.objectType]), environment, createdAt: at, modifiedAt: at };
  return {
    object: { ...draft, ...made, source: null, registeredAt: null },
    bodyJson: JSON.stringify(draft.body),
    writtenBy: id,
  };
};

interface Answering {
  readonly creation: Creation;
  readonly answer: ReportAnswer;
}

/** In one transaction with what the report answers to its dispatch. */
const storeWith = (
  ports: OftenPorts,
  { client }: Openadr3Caller,
  { creation, answer }: Answering,
): Promise<Result<Created>> =>
  ports.transact(async ({ openadr3Creations, openadr3Acts }) => {
    const [created = null] = await openadr3Creations.create([creation]);
    if (created === null) return unknownReference(creation.object);
    const { id: reportId, createdAt: at } = creation.object;
    await keepAnswer(ports, openadr3Acts, { client, answer, reportId, at });
    return created;
  });

/** What an event or report refers to is gone. */
const unknownReference = ({ objectType, programId, eventId }: ObjectDraft): Refusal =>
  objectType === "EVENT"
    ? invalid(`programID ${programId} is not that of a program; list the programs`)
    : unknownEvent(eventId);
