import { endpoints } from "@curtail/openadr-3";
import { describe, expect, test } from "vitest";
import { documentedOperations, faultOfAnswer, hasDocument, NO_DOCUMENT } from "../support/openadr-3-document.js";

/** Names of parameters are ours. */
const anonymous = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");

describe.skipIf(!hasDocument)(`the official document (skipped if ${NO_DOCUMENT})`, () => {
  test("has the same operations, with the same methods, paths and scopes", () => {
    const theirs = [...documentedOperations().values()].map(({ operationId, method, path, security = [] }) => ({
      id: operationId,
      method,
      path: anonymous(path),
      scopes: security.flatMap((each) => each["oAuth2ClientCredentials"] ?? []),
    }));
    const ours = endpoints.map(({ id, method, path, scope }) => ({
      id,
      method,
      path: anonymous(path),
      scopes: scope === null ? [] : [scope],
    }));
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
    expect(ours.toSorted(byId)).toEqual(theirs.toSorted(byId));
  });

  test("has the same query parameters", () => {
    const theirs = [...documentedOperations().values()].map(({ operationId, parameters = [] }) => [
      operationId,
      parameters
        .filter((each) => each.in === "query")
        .map(({ name }) => name)
        .toSorted(),
    ]);
    const ours = endpoints.map((endpoint) => [
      endpoint.id,
      Object.keys(("query" in endpoint ? endpoint.query : undefined)?.properties ?? {}).toSorted(),
    ]);
    expect(new Map(ours as [string, string[]][])).toEqual(new Map(theirs as [string, string[]][]));
  });

  test("refuses an answer that is not as it says", () => {
    const program = { id: "p", objectType: "PROGRAM", programName: "P", createdDateTime: "2026-07-01T18:00:00Z" };
    const whole = { ...program, modificationDateTime: "2026-07-01T18:00:00Z" };
    const searched = { id: "searchAllPrograms" };
    expect(faultOfAnswer(searched, { status: 200, body: [whole] })).toBeNull();
    expect(faultOfAnswer(searched, { status: 200, body: [program] })).toMatch(/modificationDateTime/);
    const spaced = { ...whole, createdDateTime: "2026-07-01 18:00:00" };
    expect(faultOfAnswer(searched, { status: 200, body: [spaced] })).toMatch(/date-time/);
    expect(faultOfAnswer(searched, { status: 418, body: {} })).toMatch(/no answer 418/);
  });
});
