import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  admin,
  auditor,
  endpoints,
  named,
  newestEntry,
  participants,
  prepare,
  prepareUser,
  service,
  user,
} from "../../support/roles-of-operators.js";

beforeAll(prepare);
const writes = endpoints.filter(([method]) => method !== "GET");
const reads = endpoints.filter(([method]) => method === "GET");

describe("an auditor", () => {
  test.for(writes)("is refused %s %s before it looks at anything", async ([method, path]) => {
    const before = await newestEntry();
    for (const body of ["{", { name: "Changed" }, undefined])
      expectError(await auditor.operator(method, named(path), body), 404, /nothing .* for the role auditor/);
    expect(await newestEntry()).toBe(before);
  });

  test.for(reads)("reads what the operator reads at %s %s", async ([method, path]) => {
    const [theirs, ours] = [await auditor.operator(method, named(path)), await service.operator(method, named(path))];
    expect([theirs.status, theirs.text]).toEqual([ours.status, ours.text]);
  });
});

describe("a participant's person", () => {
  test.for(endpoints)("finds nothing at %s %s", async ([method, path]) => {
    for (const person of participants) {
      const answer = await person.operator(method, named(path), method === "GET" ? undefined : "{");
      expectError(answer, 404, /for the role participant-/);
    }
  });
});

describe("users", () => {
  beforeEach(prepareUser);

  test("have a unique email, regardless of case", async () => {
    const body = { email: user.email.toUpperCase(), name: "Twin", role: "auditor" };
    expectError(await service.operator("POST", "/users", body), 400, /email already belongs to another user/);
  });

  test.each([
    [{ role: "participant-admin" }, /account_id is required for participant-admin/],
    [{ role: "operator", account_id: "acc_0000000000000000" }, /account_id is required for participant-admin/],
    [{ role: "participant-viewer", account_id: "acc_0000000000000000" }, /account_id does not exist/],
    [{ role: "root" }, /role is "root"; it must be one of operator-admin/],
    [{ role: "auditor", email: "no email" }, /email/],
    [{ role: "auditor", email: `${"a".repeat(250)}@b.org` }, /email is a long text/],
    [{ role: "auditor", name: "" }, /name is ""; it must not be empty/],
    [{ role: "auditor", name: "a\u0007" }, /name/],
  ])("are refused as %j", async (body, message) => {
    const whole = { email: "refused@example.com", name: "Refused", ...body };
    expectError(await service.operator("POST", "/users", whole), 400, message);
  });

  test("are renamed, and change roles on their own side only", async () => {
    const path = `/users/${user.id}`;
    expect(
      await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed", role: "auditor" } }),
    ).toMatchObject({
      name: "Renamed",
      role: "auditor",
    });
    expectError(
      await service.operator("PATCH", path, { role: "participant-admin" }),
      400,
      /cannot become a participant/,
    );
    const theirs = participants[0];
    expectError(
      await service.operator(operator.changeUser, {
        params: { id: theirs?.id ?? "" },
        body: { role: "operator-admin" },
      }),
      400,
      /cannot become a participant/,
    );
  });

  test("that are disabled get no link, and unknown ones are not found", async () => {
    await service.made(operator.changeUser, { params: { id: user.id }, body: { disabled: true } });
    expectError(await service.operator(operator.inviteUser, { params: { id: user.id } }), 400, /user is disabled/);
    for (const [method, path] of [
      ["GET", "/users/usr_0"],
      ["PATCH", "/users/usr_0"],
      ["POST", "/users/usr_0/invitation"],
    ] as const)
      expectError(await service.operator(method, path, method === "PATCH" ? {} : undefined), 404, /No such user/);
  });

  test("are in the audit log with every change, but not if nothing changed", async () => {
    await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed" } });
    await service.made(operator.changeUser, { params: { id: user.id }, body: { name: "Renamed" } });
    await admin.operator(operator.inviteUser, { params: { id: user.id } });
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 4 } })).body;
    expect(items).toMatchObject([
      { action: "user.invite", actor: `user:${admin.id}`, subject: user.id },
      { action: "user.change", actor: "operator", after: { name: "Renamed" } },
      { action: "user.set_password", actor: `user:${user.id}`, before: null, after: null },
      { action: "user.create", actor: "operator", before: null, after: { email: user.email } },
    ]);
  });
});
