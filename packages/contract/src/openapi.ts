import type { TSchema } from "typebox";
import type { Endpoint } from "./endpoint.js";
import { ErrorReply } from "./v2022-04-15/error.js";

export interface DocumentDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Address of the interface below the service's own, for example `/2022-04-15`. */
  readonly basePath: string;
  readonly security: { readonly name: string; readonly scheme: Record<string, unknown> };
  readonly endpoints: readonly Endpoint[];
}

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Components = Record<string, Json>;

/** Builds an OpenAPI 3.1 document; every schema with an `$id` becomes a component. */
export const openApiDocument = (of: DocumentDescription): Record<string, unknown> => {
  const components: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of of.endpoints) {
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: of.title,
      version: of.version,
      description: of.description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: of.basePath }],
    security: [{ [of.security.name]: [] }],
    paths,
    components: {
      securitySchemes: { [of.security.name]: of.security.scheme },
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

const operation = (of: Endpoint, components: Components) => ({
  operationId: of.id,
  tags: [of.tag],
  summary: of.summary,
  ...(of.description === undefined ? {} : { description: of.description }),
  ...parameters(of, components),
  ...(of.body === undefined
    ? {}
    : { requestBody: { required: true, content: { "application/json": { schema: reference(of.body, components) } } } }),
  responses: {
    [String(of.status ?? 200)]: {
      description: "Success",
      ...content(of, components),
    },
    ...notYet(of, components),
    ...errors(of, components),
  },
});

const content = (of: Endpoint, components: Components) => {
  const found = Object.fromEntries(mediaOf(of, components));
  return Object.keys(found).length === 0 ? {} : { content: found };
};

const mediaOf = (
  { reply, files = [], events }: Endpoint,
  components: Components,
): [type: string, content: object][] => [
  ...(reply === undefined ? [] : [["application/json", { schema: reference(reply, components) }] as [string, object]]),
  ...files.map((type): [string, object] => [type, {}]),
  ...(events === undefined ? [] : [["text/event-stream", streamOf(events, components)] as [string, object]]),
];

/** OpenAPI 3.1 has no words for what a stream sends; readers that do not know the extension see a text. */
const streamOf = (events: NonNullable<Endpoint["events"]>, components: Components) => {
  const data = Object.entries(events).map(([name, schema]) => [name, { data: reference(schema, components) }]);
  return { schema: { type: "string" }, "x-events": Object.fromEntries(data) };
};

const notYet = ({ notYet: schema }: Endpoint, components: Components) =>
  schema === undefined
    ? {}
    : {
        "202": {
          description: "Accepted: not there yet; ask again as Retry-After says.",
          content: { "application/json": { schema: reference(schema, components) } },
        },
      };

const parameters = (of: Endpoint, components: Components) => {
  const inPlace = (place: "path" | "query", schema: Endpoint["params"]) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = reference(property, components) as { description?: string };
      return {
        name,
        in: place,
        required: place === "path" || (schema?.required ?? []).some((required) => required === name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    });
  const all = [...inPlace("path", of.params), ...inPlace("query", of.query)];
  return all.length === 0 ? {} : { parameters: all };
};

const errorCauses: ReadonlyArray<readonly [status: number, cause: string]> = [
  [400, "Bad Request: the message names the place and what to do."],
  [401, "Unauthorized: no valid key."],
  [404, "Not Found: unknown, or not yours."],
  [429, "Too Many Requests: wait as Retry-After says."],
  [500, "Internal Server Error: the message carries a reference that the service's log also has."],
];

const errors = (of: Endpoint, components: Components) =>
  Object.fromEntries(
    errorCauses
      .filter(([status]) => status !== 404 || of.params !== undefined || of.query !== undefined)
      .map(([status, description]) => [
        String(status),
        { description, content: { "application/json": { schema: reference(ErrorReply, components) } } },
      ]),
  );

/** Copies a schema, moving every named part into the components. */
const reference = (schema: TSchema, components: Components): Json =>
  walk(JSON.parse(JSON.stringify(schema)) as Json, components);

const walk = (node: Json, components: Components): Json => {
  if (Array.isArray(node)) return node.map((each) => walk(each, components));
  if (node === null || typeof node !== "object") return node;
  const { $id: name, ...rest } = node;
  const walked = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value, components)]));
  if (typeof name !== "string") return walked;
  components[name] = walked;
  return { $ref: `#/components/schemas/${name}` };
};
