import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { consoleEndpoints, consoleStreams } from "../src/console-v1/endpoints.js";
import { datedDocument } from "../src/dated-document.js";
import { datedEndpoint } from "../src/dated-endpoint.js";
import { consoleDocument, operatorDocument, participantDocument, sandboxDocument } from "../src/documents.js";
import type { Endpoint } from "../src/endpoint.js";
import { operatorEndpoints, operatorStreams } from "../src/operator-v1/endpoints.js";
import { v20201230 } from "../src/v2020-12-30/version.js";
import {
  endpoints,
  participantProfiles,
  participantReports,
  participantStatements,
  participantStreams,
  performanceStreams,
  sandboxEndpoints,
} from "../src/v2022-04-15/endpoints.js";

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: Readonly<Record<string, Json>>;
  }>;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Json }> };
  readonly responses: Record<string, { readonly description: string }>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly security: ReadonlyArray<Record<string, readonly string[]>>;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes: Record<string, Json>; readonly schemas: Record<string, Json> };
}

const said = (document: unknown): Document => JSON.parse(JSON.stringify(document)) as Document;

const operationsOf = (document: Document): Array<{ path: string; method: string; operation: Operation }> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Media types of an operation's body. */
const takenBy = (of: readonly Endpoint[], id: string): readonly string[] =>
  of.find((each) => each.id === id)?.takes ?? ["application/json"];

/** Every value of a member of that name, anywhere in the document. */
const valuesOf = (node: Json, member: string): Json[] => {
  if (node === null || typeof node !== "object") return [];
  if (Array.isArray(node)) return node.flatMap((each) => valuesOf(each, member));
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === member ? [value] : []),
    ...valuesOf(value, member),
  ]);
};

/** Every object of the document. */
const schemasOf = (node: Json): Array<{ readonly [member: string]: Json }> => {
  if (node === null || typeof node !== "object") return [];
  if (Array.isArray(node)) return node.flatMap(schemasOf);
  return [node, ...Object.values(node).flatMap(schemasOf)];
};

/** What a component holds beside being an object itself; examples are values. */
const membersOf = (schema: Json): Json => {
  const { type: _, examples: __, ...rest } = schema as { readonly [member: string]: Json };
  return rest;
};

/** Examples of a schema's members that are plain texts. */
const examplesOf = ({ properties }: { readonly [member: string]: Json }, name: string): Json[] => {
  const member = (properties as Record<string, { readonly examples?: Json[] }> | undefined)?.[name];
  return member?.examples ?? [];
};

const resolves = (document: Document, pointer: string): boolean =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document) !== undefined;

const datedOf = (endpoint: Endpoint): (typeof endpoints)[number] => {
  const dated = datedEndpoint(v20201230, endpoint);
  if (dated === null) throw new Error(`2020-12-30 has no ${endpoint.id}`);
  return dated as (typeof endpoints)[number];
};

describe.each([
  {
    file: "2022-04-15.openapi.json",
    document: said(participantDocument()),
    of: [
      ...endpoints.filter(({ path }) => path !== "/scenarios"),
      ...participantReports,
      ...participantStatements,
      ...participantProfiles,
      ...participantStreams,
      ...performanceStreams,
    ],
    base: "/2022-04-15",
  },
  {
    file: "2022-04-15-sandbox.openapi.json",
    document: said(sandboxDocument()),
    of: [...endpoints, ...participantStreams, ...sandboxEndpoints],
    base: "/2022-04-15",
  },
  {
    file: "2020-12-30.openapi.json",
    document: said(datedDocument(v20201230)),
    of: v20201230.endpoints.flatMap((each) => (each.path === "/scenarios" ? [] : [datedOf(each)])),
    base: "/2020-12-30",
  },
  {
    file: "operator-v1.openapi.json",
    document: said(operatorDocument()),
    of: [...operatorEndpoints, ...operatorStreams],
    base: "/operator/v1",
  },
  {
    file: "console-v1.openapi.json",
    document: said(consoleDocument()),
    of: [...consoleEndpoints, ...consoleStreams],
    base: "/console/v1",
  },
])("$file", ({ file, document, of, base }) => {
  test("says what the schemas say now; else run `npm run openapi`", async () => {
    const committed = JSON.parse(await readFile(new URL(`../${file}`, import.meta.url), "utf8")) as unknown;
    expect(committed).toEqual(document);
  });

  test("is OpenAPI 3.1 with a title, a version, the base address and a licence", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.servers).toEqual([{ url: base }]);
  });

  test("has every endpoint of the contract, and nothing else", () => {
    const listed = operationsOf(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(listed.toSorted()).toEqual(of.map((each) => `${each.method} ${each.path}`).toSorted());
  });

  test("names every operation once", () => {
    const names = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test("refers only to what it holds, and leaves no schema name behind", () => {
    const references = valuesOf(document as unknown as Json, "$ref");
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((reference) => typeof reference !== "string" || !resolves(document, reference))).toEqual(
      [],
    );
    expect(valuesOf(document as unknown as Json, "$id")).toEqual([]);
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  test("names every object that is sent or answered, so that typed clients can be made (G76)", () => {
    const { components, ...rest } = document;
    const inline = [rest, ...Object.values(components.schemas).map(membersOf)].flatMap((each) =>
      schemasOf(each as unknown as Json).filter(
        ({ type, properties }) => type === "object" && properties !== undefined,
      ),
    );
    expect(inline).toEqual([]);
  });

  test("declares exactly the parameters of each path, and requires them", () => {
    for (const { path, operation } of operationsOf(document)) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(new Set(inPath.map((parameter) => parameter.name))).toEqual(new Set(placeholders));
      for (const parameter of inPath) expect(parameter.required).toBe(true);
    }
  });

  test("describes a success and the errors of each operation, and bodies as JSON or as files", () => {
    for (const { operation } of operationsOf(document)) {
      const statuses = Object.keys(operation.responses);
      const successes = statuses.filter((status) => status.startsWith("2"));
      // Only what dispatches deliver takes so long that clients have to ask again.
      const isMeasured = /^(get\w*(Performance|Curve)|download(\w*Table|SiteResults))$/.test(operation.operationId);
      expect(successes.filter((status) => status !== "202")).toHaveLength(1);
      expect(successes.includes("202"), operation.operationId).toBe(isMeasured);
      expect(statuses).toEqual(expect.arrayContaining(["400", "401", "429", "500"]));
      for (const response of Object.values(operation.responses)) expect(response.description).not.toBe("");
      if (operation.requestBody !== undefined)
        expect(Object.keys(operation.requestBody.content)).toEqual(takenBy(of, operation.operationId));
    }
  });

  test("bounds every whole number of a query: beyond, the database would refuse it", () => {
    const numbers = operationsOf(document).flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ schema }) => schema?.["type"] === "integer" && !("enum" in schema)),
    );
    expect(numbers.filter(({ schema }) => schema?.["maximum"] === undefined)).toEqual([]);
  });

  test("says of each stream what its events carry", () => {
    for (const { id, events } of of.filter((each) => "events" in each)) {
      const { operation } = operationsOf(document).find((each) => each.operation.operationId === id) ?? {};
      expect(operation?.responses["200"]).toMatchObject({
        content: {
          "text/event-stream": {
            schema: { type: "string" },
            "x-events": { [Object.keys(events)[0] ?? ""]: { data: {} } },
          },
        },
      });
    }
  });

  test("gives every enumeration a type, and every id an example of its kind", () => {
    const schemas = schemasOf(document as unknown as Json);
    expect(schemas.filter((schema) => "enum" in schema && !("type" in schema))).toEqual([]);
    const prefixes = { dispatch_id: "dis_", site_id: "site_", meter_id: "mtr_", account_id: "acc_", webhook_id: "wh_" };
    for (const [name, prefix] of Object.entries(prefixes))
      for (const example of schemas.flatMap((schema) => examplesOf(schema, name)))
        expect(JSON.stringify(example)).toMatch(base === "/2020-12-30" ? /^[1-9]\d*$/ : prefix);
  });

  test("says what waits and what is wanted in headers of the answers", () => {
    for (const { operation } of operationsOf(document)) {
      expect(operation.responses["401"]).toHaveProperty(["headers", "WWW-Authenticate"]);
      expect(operation.responses["429"]).toHaveProperty(["headers", "Retry-After"]);
    }
  });

  test("asks for a key that it describes", () => {
    for (const scheme of document.security.flatMap(Object.keys)) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
    expect(document.security).toHaveLength(1);
  });
});

describe("the operator's document", () => {
  test("leads from each kind of audit entry to its schema", () => {
    const document = said(operatorDocument());
    const { discriminator, anyOf } = document.components.schemas["AuditEntry"] as {
      discriminator: { mapping: Record<string, string> };
      anyOf: Array<{ $ref: string }>;
    };
    expect(Object.values(discriminator.mapping).toSorted()).toEqual(anyOf.map(({ $ref }) => $ref).toSorted());
    for (const [kind, pointer] of Object.entries(discriminator.mapping)) {
      const schema = document.components.schemas[pointer.split("/").at(-1) ?? ""] as { properties: object };
      expect(schema.properties).toMatchObject({ subject_kind: { const: kind } });
    }
  });
});

describe("the participants' document", () => {
  test("says how much of a minute's requests is left", () => {
    const { paths } = said(participantDocument());
    for (const status of ["200", "404", "429"])
      expect(paths["/dispatches/{id}"]?.["get"]?.responses[status]).toHaveProperty([
        "headers",
        "X-RateLimit-Remaining",
      ]);
  });

  test("names the key header that the operator chose (G7)", () => {
    const { components } = said(participantDocument({ keyHeader: "X-Brand-API-Key" }));
    expect(components.securitySchemes["apiKey"]).toEqual({
      type: "apiKey",
      in: "header",
      name: "X-Brand-API-Key",
      description: expect.any(String),
    });
  });

  test("has the twelve endpoints of the specification, and what it documents as an extension", () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /dispatches",
      "GET /dispatches/{id}",
      "POST /dispatches",
      "POST /scenarios",
      "POST /schedule/sites/{site_id}",
      "GET /sites",
      "POST /telemetry",
      "POST /telemetry/controllable-load",
      "GET /telemetry/kw",
      "GET /webhooks",
      "POST /webhooks",
      "DELETE /webhooks/{id}",
      "GET /dispatches/{id}/performance",
      "GET /dispatches/{id}/sites/{site_id}/performance",
      "GET /dispatches/{id}/performance/difference",
      "GET /dispatches/{id}/performance/table",
      "GET /requests",
      "GET /resends",
    ]);
  });
});
