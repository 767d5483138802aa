import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { datedDocument } from "../src/dated-document.js";
import {
  authDocument,
  consoleDocument,
  operatorDocument,
  participantDocument,
  sandboxDocument,
} from "../src/documents.js";
import { v20201230 } from "../src/v2020-12-30/version.js";

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly "x-events"?: Readonly<Record<string, { readonly data: Schema }>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: ReadonlyArray<Parameter | { readonly $ref: string }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Omit<Parameter, "name">>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

type Named<T> = readonly [place: string, value: T];

const documents: ReadonlyArray<readonly [name: string, document: Document]> = [
  ["the participants'", participantDocument()],
  ["the sandbox's", sandboxDocument()],
  ["the earlier version's", datedDocument(v20201230, "sandbox")],
  ["the operators'", operatorDocument()],
  ["the console's", consoleDocument()],
  ["the sessions'", authDocument()],
].map(([name, document]) => [name as string, JSON.parse(JSON.stringify(document)) as Document]);

/** Opaque, or excluded by the members beside it: an example of every member makes a body that is accepted. */
const withoutExample = /\?cursor$|^TelemetryReading\.(site_id|facility_id|value|units)$/;

const VERBS =
  /^(Acknowledge|Add|Approve|Assign|Block|Cancel|Certify|Change|Complete|Confirm|Create|Delete|Download|End|Enrol|Exclude|Import|Issue|List|Preview|Record|Register|Release|Remove|Replace|Resend|Retrieve|Retry|Return|Revoke|Rotate|Search|Send|Set|Shelve|Sign|Start|Stream|Take|Test|Upload|Verify|Withdraw)[, ]/;

/** Unidiomatic phrases, and words for which the interface has other terms. */
const UNTERMED =
  /\b(whom|whosever|told|tells?|hears?|heard|cells?|colours?|aimed|wanted|wanting|whatever|yet to come)\b/i;

/** What a member's name implies about its unit. */
const units: ReadonlyArray<readonly [name: RegExp, unit: RegExp]> = [
  [/(^|_)kw(_(?!per)|$)/i, /\bkW\b/],
  [/^(commitment|drop_by)$/, /\bkW\b/],
  [/_kw_per_minute$/, /\bkW per minute\b/],
  [/_kwh$/, /\bkWh\b/],
  [/_seconds$/, /\bseconds?\b/],
  [/_ms$/, /\bmilliseconds\b/],
  [/^minutes_/, /\bminutes\b/],
  [/^days$/, /\bdays\b/],
  [
    /^(coverage|performance|share_at_commitment|completeness_\w+|least_coverage|amber_from|green_from|green_to)$/,
    /\bratio\b/,
  ],
];

const operationsOf = ({ paths, webhooks = {} }: Document): Array<Named<Operation>> =>
  Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );

const parametersOf = (document: Document): Array<Named<Omit<Parameter, "name">>> => [
  ...operationsOf(document).flatMap(([place, { parameters = [] }]) =>
    parameters.flatMap((each) => ("$ref" in each ? [] : [[`${place} ?${each.name}`, each] as const])),
  ),
  ...Object.entries(document.components.parameters ?? {}),
  ...Object.entries(document.components.headers),
];

/** Every schema of a body, an answer or an event, at its place. */
const contentsOf = (document: Document): Array<Named<Schema>> =>
  operationsOf(document).flatMap(([place, { requestBody, responses }]) =>
    [["body", requestBody] as const, ...Object.entries(responses)].flatMap(([of, part]) =>
      Object.values(part?.content ?? {}).flatMap(({ schema, "x-events": events = {} }) => [
        ...(schema === undefined || Object.keys(events).length > 0 ? [] : [[`${place} ${of}`, schema] as const]),
        ...Object.entries(events).map(([name, { data }]) => [`${place} event ${name}`, data] as const),
      ]),
    ),
  );

/** Every member of a schema and of its inline parts; components are checked separately. */
const membersOf = ([place, schema]: Named<Schema>): Array<Named<Schema>> => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]): Array<Named<Schema>> => {
    const at = `${place}.${name}`;
    return [[at, member], ...membersOf([at, member])];
  }),
  ...(schema.anyOf ?? []).flatMap((each) => membersOf([place, each])),
  ...(schema.items === undefined ? [] : membersOf([`${place}[]`, schema.items])),
];

const allMembersOf = (document: Document): Array<Named<Schema>> =>
  [...contentsOf(document), ...Object.entries(document.components.schemas)].flatMap(membersOf);

const resolver = ({ components }: Document) => {
  const targetOf = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.replace(/^.*\//, "")] ?? {});
  /** A schema without references. */
  const whole = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(whole);
    if (node === null || typeof node !== "object") return node;
    const target = "$ref" in node ? targetOf(node as Schema) : node;
    return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, whole(value)]));
  };
  return { targetOf, whole };
};

class NoExample extends Error {}

/** The example shown to readers: a schema's own, or that of its parts. */
const exampleOf = (schema: Schema, targetOf: (schema: Schema) => Schema): unknown => {
  const of = targetOf(schema);
  if (of.examples !== undefined) return of.examples[0];
  if (of.anyOf?.[0] !== undefined) return exampleOf(of.anyOf[0], targetOf);
  if (of.items !== undefined) return [exampleOf(of.items, targetOf)];
  if (of.type === "null") return null;
  if (of.type !== "object" || of.properties === undefined) throw new NoExample(JSON.stringify(schema));
  const shown = Object.entries(of.properties).filter(([, each]) => !lacksExample(each, targetOf));
  return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(each, targetOf)]));
};

const lacksExample = (schema: Schema, targetOf: (schema: Schema) => Schema): boolean => {
  try {
    exampleOf(schema, targetOf);
    return false;
  } catch (error) {
    if (error instanceof NoExample) return true;
    throw error;
  }
};

const isSentence = (text: string | undefined): boolean => text !== undefined && /^[^a-z].*[.:]$/s.test(text.trim());

const places = (found: ReadonlyArray<Named<unknown>>): readonly string[] => [...new Set(found.map(([place]) => place))];

describe.each(documents)("%s document", (_name, document) => {
  const { targetOf, whole } = resolver(document);
  const descriptionOf = (schema: Schema) => schema.description ?? targetOf(schema).description;
  const members = allMembersOf(document);

  test("summarises every operation in a few words that begin with a verb", () => {
    const operations = Object.values(document.paths).flatMap(Object.values) as Operation[];
    const summaries = operations.map(({ summary }) => summary);
    expect(summaries.filter((each) => !VERBS.test(each) || each.endsWith(".") || each.length > 70)).toEqual([]);
  });

  test("describes every operation, answer and way to authenticate", () => {
    expect(places(operationsOf(document).filter(([, { description }]) => !isSentence(description)))).toEqual([]);
    const answers = operationsOf(document).flatMap(([place, { responses }]) =>
      Object.entries(responses).map(([status, { description }]) => [`${place} ${status}`, description] as const),
    );
    expect(places(answers.filter(([, description]) => !isSentence(description)))).toEqual([]);
    const schemes = Object.entries(document.components.securitySchemes);
    expect(places(schemes.filter(([, { description }]) => !isSentence(description)))).toEqual([]);
  });

  test("describes every parameter and header, with an example", () => {
    const parameters = parametersOf(document);
    expect(places(parameters.filter(([, { description }]) => !isSentence(description)))).toEqual([]);
    const bare = parameters.filter(
      ([place, { example, schema }]) =>
        !withoutExample.test(place) && example === undefined && lacksExample(schema, targetOf),
    );
    expect(places(bare)).toEqual([]);
  });

  test("describes every schema and every member", () => {
    const schemas = Object.entries(document.components.schemas);
    expect(places([...schemas, ...members].filter(([, each]) => !isSentence(descriptionOf(each))))).toEqual([]);
  });

  test("has an example of every member", () => {
    const bare = places(members.filter(([, member]) => lacksExample(member, targetOf)));
    expect(bare.filter((place) => !withoutExample.test(place))).toEqual([]);
  });

  test("says the unit of every member whose name has one", () => {
    const parameters = parametersOf(document).map(([place, each]): Named<Schema> => [place, each]);
    const unsaid = [...members, ...parameters].filter(([place, member]) => {
      const name = place.replace(/^.*[.?]/, "");
      const description = descriptionOf(member) ?? "";
      return targetOf(member).type !== "object" && units.some(([of, unit]) => of.test(name) && !unit.test(description));
    });
    expect(places(unsaid)).toEqual([]);
  });

  test("has only examples that meet their schemas, one by one and put together", () => {
    const given = [...members, ...Object.entries(document.components.schemas)].flatMap(([place, schema]) =>
      (schema.examples ?? []).map((example) => ({ place, schema, example })),
    );
    const exemplified = parametersOf(document).filter(([place]) => !withoutExample.test(place));
    const parameters = exemplified.map(([place, { schema, example }]) => ({
      place,
      schema,
      example: example ?? exampleOf(schema, targetOf),
    }));
    const composed = contentsOf(document).map(([place, schema]) => ({
      place,
      schema,
      example: exampleOf(schema, targetOf),
    }));
    const wrong = [...given, ...parameters, ...composed].filter(
      ({ schema, example }) => !Compile(whole(schema) as TSchema).Check(example),
    );
    expect(wrong.map(({ place, example }) => `${place}: ${JSON.stringify(example)}`)).toEqual([]);
  });

  test("says everything in the terms of the field", () => {
    const texts = [
      ...operationsOf(document),
      ...parametersOf(document),
      ...members,
      ...Object.entries(document.components.schemas),
    ];
    const found = texts.flatMap(([place, { description = "" }]) => {
      const [word] = UNTERMED.exec(description.replaceAll(/`[^`]*`/g, "")) ?? [];
      return word === undefined ? [] : [`${place}: ${word}`];
    });
    expect([...new Set(found)]).toEqual([]);
  });
});
