import type { TSchema } from "typebox";
import type { Endpoint, Notification } from "./endpoint.js";
import { type Components, type Json, pascal, reference } from "./openapi-components.js";
import { webhooksOf } from "./openapi-webhooks.js";
import { ConflictReply, ErrorReply } from "./v2022-04-15/error.js";

export interface DocumentDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Path of the interface below the service's address, for example `/2022-04-15`. */
  readonly basePath: string;
  readonly security: { readonly name: string; readonly scheme: Record<string, unknown> };
  readonly endpoints: readonly Endpoint[];
  /** Callers of the other side get 404 from every operation. */
  readonly hidesFromOthers?: boolean;
  /** Every reply states how many requests are left in the minute. */
  readonly hasRateLimits?: boolean;
  /** Servers of a running service, its own first; else the path alone. */
  readonly servers?: readonly Server[];
  readonly notifications?: readonly Notification[];
}

export interface Server {
  readonly url: string;
  readonly description: string;
}

/**
 * Builds an OpenAPI 3.1 document. Every object that is sent or answered becomes a component (`openapi-components.ts`).
 *
 * @returns the document as JSON, with components sorted by name, so that the same contract gives the same document
 */
export const openApiDocument = (of: DocumentDescription): Record<string, unknown> => {
  const components: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const isOnce = of.endpoints.some(({ once }) => once !== undefined);
  const isTagged = of.endpoints.some((each) => each.isTagged === true);
  for (const each of of.endpoints) {
    (paths[each.path] ??= {})[each.method.toLowerCase()] = operation(each, components, of);
  }
  const { notifications } = of;
  const webhooks = notifications === undefined ? {} : { webhooks: webhooksOf(notifications, components) };
  return {
    openapi: "3.1.0",
    info: {
      title: of.title,
      version: of.version,
      description: of.description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: of.servers ?? [{ url: of.basePath }],
    security: [{ [of.security.name]: [] }],
    paths,
    ...webhooks,
    components: {
      securitySchemes: { [of.security.name]: of.security.scheme },
      ...(isOnce || isTagged
        ? {
            parameters: {
              ...(isOnce ? { IdempotencyKey: idempotencyKey } : {}),
              ...(isTagged ? { IfNoneMatch: ifNoneMatch } : {}),
            },
          }
        : {}),
      headers: {
        ...headers,
        ...(isOnce ? replayHeaders : {}),
        ...(isTagged ? tagHeaders : {}),
        ...(of.hasRateLimits === true ? rateHeaders : {}),
        ...(of.endpoints.some(({ status }) => status === 303) ? redirectHeaders : {}),
      },
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};

/** A header that every reply of its status has. */
const always = (description: string, example: number | string) => ({
  description,
  required: true,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
});

const headers = {
  "Retry-After": always("Seconds to wait before sending the request again.", 5),
  "WWW-Authenticate": always("Authentication scheme that the operation requires.", 'Bearer realm="Curtail"'),
};

const replayHeaders = {
  "Idempotency-Replayed": {
    description:
      "`true`: this is the stored reply to an earlier request with the same Idempotency-Key. The request was not carried out again.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
};

const tagHeaders = {
  ETag: always("Tag of the reply: it changes with anything in the body.", 'W/"ZK0Yq3mTn8bVx2Lr5cW7dA"'),
};

const redirectHeaders = {
  Location: always("Address that the browser opens next.", "/dashboard"),
};

/** Present once the key is known; requests refused before that are not counted. */
const counted = (description: string, example: number) => ({ description, schema: { type: "integer" }, example });

const rateHeaders = {
  "X-RateLimit-Limit": counted("Requests allowed per minute.", 1200),
  "X-RateLimit-Remaining": counted("Requests left in the current minute.", 1187),
  "X-RateLimit-Reset": counted("Seconds until the current minute ends.", 42),
};

/** References to headers of a reply. */
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
  description: of.description,
  ...(of.isOpen === true ? { security: [] } : {}),
  ...parameters(of, components),
  ...(of.body === undefined
    ? {}
    : { requestBody: { required: true, content: bodyMedia(of, bodyOf(of, of.body, components)) } }),
  responses: {
    [String(of.status ?? 200)]: {
      description: successes[of.status ?? 200],
      ...named(
        ...rateNames(document),
        ...(of.once === undefined ? [] : Object.keys(replayHeaders)),
        ...(of.isTagged === true ? Object.keys(tagHeaders) : []),
        ...(of.status === 303 ? Object.keys(redirectHeaders) : []),
      ),
      ...content(of, components),
    },
    ...(of.isTagged === true ? notModified(document) : {}),
    ...notYet(of, components),
    ...errors(of, components, document),
  },
});

/** A body without an `$id` is named after its operation. */
const bodyOf = ({ id, summary }: Endpoint, body: TSchema, components: Components): Json =>
  reference(body, components, `${pascal(id)}Request`, `Body of the operation "${summary}".`);

const replyOf = ({ id, summary }: Endpoint, reply: TSchema, components: Components): Json =>
  reference(reply, components, `${pascal(id)}Reply`, `Reply to the operation "${summary}".`);

const BYTES = "application/octet-stream";

const bodyMedia = ({ takes = ["application/json"], body }: Endpoint, schema: Json) =>
  // Generators of clients make a file of it only if the schema says so here.
  Object.fromEntries(takes.map((type) => [type, { schema: type === BYTES ? { ...body, format: "binary" } : schema }]));

const successes = {
  200: "The request succeeded.",
  201: "Created.",
  204: "Done. The response has no body.",
  303: "Redirects the browser.",
} as const;

const content = (of: Endpoint, components: Components) => {
  const found = Object.fromEntries(mediaOf(of, components));
  return Object.keys(found).length === 0 ? {} : { content: found };
};

const mediaOf = (of: Endpoint, components: Components): [type: string, content: object][] => {
  const { reply, otherForms = [], files = [], events } = of;
  return [
    ...(reply === undefined
      ? []
      : [["application/json", { schema: replyOf(of, reply, components) }] as [string, object]]),
    ...[...otherForms, ...files].map((type): [string, object] => [type, {}]),
    ...(events === undefined ? [] : [["text/event-stream", streamOf(of.id, events, components)] as [string, object]]),
  ];
};

/** OpenAPI 3.1 cannot describe the events of a stream; tools that do not know the extension see a string. */
const streamOf = (id: string, events: NonNullable<Endpoint["events"]>, components: Components) => {
  const dataOf = (name: string, schema: TSchema) =>
    reference(schema, components, `${pascal(id)}${pascal(name)}Event`, `Data of the event \`${name}\`.`);
  const data = Object.entries(events).map(([name, schema]) => [name, { data: dataOf(name, schema) }]);
  return { schema: { type: "string" }, "x-events": Object.fromEntries(data) };
};

const notYet = ({ id, notYet: schema }: Endpoint, components: Components) =>
  schema === undefined
    ? {}
    : {
        "202": {
          description: "Accepted: the result is being prepared. Ask again after Retry-After.",
          ...named("Retry-After"),
          content: { "application/json": { schema: reference(schema, components, `${pascal(id)}NotYet`) } },
        },
      };

const parameters = (of: Endpoint, components: Components) => {
  const inPlace = (place: "path" | "query", schema: Endpoint["params"]) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = reference(property, components, pascal(name)) as { description?: string };
      return {
        name,
        in: place,
        required: place === "path" || (schema?.required ?? []).some((required) => required === name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      };
    });
  const inHeader = headerParameters(of).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const all = [...inPlace("path", of.params), ...inPlace("query", of.query), ...inHeader];
  return all.length === 0 ? {} : { parameters: all };
};

const headerParameters = ({ once, isTagged }: Endpoint): readonly string[] => [
  ...(once === undefined ? [] : ["IdempotencyKey"]),
  ...(isTagged === true ? ["IfNoneMatch"] : []),
];

const notModified = (document: Limited) => ({
  "304": {
    description: "Not modified: the reply is the one that `If-None-Match` names.",
    ...named(...rateNames(document), ...Object.keys(tagHeaders)),
  },
});

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`ETag` of a reply that you have. If the reply would be the same, it is 304 without a body.",
  schema: { type: "string" },
  example: 'W/"ZK0Yq3mTn8bVx2Lr5cW7dA"',
};

/** Mirrors the rule of the service (`platform/idempotency.ts`). */
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes a retry safe: the request is carried out once. Within 24 hours the same request with the same key gets the stored reply; a different request with the key gets 400. Errors are not stored. Use a new UUID for each new request.",
  schema: { type: "string", minLength: 1, maxLength: 200, pattern: "^[!-~]+$" },
  example: "0c1f0a5e-6a3b-4a0e-9a43-3f5d2c6b7e11",
};

const errorCauses: ReadonlyArray<readonly [status: number, cause: string]> = [
  [400, "Bad Request: the message states where the error is and how to correct it."],
  [401, "Unauthorized: the credentials are missing, invalid or revoked."],
  [404, "Not Found: the object does not exist, or belongs to somebody else."],
  [409, "Conflict: the outcome of an earlier request with the same Idempotency-Key is not known."],
  [429, "Too Many Requests: wait for the seconds in Retry-After."],
  [500, "Internal Server Error: the message contains a reference, which the service's log contains too."],
];

/** Requests without a valid key are not counted. */
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
            "application/json": { schema: reference(status === 409 ? ConflictReply : ErrorReply, components, "Error") },
          },
        },
      ]),
  );
