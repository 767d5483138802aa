import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fullFormats } from "ajv-formats/dist/formats.js";
import OpenAPIResponseValidator from "openapi-response-validator";
import { parse } from "yaml";

const fixtures = process.env["TEST_FIXTURES"];

/** The official document; it is not ours to keep. */
const path =
  [process.env["OPENADR3_YAML"], fixtures && join(fixtures, "openadr3", "openadr3.yaml")].find(
    (file) => file !== undefined && existsSync(file),
  ) ?? null;

export const NO_DOCUMENT = "neither OPENADR3_YAML nor TEST_FIXTURES/openadr3 has the official openadr3.yaml";
export const hasDocument = path !== null;

type Node = Record<string, unknown>;
interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId: string; readonly responses: Node }>>;
  readonly components: { readonly responses: Record<string, Node>; readonly schemas: Record<string, Node> };
}

/** Answers that the document does not foresee are problems all the same. */
const OTHER_ERRORS = [400, 401, 403, 404, 409, 429, 500, 501, 503];

const resolved = ({ responses }: Document["components"], response: unknown): unknown => {
  const { $ref } = response as { $ref?: string };
  return $ref === undefined ? response : responses[$ref.replace("#/components/responses/", "")];
};

/**
 * Two places that no validator could use as they are: a ven and a resource would have to have two values of objectType
 * at once, and `exclusiveMaximum` of a status is true, as OpenAPI 3.0 has it.
 */
const usable = (schemas: Document["components"]["schemas"]): Document["components"]["schemas"] => {
  const copy = structuredClone(schemas);
  for (const [name, request] of [
    ["ven", "BlVenRequest"],
    ["resource", "BlResourceRequest"],
  ] as const) {
    const members = structuredClone(copy[request]) as { properties: Node };
    delete members.properties["objectType"];
    (copy[name] as { allOf: unknown[] }).allOf = [{ $ref: "#/components/schemas/objectMetadata" }, members];
  }
  const status = (copy["problem"] as { properties: { status: Node } }).properties.status;
  delete status["exclusiveMaximum"];
  status["maximum"] = 599;
  return copy;
};

const load = (file: string) => {
  const { paths, components } = parse(readFileSync(file, "utf8")) as Document;
  const schemas = usable(components.schemas);
  const problem = { content: { "application/json": { schema: { $ref: "#/components/schemas/problem" } } } };
  const others = Object.fromEntries(OTHER_ERRORS.map((status) => [status, problem]));
  const operations = Object.values(paths).flatMap((path) =>
    Object.values(path).filter(({ operationId }) => operationId !== undefined),
  );
  return new Map(
    operations.map(({ operationId, responses }) => {
      const own = Object.entries(responses).map(([status, response]) => [status, resolved(components, response)]);
      const all = { ...others, ...Object.fromEntries(own) } as ConstructorParameters<
        typeof OpenAPIResponseValidator.default
      >[0]["responses"];
      const customFormats = Object.fromEntries((["date-time", "uri"] as const).map((name) => [name, checkOf(name)]));
      const validator = new OpenAPIResponseValidator.default({
        responses: all,
        components: { schemas } as never,
        customFormats,
      });
      return [operationId, validator] as const;
    }),
  );
};

const checkOf = (name: "date-time" | "uri"): ((text: string) => boolean) => {
  const format = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate = typeof format === "function" ? format : (format as { validate: (text: string) => boolean }).validate;
  return (text) => validate(text) === true;
};

let validators: ReturnType<typeof load> | undefined;

/** How an answer differs from the official document; null: not at all, or there is no document. */
export const faultOfAnswer = (
  endpoint: { readonly id: string },
  { status, body }: { readonly status: number; readonly body: unknown },
): string | null => {
  if (path === null) return null;
  validators ??= load(path);
  const validator = validators.get(endpoint.id);
  if (validator === undefined) return `the document has no operation ${endpoint.id}`;
  // The validator adds defaults to what it is given.
  const found = validator.validateResponse(status, structuredClone(body)) as { errors?: unknown } | undefined;
  return found === undefined ? null : `${endpoint.id} answered ${status}: ${JSON.stringify(found.errors)}`;
};

/** Operations of the document, by their ids; null without it. */
export const documented = (): ReadonlyMap<
  string,
  { method: string; path: string; scopes: readonly string[] }
> | null => {
  if (path === null) return null;
  const { paths } = parse(readFileSync(path, "utf8")) as {
    paths: Record<string, Record<string, { operationId?: string; security?: Array<Record<string, string[]>> }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, security }]) =>
        operationId === undefined
          ? []
          : [
              [
                operationId,
                {
                  method: method.toUpperCase(),
                  path: at,
                  scopes: (security ?? []).flatMap((each) => each["oAuth2ClientCredentials"] ?? []),
                },
              ] as const,
            ],
      ),
    ),
  );
};
