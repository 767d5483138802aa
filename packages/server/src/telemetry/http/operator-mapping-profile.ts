import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { managerOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal, notFound } from "../../platform/refusal.js";
import { layouts } from "../operations/import-profiles.js";
import { deleteMappingProfile, saveMappingProfile } from "../operations/keep-mapping.js";
import type { MappingProfileRoutePorts } from "./participant-mapping-profile.js";
import { newProfileOf, profileToWire, savedToWire } from "./wire-mapping-profile.js";

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
  serve(app, operator.deleteAccountMappingProfile, async ({ params, request }) => {
    const deleted = await deleteMappingProfile(ports, managerOf(request), params.id);
    return isRefusal(deleted) ? deleted : undefined;
  });
  serve(app, operator.listAccountMappingLayouts, async () => ({ items: [...layouts] }));
};
