import { beforeAll, describe, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { goodBodies, goodQueries, paths, prepare, prepareAccount, service } from "../../support/ids-in-paths.js";

beforeAll(prepare);

describe("a value in a body", () => {
  beforeAll(prepareAccount);

  describe("P: an id with a NUL", () => {
    test.for(paths.map((each) => [each.method, each.path, each] as const))(
      "is unknown to %s %s",
      async ([method, path, endpoint]) => {
        const body = "body" in endpoint ? goodBodies[endpoint.id] : undefined;
        const query = goodQueries[endpoint.id] ?? "";
        for (const id of ["%00", "acc_%00", "%F0%9F%8F%AD", "'", "x".repeat(5000)]) {
          expectError(await service.operator(method, path.replaceAll(/\{\w+\}/g, id) + query, body), 404);
        }
      },
    );
  });
});
