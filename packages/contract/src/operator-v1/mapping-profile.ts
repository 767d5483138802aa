import { endpoint } from "../endpoint.js";
import * as participant from "../v2022-04-15/mapping-profile.js";
import { byId } from "../values.js";

/** Mapping profiles of any account. */
export const listAccountMappingProfiles = endpoint({
  ...participant.listMappingProfiles,
  id: "listAccountMappingProfiles",
  path: "/accounts/{id}/mapping-profiles",
  tag: "Accounts",
  params: byId("account"),
});
export const saveAccountMappingProfile = endpoint({
  ...participant.saveMappingProfile,
  id: "saveAccountMappingProfile",
  path: "/accounts/{id}/mapping-profiles",
  tag: "Accounts",
  params: byId("account"),
});
export const deleteAccountMappingProfile = endpoint({
  ...participant.deleteMappingProfile,
  id: "deleteAccountMappingProfile",
  tag: "Accounts",
});
export const listAccountMappingLayouts = endpoint({
  ...participant.listMappingLayouts,
  id: "listAccountMappingLayouts",
  tag: "Accounts",
});
