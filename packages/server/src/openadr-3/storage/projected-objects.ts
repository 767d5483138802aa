import type { Queryable } from "../../platform/database/database.js";
import { readAll } from "../../platform/database/read.js";
import { grouped } from "../../platform/grouped.js";
import type { SecretBox } from "../../platform/secret-box.js";
import type { StoredObject } from "../domain/stored-object.js";
import type { ProjectedObjects } from "../operations/projection-ports.js";
import { FOUND, objectFromRow } from "./object-row.js";

interface NameRow {
  readonly ven_id: string;
  readonly name: string;
}

/** The columns of many objects, as JSON. */
const GIVEN = `jsonb_to_recordset($1::jsonb) as given (id text, environment text, "objectType" text, "clientId" text,
  "programId" text, "venId" text, name text, targets text[], "transpiresAt" timestamptz, body jsonb, kind text,
  "sourceId" text, "createdAt" timestamptz, "modifiedAt" timestamptz)`;

export const projectedObjects = (db: Queryable, secrets: SecretBox): ProjectedObjects => {
  const fromRow = objectFromRow(secrets);
  const found = (condition: string, values: readonly unknown[]) =>
    readAll(db, fromRow, {
      text: `${FOUND} where openadr3_objects.source is not null and ${condition} order by openadr3_objects.seq`,
      values: [...values],
    });
  return {
    programs: (environment) =>
      found("openadr3_objects.environment = $1 and openadr3_objects.object_type = 'PROGRAM'", [environment]),
    ofVens: (venIds, { now, dispatchIds }) =>
      found(
        `openadr3_objects.ven_id = any($1) and (openadr3_objects.source <> 'dispatch'
           or openadr3_objects.transpires_at is null or openadr3_objects.transpires_at > $2
           or openadr3_objects.source_id = any($3))`,
        [venIds, now, dispatchIds],
      ),
    resourcesOf: (venIds) =>
      found("openadr3_objects.ven_id = any($1) and openadr3_objects.object_type = 'RESOURCE'", [venIds]),
    eventsOf: (environment, dispatchIds) =>
      found(
        `openadr3_objects.environment = $1 and openadr3_objects.object_type = 'EVENT'
           and openadr3_objects.source = 'dispatch' and openadr3_objects.source_id = any($2)`,
        [environment, dispatchIds],
      ),
    async takenPrograms(environment) {
      const { rows } = await db.query<NameRow>(
        "select name from openadr3_objects where environment = $1 and object_type = 'PROGRAM' and source is null",
        [environment],
      );
      return new Set(rows.map(({ name }) => name));
    },
    async takenResources(venIds) {
      const { rows } = await db.query<NameRow>(
        `select ven_id, name from openadr3_objects
         where ven_id = any($1) and object_type = 'RESOURCE' and source is null`,
        [venIds],
      );
      return new Map(
        [...grouped(rows, ({ ven_id }) => ven_id)].map(([venId, names]) => [
          venId,
          new Set(names.map(({ name }) => name)),
        ]),
      );
    },
    async insertAll(objects) {
      await db.query(
        `insert into openadr3_objects (id, environment, object_type, client_id, program_id, ven_id, name, targets,
           transpires_at, body, source, source_id, created_at, modified_at)
         select id, environment, "objectType", "clientId", "programId", "venId", name, targets, "transpiresAt", body,
           kind, "sourceId", "createdAt", "modifiedAt"
         from ${GIVEN}`,
        [given(objects)],
      );
    },
    async saveAll(objects) {
      // Objects may exchange their names, which are unique at every moment.
      await db.query("update openadr3_objects set name = id where id = any($1) and object_type <> 'EVENT'", [
        objects.map(({ id }) => id),
      ]);
      await db.query(
        `update openadr3_objects set client_id = "clientId", program_id = "programId", name = given.name,
           targets = given.targets, transpires_at = "transpiresAt", body = given.body, modified_at = "modifiedAt"
         from ${GIVEN} where openadr3_objects.id = given.id`,
        [given(objects)],
      );
    },
  };
};

const given = (objects: readonly StoredObject[]): string =>
  JSON.stringify(objects.map(({ source, ...object }) => ({ ...object, kind: source?.kind, sourceId: source?.id })));
