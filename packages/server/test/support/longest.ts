import type { Endpoint } from "@curtail/contract";

/** A request with one part of maximum length. */
export interface LongRequest {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Described {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly patternProperties?: Readonly<Record<string, Described>>;
}

/** What to put where the schema has texts, lists and names of members. */
interface Filling {
  readonly text: string;
  readonly name: string;
  readonly items: number;
}

const filled = (schema: Described, filling: Filling): unknown => {
  if (schema.enum !== undefined) return filling.text === "" ? schema.enum[0] : filling.text;
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0] !== undefined) return filled(schema.anyOf[0], filling);
  if (schema.items !== undefined) return listOf(schema.items, filling);
  if (schema.properties !== undefined) return objectOf(schema.properties, filling);
  const [named] = Object.values(schema.patternProperties ?? {});
  if (named !== undefined) return { [filling.name]: filled(named, filling) };
  if (schema.type === "integer" || schema.type === "number") return 60;
  return schema.type === "boolean" ? false : filling.text;
};

const listOf = (schema: Described, filling: Filling): unknown[] =>
  filling.items > 1 ? Array.from({ length: filling.items }, () => ({})) : [filled(schema, filling)];

const objectOf = (properties: Readonly<Record<string, Described>>, filling: Filling): object =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, filled(each, filling)]));

const TEN_THOUSAND = "L".repeat(10_000);

const addressesOf = ({ method, path, query }: Endpoint): LongRequest[] => {
  const plain = path.replaceAll(/\{\w+\}/g, "x");
  const names = Object.keys((query as Described | undefined)?.properties ?? {});
  return [
    { what: "ids", method, path: path.replaceAll(/\{\w+\}/g, TEN_THOUSAND.slice(0, 5000)) },
    ...["L", "9", "%00"].map((each) => ({
      what: `query of ${each}`,
      method,
      path: `${plain}?${names.map((name) => `${name}=${each.repeat(10_000 / each.length / (names.length + 1))}`).join("&")}`,
    })),
    { what: "name in the query", method, path: `${plain}?${TEN_THOUSAND}=1` },
    { what: "2,000 queries", method, path: `${plain}?${names[0] ?? "a"}=1${`&${names[0] ?? "a"}=1`.repeat(700)}` },
  ];
};

/** Headers that handlers of single endpoints read. */
export const HANDLED_HEADERS = ["accept", "last-event-id", "idempotency-key"];

export const ALL_HEADERS = [
  ...HANDLED_HEADERS,
  "content-type",
  "content-encoding",
  "authorization",
  "cookie",
  "x-service-api-key",
  "x-forwarded-for",
  "user-agent",
  "origin",
];

const headersOf = ({ method, path, body }: Endpoint, names: readonly string[]): LongRequest[] =>
  names.map((name) => ({
    what: name,
    method,
    path: path.replaceAll(/\{\w+\}/g, "x"),
    headers: { [name]: TEN_THOUSAND },
    ...(body === undefined ? {} : { body: "{}" }),
  }));

/** Bodies are created on demand: all of them at their longest take a second. */
const bodiesOf = (schema: Described, bytes: number) => {
  const [member = "a"] = Object.keys(schema.properties ?? {});
  const fill = (filling: Partial<Filling>): string =>
    JSON.stringify(filled(schema, { text: "", name: "label", items: 1, ...filling }));
  const texts = Math.floor(bytes / (fill({ text: "\n" }).split("\\n").length + 1));
  const objects = Math.floor(bytes / 3 / (fill({ items: 2 }).split("{},{}").length + 1));
  return {
    texts: () => fill({ text: "L".repeat(texts) }),
    "texts of control characters": () => fill({ text: "\u0001".repeat(texts / 6) }),
    "times before 1970": () => fill({ text: `1969-12-31T23:59:59.${"9".repeat(texts)}Z` }),
    times: () => fill({ text: `2026-12-31T23:59:59.${"9".repeat(texts)}Z` }),
    "times that are none": () => fill({ text: "9".repeat(texts) }),
    labels: () => fill({ name: "L".repeat(bytes / 2), items: 300 }),
    lists: () => fill({ items: objects }),
    "list at the top": () => `[${"{},".repeat(bytes / 3)}{}]`,
    "list in a member": () => `{"${member}":[${"{},".repeat(bytes / 3)}{}]}`,
    "list of numbers": () => `{"${member}":[${"1,".repeat(bytes / 2)}1]}`,
    "list of lists": () => `{"${member}":[[${"[],".repeat(bytes / 3)}[]]]}`,
    "unknown list": () => `{"unknown":[${"{},".repeat(bytes / 3)}{}]}`,
    names: () => `{"${"L".repeat(bytes)}":1}`,
    "many names": () => `{${Array.from({ length: bytes / 12 }, (_, index) => `"a${index}":1`).join(",")}}`,
    depth: () => "[".repeat(bytes),
    "depth in a member": () => `{"${member}":${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}}`,
    number: () => `{"${member}":${"9".repeat(bytes)}}`,
    spaces: () => " ".repeat(bytes),
    quotes: () => '"'.repeat(bytes),
  };
};

function* withBodies({ method, path, body }: Endpoint, bytes: number): Generator<LongRequest> {
  const schema = (body ?? {}) as Described;
  const plain = path.replaceAll(/\{\w+\}/g, "x");
  for (const [what, make] of Object.entries(bodiesOf(schema, bytes))) yield { what, method, path: plain, body: make() };
  yield { what: "texts far beyond", method, path: plain, body: farBeyond(4 * bytes) };
}

/**
 * Requests of an endpoint, each with one part of maximum length: each of the headers, bodies of about `bytes`, and one far larger.
 * Without names in its query, or texts in its body, several are the same: such a request is sent once.
 */
export function* longestOf(endpoint: Endpoint, bytes: number, headers: readonly string[]): Generator<LongRequest> {
  yield* firstOfEach(addressesOf(endpoint), ({ path }) => path);
  yield* headersOf(endpoint, headers);
  if (endpoint.method !== "GET") yield* firstOfEach(withBodies(endpoint, bytes), ({ body }) => body);
}

function* firstOfEach<T>(all: Iterable<T>, sameOf: (each: T) => unknown): Generator<T> {
  const seen = new Set<unknown>();
  for (const each of all) {
    if (!seen.has(sameOf(each))) yield each;
    seen.add(sameOf(each));
  }
}

const farBeyondBodies = new Map<number, Buffer>();

/** Made once for each size: it is refused by its length, whatever it contains. */
const farBeyond = (bytes: number): Buffer => {
  const body = farBeyondBodies.get(bytes) ?? Buffer.from(JSON.stringify({ label: "L".repeat(bytes) }));
  farBeyondBodies.set(bytes, body);
  return body;
};
