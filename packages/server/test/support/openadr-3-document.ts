import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type Validator from "openapi-response-validator";
import { parse } from "yaml";

const fixtures = process.env["TEST_FIXTURES"];

/** The official document; it is not ours to keep. */
const path =
  [process.env["OPENADR3_YAML"], fixtures && join(fixtures, "openadr3", "openadr3.yaml")].find(
    (file) => file !== undefined && existsSync(file),
  ) ?? null;

export const NO_DOCUMENT = "neither OPENADR3_YAML nor TEST_FIXTURES/openadr3 has the official openadr3.yaml";
export const hasDocument = path !== null;

// Node and vitest disagree on the default export of this module.
const require = createRequire(import.meta.url);
const { default: OpenAPIResponseValidator } = require("openapi-response-validator") as typeof Validator;

type Node = Record<string, unknown>;
export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly responses: Node;
  readonly security?: ReadonlyArray<Record<string, readonly string[]>>;
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Omit<DocumentedOperation, "method" | "path">>>;
  readonly components: { readonly responses: Record<string, Node>; readonly schemas: Record<string, Node> };
}

/** Answers that the document does not foresee are problems all the same. */
const OTHER_ERRORS = [400, 401, 403, 404, 409, 429, 500, 501, 503];

const resolved = ({ responses }: Document["components"], response: unknown): unknown => {
  const { $ref } = response as { $ref?: string };
  return $ref === undefined ? response : responses[$ref.replace("#/components/responses/", "")];
};

/**
 * Three places that no validator can use as they are: a ven and a resource would have to have two values of objectType
 * at once; the default of a ven's targets is a text; and `exclusiveMaximum` of a status is true, as OpenAPI 3.0 has it.
 */
const usable = (schemas: Document["components"]["schemas"]): Document["components"]["schemas"] => {
  const copy = structuredClone(schemas);
  for (const [name, request] of [
    ["ven", "BlVenRequest"],
    ["resource", "BlResourceRequest"],
  ] as const) {
    const members = structuredClone(copy[request]) as { properties: Record<string, Node> };
    delete members.properties["objectType"];
    delete members.properties["targets"]?.["default"];
    (copy[name] as { allOf: unknown[] }).allOf = [{ $ref: "#/components/schemas/objectMetadata" }, members];
  }
  const status = (copy["problem"] as { properties: { status: Node } }).properties.status;
  delete status["exclusiveMaximum"];
  status["maximum"] = 599;
  return copy;
};

/** The schema of an answer; any that the document does not foresee is a problem. */
const responseOf = ({ components }: Document, { responses }: DocumentedOperation, status: number): unknown => {
  const own = responses[status];
  if (own !== undefined) return resolved(components, own);
  return OTHER_ERRORS.includes(status)
    ? resolved(components, { $ref: "#/components/responses/badRequest" })
    : undefined;
};

let document: Document | undefined;
const loaded = (): Document => {
  if (path === null) throw new Error(NO_DOCUMENT);
  if (document !== undefined) return document;
  const { paths, components } = parse(readFileSync(path, "utf8")) as Document;
  document = { paths, components: { ...components, schemas: usable(components.schemas) } };
  return document;
};

const operationsOf = ({ paths }: Document): ReadonlyMap<string, DocumentedOperation> =>
  new Map(
    Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => operationId !== undefined)
        .map(([method, operation]) => [
          operation.operationId,
          { ...operation, method: method.toUpperCase(), path: at },
        ]),
    ),
  );

const customFormats = () => Object.fromEntries((["date-time", "uri"] as const).map((name) => [name, checkOf(name)]));

const checkOf = (name: "date-time" | "uri"): ((text: string) => boolean) => {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  const { validate } = format as { readonly validate: (text: string) => boolean };
  return typeof format === "function" ? format : (text) => validate(text);
};

/** One for each operation and status: compiling all of them takes many seconds. */
const validators = new Map<string, InstanceType<typeof OpenAPIResponseValidator>>();

const validatorOf = (id: string, status: number) => {
  const known = validators.get(`${id} ${status}`);
  if (known !== undefined) return known;
  const operation = operationsOf(loaded()).get(id);
  const response = operation && responseOf(loaded(), operation, status);
  if (response === undefined) return null;
  const made = new OpenAPIResponseValidator({
    responses: { [status]: response } as never,
    components: { schemas: loaded().components.schemas },
    customFormats: customFormats(),
  });
  validators.set(`${id} ${status}`, made);
  return made;
};

/** How an answer differs from the official document; null: not at all, or there is no document. */
export const faultOfAnswer = (
  { id }: { readonly id: string },
  { status, body }: { readonly status: number; readonly body: unknown },
): string | null => {
  if (!hasDocument) return null;
  const validator = validatorOf(id, status);
  if (validator === null) return `the document has no answer ${status} of ${id}`;
  // The validator adds defaults to what it is given.
  const found = validator.validateResponse(status, structuredClone(body)) as { errors?: unknown } | undefined;
  return found === undefined ? null : `${id} answered ${status}: ${JSON.stringify(found.errors)}`;
};

/** Operations of the document, by their ids. */
export const documentedOperations = (): ReadonlyMap<string, DocumentedOperation> => operationsOf(loaded());

let notifications: InstanceType<typeof OpenAPIResponseValidator> | undefined;

/** How a notification differs from the official document; null: not at all, or there is no document. */
export const faultOfNotification = (body: unknown): string | null => {
  if (!hasDocument) return null;
  notifications ??= new OpenAPIResponseValidator({
    responses: {
      200: {
        description: "",
        content: { "application/json": { schema: { $ref: "#/components/schemas/notification" } } },
      },
    } as never,
    components: { schemas: loaded().components.schemas },
    customFormats: customFormats(),
  });
  const found = notifications.validateResponse(200, structuredClone(body)) as { errors?: unknown } | undefined;
  return found === undefined ? null : JSON.stringify(found.errors);
};
