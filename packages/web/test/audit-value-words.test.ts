import { operator } from "@curtail/contract";
import { BASELINE_PRESETS, OPENADR3_OWN_PAYLOADS } from "@curtail/contract/constants";
import { alarmKinds } from "@curtail/contract/lists/alarms";
import { addressForms, channelNames } from "@curtail/contract/lists/channels";
import { LANGUAGES, type Words } from "@curtail/words";
import { PARTS, readCatalogue } from "@curtail/words/catalogues";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

interface Schema {
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A value that a member may have, with the path of the member from the kind of the entry on. */
type Valued = readonly [path: string, value: string | number];

/** All values of members that are one of several. */
const valuesIn = (schema: Schema, path: string): readonly Valued[] => [
  ...(schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map((value) => [path, value] as Valued),
  ...(schema.anyOf ?? []).flatMap((each) => valuesIn(each, path)),
  ...(schema.items === undefined ? [] : valuesIn(schema.items, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => valuesIn(each, `${path}.${name}`)),
];

const inSchemas = Object.entries(operator.auditStates).flatMap(([kind, schema]) => valuesIn(schema as Schema, kind));

/** Members that are texts in the schema, as a later version may have others, by the lists that they come from. */
const lists: Readonly<Record<string, readonly string[]>> = {
  "account.language": LANGUAGES,
  "alarm.kind": alarmKinds,
  "channel_address.channel": channelNames,
  "channel_address.form": addressForms,
  "contact.language": LANGUAGES,
  "delivery.event": operator.Delivery.properties.event.enum,
  "delivery.state": operator.Delivery.properties.state.enum,
  "dispatch.counts": ["not_judged", "not_delivered"],
  "openadr3_event.intervals.payloads.payload_type": OPENADR3_OWN_PAYLOADS,
  "program.baseline.preset": BASELINE_PRESETS,
  "webhook.events": operator.Delivery.properties.event.enum,
};
const inLists = Object.entries(lists).flatMap(([path, values]) => values.map((value): Valued => [path, value]));

/** Names, units, characters and codes, which are the same in every language. */
const SAME =
  /^(CSV|Green Button|NEM12|MQTT|OpenADR( 3)?|REST|SMS|VEN|Microsoft Teams|English|Español|Deutsch|Français|[kM]?Wh?|[*,;.|']|(read|write)_\w+)?$/;

const catalogues = LANGUAGES.filter((language) => language !== "en").map((language) => readCatalogue(language, PARTS));

type ValueWords = (path: readonly string[], value: string | number) => string | undefined;
let valueWords: ValueWords;
let before: Words;

/** Each text as its key, in brackets. */
const say: Words["say"] = (text, _, context) => `⟦${context === undefined ? text : `${text} [${context}]`}⟧`;

beforeAll(async () => {
  vi.resetModules();
  const page = await import("@curtail/words/page");
  before = page.pageWords();
  page.speak({ ...before, say });
  ({ valueWords } = await import("../src/pages/operations/audit/value-words.js"));
});

afterAll(async () => {
  (await import("@curtail/words/page")).speak(before);
  vi.resetModules();
});

/** Values that somebody would read in English, or as they are stored. */
const unsaid = (values: readonly Valued[], texts = catalogues): readonly string[] =>
  values.flatMap(([path, value]) => {
    const words = valueWords(path.split("."), value);
    const keys = [...(words ?? "").matchAll(/⟦(.*?)⟧/g)].map(([, key = ""]) => key);
    const isSaid =
      keys.length === 0
        ? words !== undefined && SAME.test(words)
        : keys.every((key) => texts.every((catalogue) => catalogue[key] !== undefined));
    return isSaid ? [] : [`${path}: ${value}`];
  });

describe("the values of members in the audit log", () => {
  test("have words in every language, where they are one of several", () => {
    expect(inSchemas.length).toBeGreaterThan(100);
    expect(unsaid([...inSchemas, ...inLists])).toEqual([]);
  });

  test("are missed where a value has no words, or a language has not", () => {
    expect(unsaid([["site.meters.asset_type", "windmill"]])).toEqual(["site.meters.asset_type: windmill"]);
    expect(unsaid([["mapping_profile.mapping.values.unit", "GW"]])).toEqual([
      "mapping_profile.mapping.values.unit: GW",
    ]);
    expect(unsaid([["program.kind", "capacity"]])).toEqual(["program.kind: capacity"]);
    expect(unsaid([["meter.asset_type", "load"]], [...catalogues, {}])).toEqual(["meter.asset_type: load"]);
  });

  test("are found at any depth of a schema", () => {
    const b = { anyOf: [{ enum: ["x", "y"] }, { const: 1 }, { type: "null" }] };
    expect(valuesIn({ anyOf: [{ properties: { a: { items: { properties: { b } } } } }] }, "kind")).toEqual([
      ["kind.a.b", "x"],
      ["kind.a.b", "y"],
      ["kind.a.b", 1],
    ]);
  });

  test("stay as they are where people chose the names of members", () => {
    for (const path of ["dispatch.metadata.environment", "program.baseline.method.anchor"])
      expect(valueWords(path.split("."), "production")).toBeUndefined();
  });
});
