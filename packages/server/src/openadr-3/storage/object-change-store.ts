import type { Row } from "../../platform/database/columns.js";
import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import { journal } from "../../platform/database/journal.js";
import type { ObjectChange } from "../domain/stored-object.js";
import type { ObjectChangeStore } from "../operations/object-ports.js";

export const objectChangeStore = (db: Queryable): ObjectChangeStore => ({
  async append(changes) {
    if (changes.length === 0) return [];
    // In the given order: subscribers receive them in the order of `seq`.
    const { rows } = await db.query<Row<"openadr3_changes", "seq">>(
      `insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, client_id,
         program_id, ven_id, source, source_id, written_by, kept_targets, at)
       select environment, operation, "objectType", "objectId", object, targets, "clientId", "programId", "venId", kind,
         "sourceId", "writtenBy", "keptTargets", at
       from jsonb_to_recordset($1::jsonb) as given (place int, environment text, operation text, "objectType" text,
         "objectId" text, object jsonb, targets text[], "clientId" text, "programId" text, "venId" text, kind text,
         "sourceId" text, "writtenBy" text, "keptTargets" text[], at timestamptz)
       order by place returning seq`,
      [JSON.stringify(changes.map(toRecord))],
    );
    appended(db, "openadr3.change");
    const numbers = rows.map(({ seq }) => seq);
    await noteObjects(db, changes, numbers);
    return numbers;
  },
});

const noteObjects = async (
  db: Queryable,
  changes: readonly ObjectChange[],
  numbers: readonly number[],
): Promise<void> => {
  const at = changes.findLastIndex(({ object }) => object.objectType !== "REPORT");
  const [change, ref] = [changes[at], numbers[at]];
  if (change === undefined || ref === undefined) return;
  const left = changes.flatMap(({ movedFrom }) => movedFrom ?? []);
  await journal(db).append(
    ["", ...new Set(left)].map((subject) => ({ at: change.at, kind: "openadr3.objects" as const, subject, ref })),
  );
};

const toRecord = ({ operation, object, told, writtenBy, keptTargets, at }: ObjectChange, place: number) => ({
  place,
  environment: object.environment,
  operation,
  objectType: object.objectType,
  objectId: object.id,
  object: told,
  targets: object.audience,
  clientId: object.clientId,
  programId: object.programId,
  venId: object.venId,
  kind: object.source?.kind,
  sourceId: object.source?.id,
  writtenBy,
  keptTargets,
  at,
});
