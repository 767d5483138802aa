import Type from "typebox";
import { EMAIL_CHARACTERS } from "./constants.js";
import { LANGUAGES } from "./lists/languages.js";

/** Moments of one example dispatch, so that the examples of the documents fit together. */
export const moments = {
  created: "2026-06-30T16:00:00Z",
  notified: "2026-07-01T17:30:00Z",
  start: "2026-07-01T18:00:00Z",
  now: "2026-07-01T18:30:00Z",
  end: "2026-07-01T20:00:00Z",
  later: "2026-07-02T16:00:00Z",
  nextYear: "2027-06-30T16:00:00Z",
} as const;

/** A moment as RFC 3339 with an offset, at any precision; replies are always UTC with `Z` (G8). */
export const moment = (description: string, at: keyof typeof moments = "now") =>
  Type.String({ format: "date-time", description, examples: [moments[at]] });

/** Without an example: with those of its sibling members, it would make a body that is refused. */
export const withoutExample = <S extends Type.TSchema>(schema: S): S => ({ ...schema, examples: [] });

/** Text without restrictions, for replies. */
export const string = (description: string, example: string) => Type.String({ description, examples: [example] });

/** Text for people: no control characters or lone surrogates, which the database would refuse. */
export const text = (maxLength: number, description: string, example: string, minLength = 0) =>
  Type.String({
    minLength,
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$",
    description,
    examples: [example],
  });

/** A whole number; the description gives its unit, or what is counted. */
export const integer = (description: string, example: number, bounds: Type.TNumberOptions = {}) =>
  Type.Integer({ ...bounds, description, examples: [example] });

/** A number; the description gives its unit. */
export const number = (description: string, example: number, bounds: Type.TNumberOptions = {}) =>
  Type.Number({ ...bounds, description, examples: [example] });

const MAX_INTEGER = 2_147_483_647;

/** Number of a version, from 1. */
export const version = (description: string, example = 1) =>
  integer(description, example, { minimum: 1, maximum: MAX_INTEGER });

/** A local date. */
export const date = (description: string, example: string) =>
  Type.String({ format: "date", description, examples: [example] });

/** An absolute address, in replies. */
export const url = (description: string, example: string) =>
  Type.String({ format: "uri", description, examples: [example] });

export const boolean = (description: string, example = false) => Type.Boolean({ description, examples: [example] });

/** Rules that documents state, and that the service checks itself to give a message of its own (G6). */
export const documented = <S extends Type.TSchema>(schema: S, rules: object): S => ({ ...schema, documented: rules });

/** A boolean of which only `false` is allowed. */
export const onlyFalse = (description: string) => documented(boolean(description), { const: false });

/** Types of object that have identifiers, with an example of each. */
const ids = {
  account: ["account", "acc_6w2n8r4t1z9b"],
  alarm: ["alarm", "alm_3h7k5v9c2m8x"],
  block: ["availability block", "blk_9q4s6d2f8g1j"],
  calendar: ["calendar", "cal_7d3f9k1m5p8s"],
  contact: ["contact", "con_2b5n8m1k4h7g"],
  delivery: ["delivery", "dlv_5d1f0a7c93e84b62a0f4c8d217b6e935"],
  dispatch: ["dispatch", "dis_4f9k2m7q1x8c"],
  key: ["API key", "key_8c3v6b9n2m5q"],
  mail: ["mail", "mail_0b9e47d25c1a4f83b6d7e2915af3c084"],
  meter: ["meter", "mtr_1t5y8u3i6o9p"],
  openadr3_client: ["OpenADR 3 client", "oac_4w7e1r5t9y3u"],
  openadr3_event: ["OpenADR 3 event", "oae_7n2c5x8b1m4k"],
  openadr3_program: ["OpenADR 3 program", "oap_2d6g9j3f7s1a"],
  program: ["program", "prg_7p2o5i8u1y4t"],
  request: ["request", "req_9c1e64b0a2f7d358"],
  resend: ["resend", "rsn_4b8d02f6a91c73e5"],
  push_subscription: ["push subscription", "psh_5j8d2k6n9q1w"],
  scenario: ["scenario", "scn_3r6e9w2q5a8s"],
  certificate: ["certificate", "cer_5t8y1u4i7o0p"],
  session: ["session", "ses_6g1h4j7k2l5z"],
  site: ["site", "site_9d4f7g2h5j8k"],
  statement: ["statement", "stm_4k8r2v6y1x9d"],
  user: ["user", "usr_5x8c1v4b7n2m"],
  ven: ["VEN", "ven_2q5w8e1r4t7y"],
  webhook: ["webhook", "wh_8u3i6o1p4a7s"],
  mapping_profile: ["mapping profile", "mpr_6t2w9q4x7c1n"],
  channel_address: ["channel address", "adr_8m3k6w1q9x4z"],
  shift_report: ["shift report", "shr_2v7m4x9c1k6p"],
} as const;

/** What has identifiers. */
export type Identified = keyof typeof ids;

export const identified = Object.keys(ids) as readonly Identified[];

/** What an identifier begins with: `site_`. */
export const prefixOf = (of: Identified): string => ids[of][1].replace(/_.*/, "_");

/** An opaque identifier that the service generates. `identifies`: earlier versions have numbers in its place. */
export const id = (of: Identified, description = `Identifier of the ${ids[of][0]}.`) => ({
  ...string(description, ids[of][1]),
  identifies: of,
});

/** A sentence for people: earlier versions say it in their own words. */
export const sentence = (description: string, example: string) => ({ ...string(description, example), says: true });

/** More than any has. Without a limit, a text of megabytes would be looked up. */
const MAX_ID = 100;

/** The same in a body, where it may be anything. */
export const givenId = (of: Identified, description?: string) => ({ ...id(of, description), maxLength: MAX_ID });

/** Path parameters of an operation on one object: `{id}`. */
export const byId = (of: Identified) => Type.Object({ id: id(of) });

/**
 * The schema or null. Its description moves to the union, where readers look for it; a named schema keeps its own copy.
 *
 * @param description of the member, if it says more than the schema's own
 */
export const nullable = <S extends Type.TSchema>(schema: S, description = descriptionOf(schema)) =>
  Type.Union(
    ["$id" in schema ? schema : without(schema, "description"), Type.Null()],
    description === undefined ? {} : { description },
  );

const descriptionOf = (schema: Type.TSchema): string | undefined =>
  "description" in schema ? String(schema.description) : undefined;

const without = <S extends object>(object: S, name: string): S =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name)) as S;

/** A language of what people read; null: they chose none. */
export const language = (description: string) =>
  nullable(Type.Enum([...LANGUAGES], { description, examples: ["de"] }), description);

/** IANA zone name; the service checks whether the zone exists. */
export const Timezone = text(64, "IANA time zone name.", "America/Chicago", 1);

/** Name of an IANA zone in a reply. */
export const timezone = (description: string) => string(`${description} IANA name.`, "America/Chicago");

/** A share from 0 to 1, or above 1 if more than expected is possible. */
export const ratio = (description: string, example: number, bounds: Type.TNumberOptions = {}) =>
  number(`${description} A ratio: 1 is 100 %.`, example, bounds);

/** Power that a site commits to reduce, in kW. */
export const Commitment = nullable(
  number("Load reduction that the site commits to, in kW; null if none is agreed.", 250, {
    minimum: 0,
    maximum: 10_000_000,
  }),
);

export const Email = Type.String({
  maxLength: EMAIL_CHARACTERS,
  pattern: '^[^\\s@<>"\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@<>"\\u0000-\\u001f\\ud800-\\udfff]+$',
  description: "Email address.",
  examples: ["ana@example.com"],
});

/** The owner's name for a site, in replies. */
export const customerLocationId = string('Identifier that the owner gave the site; "" if none was given.', "store-12");
export const dispatchGroup = string('Group that the site is dispatched with; "" if it has none.', "north");
export const siteName = string(
  "Name of the site. It may change; use the id to identify the site.",
  "Northgate Store 12",
);
export const meterName = string("Name of the meter.", "Main meter");
export const accountName = string("Name of the account.", "Northgate Foods");
export const programName = string("Name of the program.", "Summer Peak");
