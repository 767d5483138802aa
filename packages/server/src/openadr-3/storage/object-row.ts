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

/**
 * The targets that a `ven` is granted: its own, those of its resources, the ids of its account and of its sites. A list
 * of rows `target`.
 */
export const GRANTED = `select unnest(granting.targets || case when granting.source = 'site'
    then array[granting.source_id] else '{}' end) as target
  from openadr3_objects as granting
  where granting.id = ven.id or (granting.ven_id = ven.id and granting.object_type = 'RESOURCE')
  union select account_id from openadr3_clients where id = ven.client_id and account_id is not null
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
