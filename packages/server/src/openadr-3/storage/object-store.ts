import type { VenGrants } from "@curtail/openadr-3";
import type { Environment } from "../../access/domain/api-key.js";
import type { Queryable } from "../../platform/database/database.js";
import { matchesOne, readAll, readFirst, readMap } from "../../platform/database/read.js";
import { unlessTaken } from "../../platform/database/unless-taken.js";
import { bearerTokensPlace, type SecretBox } from "../../platform/secret-box.js";
import type { StoredObject, StoredObjectType } from "../domain/stored-object.js";
import type { ObjectStore } from "../operations/object-ports.js";
import { AUDIENCE, DOOMED, FOUND, GRANTED, type ObjectRow, objectFromRow } from "./object-row.js";

const ONE = `${FOUND} where openadr3_objects.environment = $1 and openadr3_objects.object_type = $2
  and openadr3_objects.id = $3`;

export const objectStore = (db: Queryable, secrets: SecretBox): ObjectStore => {
  const fromRow = objectFromRow(secrets);
  const sealed = ({ id, bearerTokens }: StoredObject): string | null =>
    bearerTokens === null ? null : secrets.seal(JSON.stringify(bearerTokens), bearerTokensPlace(id));
  const one = (environment: Environment, type: StoredObjectType, id: string, lock = "") =>
    readFirst(db, fromRow, `${ONE} ${lock}`, [environment, type, id]);
  return {
    insert: (object) =>
      matchesOne(db, {
        text: `insert into openadr3_objects (id, environment, object_type, client_id, program_id, event_id, ven_id, name,
           targets, transpires_at, body, bearer_tokens, registered_at, modified_at, source, source_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         on conflict do nothing`,
        values: [
          object.id,
          object.environment,
          object.objectType,
          ...changeable(object, sealed(object)),
          object.source?.kind,
          object.source?.id,
          object.createdAt,
        ],
      }),
    save: (object) =>
      unlessTaken(() =>
        db.query(
          `update openadr3_objects set client_id = $2, program_id = $3, event_id = $4, ven_id = $5, name = $6,
             targets = $7, transpires_at = $8, body = $9, bearer_tokens = $10, registered_at = $11, modified_at = $12
           where id = $1`,
          [object.id, ...changeable(object, sealed(object))],
        ),
      ),
    find: (environment, type, id) => one(environment, type, id),
    lock: (environment, type, id) => one(environment, type, id, "for no key update of openadr3_objects"),
    lockReference: (environment, type, id) => one(environment, type, id, "for key share of openadr3_objects"),
    lockVen: (environment, id) => one(environment, "VEN", id, "for share of openadr3_objects"),
    ofSource: (environment, type, source) =>
      readAll(db, fromRow, {
        text: `${FOUND} where openadr3_objects.environment = $1 and openadr3_objects.object_type = $2
           and openadr3_objects.source = $3 and openadr3_objects.source_id = $4
         order by openadr3_objects.seq`,
        values: [environment, type, source.kind, source.id],
      }),
    vensOfClients: (clientIds) =>
      readMap(db, (row: ObjectRow) => [row.source_id ?? "", fromRow(row)], {
        text: `${FOUND} where openadr3_objects.environment in ('production', 'sandbox')
           and openadr3_objects.object_type = 'VEN' and openadr3_objects.source = 'client'
           and openadr3_objects.source_id = any($1)`,
        values: [clientIds],
      }),
    untargetedEvents: (programId, now) =>
      readAll(db, fromRow, {
        text: `${FOUND} where openadr3_objects.program_id = $1 and openadr3_objects.object_type = 'EVENT'
           and openadr3_objects.targets = '{}' and openadr3_objects.ven_id is null
           and (openadr3_objects.transpires_at is null or openadr3_objects.transpires_at > $2)
         order by openadr3_objects.seq`,
        values: [programId, now],
      }),
    search({ environment, objectType, clientId, seenBy, targets, withUntargeted, skip, limit, ...search }) {
      const { programId, eventId, venId, name, objects, activeAt } = search;
      const seen = [environment, objectType, clientId, seenBy !== undefined, seenBy?.venId, targets, withUntargeted];
      return readAll(db, fromRow, {
        text: `${FOUND}
         where openadr3_objects.environment = $1 and openadr3_objects.object_type = $2
           and ($3::text is null or openadr3_objects.client_id = $3)
           and (not $4::boolean or openadr3_objects.ven_id is null or openadr3_objects.ven_id = $5)
           and ($6::text[] is null or ${AUDIENCE} && $6 or ($7 and ${AUDIENCE} = '{}'))
           and ($8::text is null or openadr3_objects.program_id = $8 or openadr3_objects.event_id in (
             select id from openadr3_objects as event where event.program_id = $8 and event.object_type = 'EVENT'))
           and ($9::text is null or openadr3_objects.event_id = $9)
           and ($10::text is null or openadr3_objects.ven_id = $10)
           and ($11::text is null or openadr3_objects.name = $11)
           and ($12::text[] is null or exists (
             select from jsonb_array_elements(openadr3_objects.body -> 'objectOperations') as entry
             where entry -> 'objects' ?| $12))
           and ($13::timestamptz is null or openadr3_objects.transpires_at is null
             or openadr3_objects.transpires_at > $13)
         order by openadr3_objects.seq offset $14 limit $15`,
        values: [...seen, programId, eventId, venId, name, objects, activeAt, skip, limit],
      });
    },
    async remove(ids) {
      // Waits for those who are about to refer to any of them, so that none is left behind.
      await db.query(`${DOOMED} select from openadr3_objects where id in (select id from doomed) for update`, [ids]);
      return readAll(db, fromRow, {
        text: `${DOOMED}, found as (
           ${FOUND} where openadr3_objects.id in (select id from doomed)
         ), deleted as (
           delete from openadr3_objects where id in (select id from doomed)
         )
         select found.* from found join lateral (
           select max(depth) as depth from doomed where doomed.id = found.id) as place on true
         order by place.depth desc, found.created_at, found.id`,
        values: [ids],
      });
    },
    async grantsOf(environment, clientId) {
      const grants = await readFirst(db, grantsFrom, {
        text: `select ven.id as ven_id, array(${GRANTED}) as granted
         from openadr3_objects as ven
         where ven.environment = $1 and ven.object_type = 'VEN' and ven.client_id = $2`,
        values: [environment, clientId],
      });
      return grants ?? NOTHING_GRANTED;
    },
  };
};

const grantsFrom = ({ ven_id, granted }: { ven_id: string; granted: readonly string[] }): VenGrants => ({
  venId: ven_id,
  targets: granted,
});

const NOTHING_GRANTED: VenGrants = { venId: null, targets: [] };

const changeable = (object: StoredObject, bearerTokens: string | null): unknown[] => {
  const { clientId, programId, eventId, venId, name, targets, transpiresAt, body, registeredAt, modifiedAt } = object;
  return [
    clientId,
    programId,
    eventId,
    venId,
    name,
    targets,
    transpiresAt,
    body,
    bearerTokens,
    registeredAt,
    modifiedAt,
  ];
};
