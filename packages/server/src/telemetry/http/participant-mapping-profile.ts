import {
  deleteMappingProfile as deletion,
  listMappingProfiles as listing,
  listMappingLayouts,
  saveMappingProfile as saving,
} from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import { layouts } from "../operations/import-profiles.js";
import { deleteMappingProfile, saveMappingProfile } from "../operations/keep-mapping.js";
import type { MappingProfileStores } from "../operations/mapping-profile.js";
import { newProfileOf, profileToWire, savedToWire } from "./wire-mapping-profile.js";

export type MappingProfileRoutePorts = RepeatablePorts<MappingProfileStores>;

/** Mapping profiles of the caller's own account, for its systems and its people. */
export const ownMappingProfileRoutes = (app: FastifyInstance, ports: MappingProfileRoutePorts): void => {
  serve(app, listing, ({ query, request }) =>
    listed(query, (page) => ports.stores.mappingProfiles.list(callerOf(request).accountId, page), profileToWire),
  );
  serveOnce(app, saving, ports, async ({ body, request }, ports) => {
    const profile = newProfileOf(body);
    if (isRefusal(profile)) return profile;
    const manager = managerOf(request);
    return savedToWire(await saveMappingProfile(ports, manager, manager.within, profile));
  });
  serve(app, deletion, async ({ params, request }) => {
    const deleted = await deleteMappingProfile(ports, managerOf(request), params.id);
    return isRefusal(deleted) ? deleted : undefined;
  });
  serve(app, listMappingLayouts, async () => ({ items: [...layouts] }));
};

const managerOf = (request: FastifyRequest) => {
  const { actor, accountId } = callerOf(request);
  return { actor, within: accountId };
};
