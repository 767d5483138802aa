import type { Queryable } from "../../platform/database/database.js";
import { type Placed, pageOf, pageParameters } from "../../platform/database/page.js";
import { readAll, readFirst, readMap, readNumber, readPage } from "../../platform/database/read.js";
import type { SecretBox } from "../../platform/secret-box.js";
import type { OwnObjectStore } from "../operations/openadr-3-stores.js";
import { FOUND, foundWith, type ObjectRow, objectFromRow } from "./object-row.js";

const WITH_PLACE = foundWith(", openadr3_objects.seq");
const isOver = (now: string): string => `coalesce(openadr3_objects.transpires_at <= ${now}, false)`;
/** Of a program. */
const COUNT = (now: string): string => `(select count(*)::int from openadr3_objects as event
  where event.program_id = openadr3_objects.id and event.object_type = 'EVENT'
    and (event.transpires_at is null or event.transpires_at > ${now}))`;

/** Programs of dispatches and their events have a source. */
const IS_OWN = "openadr3_objects.source is null";

export const ownObjectStore = (db: Queryable, secrets: SecretBox): OwnObjectStore => {
  const fromRow = objectFromRow(secrets);
  return {
    find: (type, id) =>
      readFirst(db, fromRow, {
        text: `${FOUND} where ${IS_OWN} and openadr3_objects.object_type = $1 and openadr3_objects.id = $2`,
        values: [type, id],
      }),
    programs: (ids) =>
      readMap(db, (row: ObjectRow) => [row.id, fromRow(row)], `${FOUND} where openadr3_objects.id = any($1)`, [ids]),
    countEvents: (programId, now) =>
      readNumber(db, "event_count", `select ${COUNT("$2")} as event_count from openadr3_objects where id = $1`, [
        programId,
        now,
      ]),
    async listPrograms(environment, now, page) {
      const { rows } = await db.query<Placed<ObjectRow & { readonly event_count: number }>>(
        `${foundWith(`, openadr3_objects.seq, ${COUNT("$4")} as event_count`)}
         where ${IS_OWN} and openadr3_objects.environment = $3 and openadr3_objects.object_type = 'PROGRAM'
           and ($1::bigint is null or openadr3_objects.seq > $1)
         order by openadr3_objects.seq limit $2`,
        [...pageParameters(page), environment, now],
      );
      return pageOf(rows, page, (row) => ({ object: fromRow(row), eventCount: row.event_count }));
    },
    listEvents: ({ environment, programId, isOver: over, now }, page) =>
      readPage(db, page, fromRow, {
        text: `${WITH_PLACE}
         where ${IS_OWN} and openadr3_objects.environment = $3 and openadr3_objects.object_type = 'EVENT'
           and ($1::bigint is null or openadr3_objects.seq < $1)
           and ($4::text is null or openadr3_objects.program_id = $4)
           and ($5::boolean is null or ${isOver("$6")} = $5)
         order by openadr3_objects.seq desc limit $2`,
        values: [environment, programId, over, now],
      }),
    standing: (programId, now) =>
      readAll(db, fromRow, {
        text: `${FOUND} where openadr3_objects.program_id = $1 and openadr3_objects.object_type = 'EVENT'
           and not ${isOver("$2")}`,
        values: [programId, now],
      }),
    unknown: (kind, ids) =>
      readAll(db, ({ id }: { id: string }) => id, {
        text: `select id from unnest($1::text[]) as given (id) where id not in (select id from ${kind})`,
        values: [ids],
      }),
  };
};
