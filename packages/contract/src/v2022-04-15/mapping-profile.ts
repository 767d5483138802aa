import Type, { type Static } from "typebox";
import { MAX_MAPPING_PROFILES, MAX_PROFILE_CHARACTERS, PROFILE_NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { PageQuery, pageOf } from "../operator-v1/list.js";
import { StatedMeterDataMapping } from "../operator-v1/meter-data-mapping.js";
import { boolean, byId, id, moment, nullable, string, text } from "../values.js";

/** In place of the name of a profile: none is used. */
export const NO_PROFILE = "none";

const headerMeaning =
  "Digest of the header of its files, as `header` of a dry run. null: the profile is used only by its name.";
const headerExample = "3f8a1c0b9d5e7f24a6b8c0d1e2f30415";

export const MappingProfile = Type.Object(
  {
    id: id("mapping_profile"),
    name: string("Name of the profile.", "Utility portal, quarters"),
    header: nullable(string(headerMeaning, headerExample)),
    mapping: StatedMeterDataMapping,
    saved_by: string("Who saved it last, as in the audit log.", "user:usr_5x8c1v4b7n2m"),
    saved_at: moment("When it was saved last.", "created"),
  },
  { $id: "MappingProfile", description: "How files of one layout are read, kept by an account under a name." },
);
export type MappingProfile = Static<typeof MappingProfile>;

/** What a profile is saved with. */
const SavedProfile = Type.Object({
  name: text(
    PROFILE_NAME_CHARACTERS,
    `Name of the profile; not \`${NO_PROFILE}\`, and not that of a layout that ships.`,
    "Utility portal, quarters",
    1,
  ),
  header: Type.Optional(
    nullable(Type.String({ pattern: "^[0-9a-f]{32}$", examples: [headerExample] }), `${headerMeaning} Default: null.`),
  ),
  mapping: StatedMeterDataMapping,
  replace: Type.Optional(
    boolean("`true`: replaces the profile of the same name, if there is one; without it, that is a 400."),
  ),
});

export const listMappingProfiles = endpoint({
  id: "listMappingProfiles",
  method: "GET",
  path: "/mapping-profiles",
  tag: "Telemetry",
  summary: "List mapping profiles",
  description:
    "An extension of the interface. Returns how files of meter data are read: the mappings that the account keeps, in the order in which they were last saved.",
  query: PageQuery,
  reply: pageOf(MappingProfile),
});

export const saveMappingProfile = endpoint({
  id: "saveMappingProfile",
  method: "POST",
  path: "/mapping-profiles",
  once: "within",
  tag: "Telemetry",
  summary: "Create or replace a mapping profile",
  description: `An extension of the interface. Keeps a mapping under a name. An import of a file with its header uses it, unless the request states a mapping; of several profiles with the same header, the one that was saved last. Names that differ only in case or spaces are the same. An account may have ${MAX_MAPPING_PROFILES} profiles, each of at most ${MAX_PROFILE_CHARACTERS} characters as JSON.`,
  body: SavedProfile,
  reply: MappingProfile,
  status: 201,
});

export const deleteMappingProfile = endpoint({
  id: "deleteMappingProfile",
  method: "DELETE",
  path: "/mapping-profiles/{id}",
  tag: "Telemetry",
  summary: "Delete a mapping profile",
  description:
    "An extension of the interface. The columns of files with its header are guessed again. What was imported with it stays.",
  params: byId("mapping_profile"),
  status: 204,
});

const MappingLayout = Type.Object(
  {
    name: string("Name of the layout, to be used like that of a profile.", "matrix-of-quarters"),
    description: string("What its files look like.", "A day a line with 96 quarters of an hour and their total"),
  },
  { $id: "MappingLayout", description: "A layout of files that comes with the service." },
);

export const listMappingLayouts = endpoint({
  id: "listMappingLayouts",
  method: "GET",
  path: "/mapping-layouts",
  tag: "Telemetry",
  summary: "List layouts of meter data",
  description:
    "An extension of the interface. Returns the layouts that come with the service. Each can be used by its name, like a mapping profile of the account.",
  reply: Type.Object(
    { items: Type.Array(MappingLayout, { description: "The layouts." }) },
    { $id: "MappingLayoutList", description: "The layouts that come with the service." },
  ),
});
