import {
  type BodyOf,
  deleteMappingProfile as deletion,
  listMappingProfiles as listing,
  listMappingLayouts,
  operator,
  saveMappingProfile as saving,
  type MappingProfile as WireProfile,
} from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { done, isRefusal, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { layouts } from "../operations/import-profiles.js";
import { deleteMappingProfile, type NewProfile, saveMappingProfile } from "../operations/keep-mapping.js";
import type { MappingProfile, MappingProfileStores } from "../operations/mapping-profile.js";
import { refuseUnknown } from "./mapping-text.js";

export type MappingProfileRoutePorts = RepeatablePorts<MappingProfileStores>;

/** Mapping profiles of the caller's own account, for its systems and its people. */
export const ownMappingProfileRoutes = (app: FastifyInstance, ports: MappingProfileRoutePorts): void => {
  serve(app, listing, ({ query, request }) =>
    listed(query, (page) => ports.stores.mappingProfiles.list(callerOf(request).accountId, page), profileToWire),
  );
  serveOnce(app, saving, ports, async ({ body, request }, ports) => {
    const profile = newProfileOf(body);
    if (isRefusal(profile)) return profile;
    const manager = ownManagerOf(request);
    return savedToWire(await saveMappingProfile(ports, manager, manager.within, profile));
  });
  serve(app, deletion, ({ params, request }) => done(deleteMappingProfile(ports, ownManagerOf(request), params.id)));
  serve(app, listMappingLayouts, async () => ({ items: [...layouts] }));
};

/** Mapping profiles of any account. */
export const mappingProfileRoutes = (app: FastifyInstance, ports: MappingProfileRoutePorts): void => {
  serve(app, operator.listAccountMappingProfiles, async ({ params, query }) => {
    if ((await ports.stores.accounts.find(params.id)) === null) return notFound("account");
    return listed(query, (page) => ports.stores.mappingProfiles.list(params.id, page), profileToWire);
  });
  serveOnce(app, operator.saveAccountMappingProfile, ports, async ({ params, body, request }, ports) => {
    const profile = newProfileOf(body);
    if (isRefusal(profile)) return profile;
    return savedToWire(await saveMappingProfile(ports, managerOf(request), params.id, profile));
  });
  serve(app, operator.deleteAccountMappingProfile, ({ params, request }) =>
    done(deleteMappingProfile(ports, managerOf(request), params.id)),
  );
  serve(app, operator.listAccountMappingLayouts, async () => ({ items: [...layouts] }));
};

const ownManagerOf = (request: FastifyRequest) => {
  const { actor, accountId } = callerOf(request);
  return { actor, within: accountId };
};

const profileToWire = ({ id, name, header, mapping, savedBy, savedAt }: MappingProfile): WireProfile => ({
  id,
  name,
  header,
  mapping: mapping as WireProfile["mapping"],
  saved_by: savedBy,
  saved_at: formatTimestamp(savedAt),
});

/** A misspelt member would be guessed in silence, so unknown ones are refused. */
const newProfileOf = ({ name, header = null, mapping, replace = false }: BodyOf<typeof saving>): Result<NewProfile> =>
  refuseUnknown(mapping) ?? { name, header, mapping, replaces: replace };

const savedToWire = (saved: Result<MappingProfile>): Result<WireProfile> =>
  isRefusal(saved) ? saved : profileToWire(saved);
