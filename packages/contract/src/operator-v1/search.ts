import Type, { type Static } from "typebox";
import { SEARCH_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { accountName, id, moment, nullable, string } from "../values.js";

export const foundKinds = ["account", "site", "meter", "program", "dispatch", "user", "contact", "ven"] as const;

/** Results of each kind. */
const MOST_OF_A_KIND = 5;

export const searchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: SEARCH_CHARACTERS,
    description: "Text to look for, ignoring case. It is taken literally: there are no wildcards.",
    examples: ["northgate"],
  }),
});

const found = {
  id: Type.String({
    description: "Identifier of what was found.",
    examples: ["site_9d4f7g2h5j8k", "mtr_1t5y8u3i6o9p", "dis_4f9k2m7q1x8c"],
  }),
  name: string("Its name; of a dispatch, that of its program; of a user or contact, the person's.", "Northgate"),
  detail: nullable(
    string(
      "Distinguishes it from others of the same name: the `customer_location_id` of a site, the site of a meter, the email address of a person, the `ven_id` of a VEN. null without any.",
      "NG-01",
    ),
  ),
  start_time: nullable(moment("Start of a dispatch; null for everything else.", "start")),
  timezone: nullable(
    string("Time zone of a site, a meter, a program or a dispatch; otherwise null.", "America/Chicago"),
  ),
  site_id: nullable(id("site", "Site of a meter; null for everything else.")),
};

export const Found = Type.Object(
  {
    kind: Type.Enum([...foundKinds], { description: "What was found.", examples: ["site"] }),
    ...found,
    id: Type.String({
      description: "Identifier of what was found.",
      examples: [
        "site_9d4f7g2h5j8k",
        "acc_6w2n8r4t1z9b",
        "mtr_1t5y8u3i6o9p",
        "prg_7p2o5i8u1y4t",
        "dis_4f9k2m7q1x8c",
        "usr_5x8c1v4b7n2m",
        "con_2b5n8m1k4h7g",
        "ven_2q5w8e1r4t7y",
      ],
    }),
    account_id: nullable(id("account", "Account that it belongs to; null without a single one.")),
    account_name: nullable(accountName, "Name of that account; null without a single one."),
  },
  { $id: "Found", description: "An object that a search found." },
);
export type Found = Static<typeof Found>;

export const search = endpoint({
  id: "search",
  method: "GET",
  path: "/search",
  tag: "Search",
  summary: "Search accounts, sites, dispatches, people and identifiers",
  description: `Finds accounts, sites, meters, programs, dispatches, users, contacts and VENs by name, identifier, \`customer_location_id\`, email address or \`ven_id\`, and dispatches also by the day of their start, \`2026-07-01\`, in the time zone of their program. At most ${MOST_OF_A_KIND} of each kind: exact matches first, then those that begin with the text, then those with a word that does.`,
  query: searchQuery,
  reply: Type.Object(
    { items: Type.Array(Found, { description: "What was found, kind by kind, best matches first." }) },
    { $id: "SearchResult", description: "What a search found." },
  ),
});

export const OwnFound = Type.Object(
  {
    kind: Type.Enum(["site", "meter", "dispatch"], { description: "What was found.", examples: ["site"] }),
    ...found,
    name: string("Its name; of a dispatch, that of its program.", "Northgate"),
    detail: nullable(
      string(
        "Distinguishes it from others of the same name: the `customer_location_id` of a site, the site of a meter. null without any.",
        "NG-01",
      ),
    ),
  },
  { $id: "OwnFound", description: "An object of your account that a search found." },
);
export type OwnFound = Static<typeof OwnFound>;

export const searchOwn = endpoint({
  id: "searchOwn",
  method: "GET",
  path: "/search",
  tag: "Search",
  summary: "Search your sites, meters and dispatches",
  description: `Finds sites and meters of your account by name, identifier or \`customer_location_id\`, and dispatches that you were notified of by program, identifier or the day of their start, \`2026-07-01\`, in the time zone of their program. At most ${MOST_OF_A_KIND} of each kind: exact matches first, then those that begin with the text, then those with a word that does.`,
  query: searchQuery,
  reply: Type.Object(
    { items: Type.Array(OwnFound, { description: "What was found, kind by kind, best matches first." }) },
    { $id: "OwnSearchResult", description: "What a search in your account found." },
  ),
});
