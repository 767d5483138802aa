import { auth, operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  ann,
  change,
  codeOf,
  codes,
  left,
  NEW_PASSWORD,
  prepare,
  prepareApp,
  prepareEach,
  remove,
  service,
  stateWith,
} from "../../support/own-security.js";
import { newBrowser, PASSWORD, signIn, trySignIn } from "../../support/people.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("changing one's own password", () => {
  test.each([
    ["short", /has 5 characters; use at least 12/],
    ["a".repeat(201), /more than 200 characters/],
    ["a".repeat(401), /new_password is a long text/],
  ])("refuses a new one that is no good (%j)", async (password, message) =>
    expectError(await change(PASSWORD, password), 400, message),
  );

  test("voids links that would set another", async () => {
    const { invitation_url } = await service.made(operator.inviteUser, { params: { id: ann.id } });
    await change(PASSWORD);
    const body = JSON.stringify({ password: "a third password" });
    const headers = { "content-type": "application/json" };
    expect((await fetch(invitation_url, { method: "POST", headers, body })).status).toBe(404);
  });

  test("of two at once from different sessions is done by one", async () => {
    const other = await signIn(service, ann);
    const answers = await Promise.all([
      change(PASSWORD, "the first password", ann),
      change(PASSWORD, "the second one", other),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  test("is not for those without a password", async () => {
    await service.database.pool.query("update users set password_hash = null where id = $1", [ann.id]);
    expectError(await change(PASSWORD), 400, /you have no password here/);
  });
});
const renew = (body: object) => ann.auth("POST", "/recovery-codes", body);

/** After the step whose code was used. */
const nextCode = (): string => {
  service.clock.advance({ minutes: 1 });
  return codeOf();
};

describe("an authenticator app", () => {
  beforeEach(prepareApp);

  test("is not set up by guessing the code of a secret that its owner was shown", async () => {
    const ben = await newBrowser(service, "operator");
    await ben.auth(auth.setUpTotp, { body: { password: PASSWORD } });
    for (let index = 0; index < 10; index++)
      expectError(await ben.auth(auth.setUpTotp, { body: { code: "000000" } }), 400, /does not match the secret/);
    expectError(await ben.auth(auth.setUpTotp, { body: { code: "000000" } }), 429);
  });

  test("is stood in for by a recovery code once, also for many at the same time", async () => {
    const tries = Array.from({ length: 5 }, () => stateWith({ password: PASSWORD, recovery_code: codes[0] ?? "" }));
    expect((await Promise.all(tries)).filter((state) => state === "signed_in")).toHaveLength(1);
    expect(await left()).toBe(9);
  });

  test.each([
    [{ recovery_code: "x".repeat(61) }, /recovery_code is a long text/],
    [{ recovery_code: "4f9k", totp: "123456" }, /both set; send only one/],
  ])("is answered 400 where the codes cannot be read (%j)", async (sent, message) =>
    expectError(await trySignIn(service, { email: ann.email, password: PASSWORD, ...sent }), 400, message),
  );

  test("has its recovery codes made anew, for the password and a code, and those before no longer count", async () => {
    expectError(await renew({ password: PASSWORD }), 400, /a code is required too/);
    expectError(await renew({ password: "wrong horse battery", totp: nextCode() }), 400, /is wrong/);
    const renewed = (await renew({ password: PASSWORD, totp: nextCode() })).body.recovery_codes;
    expect(new Set([...renewed, ...codes]).size).toBe(20);
    expect(await stateWith({ password: PASSWORD, recovery_code: codes[0] ?? "" })).toBe("refused");
    expect(await stateWith({ password: PASSWORD, recovery_code: renewed[0] ?? "" })).toBe("signed_in");
    expect((await renew({ password: PASSWORD, recovery_code: renewed[1] ?? "" })).status).toBe(200);
  });

  test("is guarded against guessing its codes in a session: being asked for one clears no failures", async () => {
    for (let index = 0; index < 10; index++) {
      expectError(await remove({ password: PASSWORD, totp: "000000" }), 400, /is wrong/);
      if (index < 9) expectError(await remove({ password: PASSWORD }), 400, /a code is required too/);
    }
    expectError(await remove({ password: PASSWORD, totp: nextCode() }), 429);
  });

  test("goes, with its recovery codes, when an invitation is accepted anew", async () => {
    const { invitation_url } = await service.made(operator.inviteUser, { params: { id: ann.id } });
    const headers = { "content-type": "application/json" };
    await fetch(invitation_url, { method: "POST", headers, body: JSON.stringify({ password: NEW_PASSWORD }) });
    expect(await stateWith({ password: NEW_PASSWORD })).toBe("signed_in");
    const { rows } = await service.database.pool.query("select from recovery_codes where user_id = $1", [ann.id]);
    expect(rows).toEqual([]);
  });
});
