import { expect, test } from "vitest";
import { allows, endpoints, grantedScopes, scopesOf } from "../src/index.js";

test("business logic may write everything but reports, and VENs neither programs nor events", () => {
  expect(scopesOf.bl).not.toContain("write_reports");
  expect(scopesOf.ven).not.toContain("write_programs");
  expect(scopesOf.ven).not.toContain("write_events");
  expect(scopesOf.ven).not.toContain("read_bl");
});

test("a token has the scopes that were asked for, or all of its client", () => {
  expect(grantedScopes(scopesOf.ven, "")).toEqual(scopesOf.ven);
  expect(grantedScopes(scopesOf.ven, "write_reports  read_all")).toEqual(["read_all", "write_reports"]);
  expect(grantedScopes(scopesOf.ven, "write_events")).toBeNull();
  expect(grantedScopes(scopesOf.ven, "admin")).toBeNull();
});

test("every operation has a path, an operationId and a method of its own", () => {
  expect(new Set(endpoints.map(({ id }) => id)).size).toBe(45);
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(45);
  expect(new Set(endpoints.map(({ path }) => path)).size).toBe(27);
});

test("read_all opens what may be read with other scopes, but not what is business logic's, and no writing", () => {
  expect(allows(["read_all"], "read_targets")).toBe(true);
  expect(allows(["read_all"], "read_ven_objects")).toBe(true);
  expect(allows(["read_all"], "read_bl")).toBe(false);
  expect(allows(["read_all"], "write_reports")).toBe(false);
  expect(allows(["read_targets"], "read_ven_objects")).toBe(false);
});
