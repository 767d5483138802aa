import type { Endpoint } from "@curtail/contract";
import fc from "fast-check";
import type { TSchema } from "typebox";

/** The parts of a request; `body` is sent as it is, JSON or not. */
export interface AnyRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** Values of kinds that once got past a check. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, "", " ", "\u0000", "a\u0000", "\ud800", "\udfff\ud800", [], {}, true, [null], [[]]),
  fc.constantFrom<unknown>("now", "infinity", "-infinity", "2022-02-30T00:00:00Z", "2026-01-01T00:00:00", "epoch"),
  fc.constantFrom<unknown>("300000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "24:00"),
  fc.constantFrom<unknown>(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, "NaN", "1e999"),
  fc.constantFrom<unknown>("'; drop table accounts; --", "%s%n", "../..", "${7*7}", "__proto__", "a".repeat(3000)),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 30 }),
);

interface Described {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** Mostly valid values, with ids and times from `likely`; now and then something odd. */
const valueOf = (schema: Described, likely: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: fittingOf(schema, likely) }, { weight: 1, arbitrary: odd });

const fittingOf = (schema: Described, likely: readonly string[]): fc.Arbitrary<unknown> => {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => valueOf(each, likely)));
  if (schema.items !== undefined) return fc.array(valueOf(schema.items, likely), { maxLength: 4 });
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).map(([name, each]) => [name, valueOf(each, likely)] as const);
    return fc.record(Object.fromEntries(members), { requiredKeys: [] });
  }
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  if (schema.type === "integer") return fc.constantFrom(30, 60, 300, 1, 0, 45, 86_400);
  if (schema.type === "number") return fc.oneof(fc.constantFrom(0, -5, 12.5, 1e7), fc.double());
  return fc.constantFrom(...likely);
};

const bodyOf = (schema: TSchema | undefined, likely: readonly string[]): fc.Arbitrary<string | undefined> => {
  if (schema === undefined) return fc.constant(undefined);
  const json = valueOf(schema as Described, likely).map((value) => JSON.stringify(value));
  return fc.oneof({ weight: 19, arbitrary: json }, { weight: 1, arbitrary: fc.string({ unit: "binary" }) });
};

const textOf = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // A lone surrogate cannot be encoded in a URL.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd").slice(0, 3000));
};

const queryOf = (schema: Described | undefined, likely: readonly string[]): fc.Arbitrary<string> => {
  const names = Object.keys(schema?.properties ?? {});
  if (names.length === 0) return fc.constant("");
  const value = fc.oneof(fc.constantFrom<unknown>(...likely, 30, 60, 10), odd);
  const pair = fc.tuple(fc.constantFrom(...names), value).map(([name, each]) => `${name}=${textOf(each)}`);
  return fc.array(pair, { maxLength: 6 }).map((pairs) => `?${pairs.join("&")}`);
};

/** Any request of one of the endpoints. */
export const anyRequest = (endpoints: readonly Endpoint[], likely: readonly string[]): fc.Arbitrary<AnyRequest> =>
  fc.constantFrom(...endpoints).chain(({ method, path, query, body }) => {
    const parameters = path.match(/\{\w+\}/g) ?? [];
    const values = parameters.map(() => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, odd));
    return fc
      .tuple(fc.tuple(...values), queryOf(query as Described | undefined, likely), bodyOf(body, likely))
      .map(([ids, search, content]) => ({
        method,
        path: ids.reduce<string>((filled, id) => filled.replace(/\{\w+\}/, () => textOf(id)), path) + search,
        body: content,
      }));
  });
