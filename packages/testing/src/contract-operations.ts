import {
  authDocument,
  consoleDocument,
  operatorDocument,
  participantDocument,
  referencePaths,
  sandboxDocument,
  VERSION,
} from "@curtail/contract";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { type Strictness, strict } from "./strict-schema.js";

/** An OpenAPI document's description of an operation's replies. */
export interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, DescribedMedia>>;
}

interface DescribedMedia {
  readonly schema?: TSchema;
  readonly "x-events"?: Readonly<Record<string, { readonly data: TSchema }>>;
}

interface Document {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, TSchema>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

/** Returns what is wrong with a value, or null. */
export type Check = (value: unknown) => string | null;

export interface Operation extends Described {
  readonly method: string;
  readonly path: RegExp;
  /** Whether the header is required in every reply of that status. */
  readonly requires: (header: string, status: number) => boolean;
  /** Compiled on first use. */
  readonly checkOf: (schema: TSchema) => Check;
}

const operationsOf = (document: Document): Operation[] => {
  const base = document.servers[0].url;
  const how: Strictness = { components: document.components.schemas, wholeSeconds: base === `/${VERSION}` };
  const checks = new Map<TSchema, Check>();
  const checkOf = (schema: TSchema): Check => {
    const check = checks.get(schema) ?? compiled(schema, how);
    checks.set(schema, check);
    return check;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path: new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      requires: (header, status) =>
        document.components.headers[header]?.required === true || (status < 400 && header.startsWith("X-RateLimit-")),
      checkOf,
    })),
  );
};

const compiled = (schema: TSchema, how: Strictness): Check => {
  const check = Compile(strict(schema, how));
  return (value) => {
    if (check.Check(value)) return null;
    const faults = [...check.Errors(value)].slice(0, 5);
    return faults
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
      .join("; ");
  };
};

const documents = [sandboxDocument(), participantDocument(), operatorDocument(), consoleDocument(), authDocument()].map(
  (each) => each as unknown as Document,
);
const bases = [...new Set(documents.map(({ servers }) => servers[0].url))];
const references = new Set(bases.flatMap((base) => Object.values(referencePaths).map((path) => base + path)));

const hasParameter = ({ path }: Operation): boolean => path.source.includes("[^/]+");

// `/dispatches/past` before `/dispatches/{id}`, as in the router.
const operations = documents
  .flatMap(operationsOf)
  .toSorted((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)));

/** Whether an address belongs to one of the interfaces. */
export const isOfInterface = (path: string): boolean =>
  bases.some((base) => path.startsWith(`${base}/`)) && !references.has(path);

export const operationAt = (method: string, path: string): Operation | undefined =>
  operations.find((each) => each.method === method && each.path.test(path));
