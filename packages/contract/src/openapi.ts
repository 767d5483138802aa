import type { TSchema } from "typebox";
import type { Endpoint, Notification } from "./endpoint.js";
import { webhooksOf } from "./openapi-webhooks.js";
import { ConflictReply, ErrorReply } from "./v2022-04-15/error.js";

export interface DocumentDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Address of the interface below the service's own, for example `/2022-04-15`. */
  readonly basePath: string;
  readonly security: { readonly name: string; readonly scheme: Record<string, unknown> };
  readonly endpoints: readonly Endpoint[];
  /** To callers who belong elsewhere, any operation is Not Found. */
  readonly hidesFromOthers?: boolean;
  /** Every answer says how much of a minute's requests is left. */
  readonly hasRateLimits?: boolean;
  /** Beside this one. */
  readonly servers?: readonly Server[];
  /** What this one is called beside others. */
  readonly serverName?: string;
  readonly notifications?: readonly Notification[];
}

export interface Server {
  readonly url: string;
  readonly description: string;
}

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Components = Record<string, Json>;

/** Builds an OpenAPI 3.1 document; every schema with an `$id` becomes a component. */
export const openApiDocument = (of: DocumentDescription): Record<string, unknown> => {
  const components: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const isOnce = of.endpoints.some(({ once }) => once !== undefined);
  for (const each of of.endpoints) {
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each, components, of);
  }
  const { notifications } = of;
  const webhooks =
    notifications === undefined
      ? {}
      : { webhooks: webhooksOf(notifications, (schema) => reference(schema, components)) };
  return {
    openapi: "3.1.0",
    info: {
      title: of.title,
      version: of.version,
      description: of.description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: serversOf(of),
    security: [{ [of.security.name]: [] }],
    paths,
    ...webhooks,
    components: {
      securitySchemes: { [of.security.name]: of.security.scheme },
      ...(isOnce ? { parameters: { IdempotencyKey: idempotencyKey } } : {}),
      headers: {
        ...headers,
        ...(isOnce ? replayHeaders : {}),
        ...(of.hasRateLimits === true ? rateHeaders : {}),
        ...(of.endpoints.some(({ status }) => status === 303) ? redirectHeaders : {}),
      },
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

const serversOf = ({ basePath, serverName, servers = [] }: DocumentDescription): readonly object[] => [
  { url: basePath, ...(serverName === undefined ? {} : { description: serverName }) },
  ...servers,
];

const always = (description: string, type: "integer" | "string") => ({ description, required: true, schema: { type } });

const headers = {
  "Retry-After": always("Seconds to wait before the request is sent again.", "integer"),
  "WWW-Authenticate": always("What has to be sent to be let in.", "string"),
};

const replayHeaders = {
  "Idempotency-Replayed": {
    description:
      "true: the answer to an earlier request with the same Idempotency-Key, which was not carried out again.",
    schema: { type: "string", enum: ["true"] },
  },
};

const redirectHeaders = {
  Location: always("Where the browser goes next.", "string"),
};

/** Of requests whose key is known; whatever is refused before that has none. */
const counted = (description: string) => ({ description, schema: { type: "integer" } });

const rateHeaders = {
  "X-RateLimit-Limit": counted("Requests a minute."),
  "X-RateLimit-Remaining": counted("Requests that are left in this minute."),
  "X-RateLimit-Reset": counted("Seconds until the minute is over."),
};

/** References to headers of an answer. */
const named = (...names: readonly string[]) => {
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return references.length === 0 ? {} : { headers: Object.fromEntries(references) };
};

type Limited = Pick<DocumentDescription, "hasRateLimits" | "hidesFromOthers">;

const rateNames = ({ hasRateLimits = false }: Limited): readonly string[] =>
  hasRateLimits ? Object.keys(rateHeaders) : [];

const operation = (of: Endpoint, components: Components, document: Limited) => ({
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
      ...named(
        ...rateNames(document),
        ...(of.once === undefined ? [] : Object.keys(replayHeaders)),
        ...(of.status === 303 ? Object.keys(redirectHeaders) : []),
      ),
      ...content(of, components),
    },
    ...notYet(of, components),
    ...errors(of, components, document),
  },
});

const content = (of: Endpoint, components: Components) => {
  const found = Object.fromEntries(mediaOf(of, components));
  return Object.keys(found).length === 0 ? {} : { content: found };
};

const mediaOf = (
  { reply, otherForms = [], files = [], events }: Endpoint,
  components: Components,
): [type: string, content: object][] => [
  ...(reply === undefined ? [] : [["application/json", { schema: reference(reply, components) }] as [string, object]]),
  ...[...otherForms, ...files].map((type): [string, object] => [type, {}]),
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
          ...named("Retry-After"),
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
  const once = of.once !== undefined ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : [];
  const all = [...inPlace("path", of.params), ...inPlace("query", of.query), ...once];
  return all.length === 0 ? {} : { parameters: all };
};

/** Mirrors the rule of the service (`domain/idempotency.ts`). */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Has the request carried out once, however often it is sent: the same key and request within 24 hours get the first answer again, another request with the key gets 400. Errors are not kept. Choose a new UUID for each thing that is to be done.",
  schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!-~]+$" },
  example: "0c1f0a5e-6a3b-4a0e-9a43-3f5d2c6b7e11",
};

const errorCauses: ReadonlyArray<readonly [status: number, cause: string]> = [
  [400, "Bad Request: the message names the place and what to do."],
  [401, "Unauthorized: no valid key."],
  [404, "Not Found: unknown, or not yours."],
  [409, "Conflict: it is not known how an earlier request with the same Idempotency-Key went."],
  [429, "Too Many Requests: wait as Retry-After says."],
  [500, "Internal Server Error: the message carries a reference that the service's log also has."],
];

/** Of an answer without a key nothing is counted; what has to be waited for says for how long. */
const headersOfError = (status: number, document: Limited) => {
  if (status === 401) return named("WWW-Authenticate");
  return status === 429 ? named("Retry-After", ...rateNames(document)) : named(...rateNames(document));
};

const mayAnswer = (of: Endpoint, status: number, { hidesFromOthers }: Hiding): boolean => {
  if (status === 404) return hidesFromOthers === true || mayBeMissing(of);
  return status !== 409 || of.once === "outside";
};

type Hiding = Pick<DocumentDescription, "hidesFromOthers">;

const mayBeMissing = ({ params, query, isOptional }: Endpoint): boolean =>
  params !== undefined || query !== undefined || isOptional === true;

const errors = (of: Endpoint, components: Components, document: Limited) =>
  Object.fromEntries(
    errorCauses
      .filter(([status]) => mayAnswer(of, status, document))
      .map(([status, description]) => [
        String(status),
        {
          description,
          ...headersOfError(status, document),
          content: {
            "application/json": { schema: reference(status === 409 ? ConflictReply : ErrorReply, components) },
          },
        },
      ]),
  );

/** Copies a schema, moving every named part into the components. */
const reference = (schema: TSchema, components: Components): Json =>
  walk(JSON.parse(JSON.stringify(schema)) as Json, components);

const walk = (node: Json, components: Components): Json => {
  if (Array.isArray(node)) return node.map((each) => walk(each, components));
  if (node === null || typeof node !== "object") return node;
  const { $id: name, ...rest } = node;
  const walked = typed(Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value, components)])));
  if (typeof name !== "string") return walked;
  components[name] = walked;
  return { $ref: `#/components/schemas/${name}` };
};

/** Generators of clients want a type beside the values of an enumeration. */
const typed = (schema: { [member: string]: Json }): { [member: string]: Json } => {
  const { enum: values } = schema;
  if (!Array.isArray(values) || schema["type"] !== undefined) return schema;
  if (values.every((value) => typeof value === "string")) return { type: "string", ...schema };
  return values.every(Number.isInteger) ? { type: "integer", ...schema } : schema;
};
