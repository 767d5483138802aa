import { appended } from "../../platform/database/commits.js";
import type { Queryable } from "../../platform/database/database.js";
import type { Created, Creation, ObjectCreations } from "../operations/object-ports.js";
import { renderObject } from "../operations/render-object.js";

interface CreatedRow {
  readonly place: number;
  readonly audience: readonly string[];
  readonly report_bytes: number | null;
  readonly change_bytes: number;
}

/** What `create` is given, as rows. */
const GIVEN = `jsonb_to_recordset($1::jsonb) as given (place int, id text, environment text, "objectType" text, "clientId" text,
  "refersTo" text, "programId" text, "eventId" text, name text, targets text[], "transpiresAt" timestamptz, told jsonb,
  body jsonb, bytes int, "writtenBy" text, at timestamptz)`;

const sizes = (table: string, client: string, rows: string): string => `
  insert into ${table} as sizes (client_id, bytes) select ${client}, sum(bytes) from ${rows} group by 1 order by 1
  on conflict (client_id) do update set bytes = sizes.bytes + excluded.bytes returning client_id, bytes`;

/** Locks are taken in one order, that of updates: what is referred to, then the sizes of reports, then those of changes. */
const CREATE = `
  with given as materialized (select * from ${GIVEN}), referred as materialized (
    -- Nobody deletes them before the end.
    select id, environment, object_type, targets from openadr3_objects
    where id = any(array(select "refersTo" from given)) order by id for key share
  ), accepted as materialized (
    select given.*, case when "objectType" = 'EVENT' and given.targets = '{}' then referred.targets else given.targets end as audience
    from given join referred on referred.id = "refersTo" and referred.environment = given.environment
      and referred.object_type = case "objectType" when 'EVENT' then 'PROGRAM' else 'EVENT' end
  ), created as (
    insert into openadr3_objects (id, environment, object_type, client_id, program_id, event_id, name, targets, transpires_at,
      body, created_at, modified_at)
    select id, environment, "objectType", "clientId", "programId", "eventId", name, targets, "transpiresAt", body, at, at
    from accepted order by place
  ), changes as (
    insert into openadr3_changes (environment, operation, object_type, object_id, object, targets, client_id, program_id,
      written_by, at)
    -- Each step writes all of a large body anew.
    select environment, 'CREATE', "objectType", id, case when body ? 'targets' then (body - 'targets') || told else body || told end,
      audience, "clientId", "programId", "writtenBy", at
    from accepted order by place returning seq, object_type, at
  ), noted as (
    insert into journal (at, kind, subject, ref)
    select max(at), 'openadr3.objects', '', max(seq) from changes where object_type <> 'REPORT' having count(*) > 0
  ), report_sizes as (${sizes("openadr3_report_sizes", `"clientId"`, `accepted where "objectType" = 'REPORT'`)}
  ), change_sizes as (${sizes("openadr3_change_sizes", `"writtenBy"`, "accepted where (select count(*) from report_sizes) >= 0")}
  )
  select place, audience, report_sizes.bytes as report_bytes, change_sizes.bytes as change_bytes
  from accepted left join report_sizes on report_sizes.client_id = "clientId"
    join change_sizes on change_sizes.client_id = "writtenBy"`;

export const objectCreations = (db: Queryable): ObjectCreations => ({
  async create(creations) {
    const { rows } = await db.query<CreatedRow>({
      name: "create-openadr3-objects",
      text: CREATE,
      values: [`[${creations.map(recordOf).join(",")}]`],
    });
    if (rows.length > 0) appended(db, "openadr3.change");
    if (creations.some(({ object }) => object.objectType !== "REPORT")) appended(db, "openadr3.objects");
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return creations.map(({ object }, place) => createdOf(object, byPlace.get(place)));
  },
});

const createdOf = (object: Creation["object"], row: CreatedRow | undefined): Created | null =>
  row === undefined
    ? null
    : {
        object: { ...object, audience: row.audience },
        reportBytes: row.report_bytes ?? 0,
        changeBytes: row.change_bytes,
      };

/** JSON; that of the body is written already. */
const recordOf = ({ object, bodyJson, writtenBy }: Creation, place: number): string => {
  const {
    id,
    environment,
    objectType,
    clientId,
    programId,
    eventId,
    name,
    targets,
    transpiresAt,
    createdAt: at,
  } = object;
  const told = renderObject({ ...object, body: {} });
  const refersTo = objectType === "EVENT" ? programId : eventId;
  const bytes = Buffer.byteLength(bodyJson);
  const columns = {
    id,
    environment,
    objectType,
    clientId,
    refersTo,
    programId,
    eventId,
    name,
    targets,
    transpiresAt,
    told,
  };
  return `${JSON.stringify({ place, ...columns, bytes, writtenBy, at }).slice(0, -1)},"body":${bodyJson}}`;
};
