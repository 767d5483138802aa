import { type RowOf, selection } from "../../platform/database/columns.js";
import { bearerTokensPlace, type SecretBox } from "../../platform/secret-box.js";
import type { FoundObject } from "../domain/stored-object.js";

const objectRow = selection("openadr3_objects", [
  "id",
  "environment",
  "object_type",
  "client_id",
  "program_id",
  "event_id",
  "ven_id",
  "name",
  "targets",
  "transpires_at",
  "body",
  "bearer_tokens",
  "source",
  "source_id",
  "registered_at",
  "created_at",
  "modified_at",
]);
export type ObjectRow = RowOf<typeof objectRow> & { readonly audience: readonly string[] };

/** An event without targets is for those of its program. */
export const AUDIENCE = `case when openadr3_objects.object_type = 'EVENT' and openadr3_objects.targets = '{}'
  then coalesce(program.targets, '{}') else openadr3_objects.targets end`;
/** Objects with who may see them, and the columns of a list; a condition follows. */
export const foundWith = (more = ""): string => `select ${objectRow.columns}, ${AUDIENCE} as audience${more}
  from openadr3_objects left join openadr3_objects as program on program.id = openadr3_objects.program_id`;
export const FOUND = foundWith();

const PROGRAM_OF_VEN = "program.environment = ven.environment and program.object_type = 'PROGRAM'";

/**
 * The targets that a `ven` is granted, as a list of rows `target`: its own, those of its resources, the ids of its
 * account and of its sites; and of programs (G68), our id where the account has an enrolment or the ven an event of a
 * dispatch, and the object's where one of these targets is that of an event.
 */
export const GRANTED = `with held as materialized (
    select unnest(granting.targets || case when granting.source = 'site'
      then array[granting.source_id] else '{}' end) as target
    from openadr3_objects as granting
    where granting.id = ven.id or (granting.ven_id = ven.id and granting.object_type = 'RESOURCE')
    union select account_id from openadr3_clients where id = ven.client_id and account_id is not null
  )
  select target from held
  union select enrolments.program_id from openadr3_clients as clients
    join sites on sites.account_id = clients.account_id join enrolments on enrolments.site_id = sites.id
    where clients.id = ven.client_id
  union select program.source_id from openadr3_objects as program
    where ${PROGRAM_OF_VEN} and program.source = 'program' and exists (
      select from openadr3_objects as event
      where event.object_type = 'EVENT' and event.ven_id = ven.id and event.program_id = program.id)
  union select program.id from openadr3_objects as program
    where ${PROGRAM_OF_VEN} and program.source is null and program.id = any(program.targets) and exists (
      select from openadr3_objects as event
      where event.object_type = 'EVENT' and event.source is null and event.program_id = program.id
        and event.targets && array(select target from held))
  order by target`;

/** Objects and all that refers to them, with the number of steps. */
export const DOOMED = `with recursive doomed (id, depth) as (
  select unnest($1::text[]), 0
  union all
  select dependent.id, depth + 1 from doomed join openadr3_objects as dependent
    on doomed.id in (dependent.program_id, dependent.event_id, dependent.ven_id))`;

export const objectFromRow =
  (secrets: SecretBox) =>
  (row: ObjectRow): FoundObject => {
    const { source, sourceId, bearerTokens, body, ...object } = objectRow.camel(row);
    return {
      ...object,
      audience: row.audience,
      body: body as FoundObject["body"],
      bearerTokens:
        bearerTokens === null
          ? null
          : (JSON.parse(secrets.open(bearerTokens, bearerTokensPlace(row.id))) as Array<string | null>),
      source: source === null || sourceId === null ? null : { kind: source, id: sourceId },
    };
  };
