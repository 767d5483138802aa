import { auth, operator, participantConsole } from "@curtail/contract";
import { generateSync } from "otplib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  ann,
  change,
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
import { type Browser, deviceOf, newBrowser, PASSWORD, signIn, trySignIn } from "../../support/people.js";

beforeAll(prepare);

beforeEach(prepareEach);

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.auth(auth.getSession)).status === 200;
const newestActions = async (count: number): Promise<string[]> =>
  (await service.operator(operator.listAudit, { query: { limit: count } })).body.items.map((each) => each.action);

describe("changing one's own password", () => {
  test("takes the present one, ends the other sessions, and leaves a trace in the audit log", async () => {
    const other = await signIn(service, ann);
    expect((await change(PASSWORD)).status).toBe(204);
    expect([await isSignedIn(ann), await isSignedIn(other)]).toEqual([true, false]);
    expect(await newestActions(1)).toEqual(["user.change_password"]);
    expect(await stateWith({ password: PASSWORD })).toBe("refused");
    expect(await stateWith({ password: NEW_PASSWORD })).toBe("signed_in");
  });

  test("is refused with a wrong one, which changes nothing and leaves no audit entry", async () => {
    const other = await signIn(service, ann);
    const before = (await service.operator(operator.listAudit, { query: { limit: 1 } })).text;
    expectError(await change("wrong horse battery"), 400, /password or the code is wrong/);
    expect((await service.operator(operator.listAudit, { query: { limit: 1 } })).text).toBe(before);
    expect(await isSignedIn(other)).toBe(true);
    expect(await stateWith({ password: PASSWORD })).toBe("signed_in");
  });

  test("is barred after ten wrong ones in a session, and in no other session", async () => {
    const other = await signIn(service, ann);
    for (let index = 0; index < 10; index++) expectError(await change("wrong horse battery"), 400);
    expectError(await change(PASSWORD), 429, /too many wrong passwords/);
    expect((await change(PASSWORD, NEW_PASSWORD, other)).status).toBe(204);
  });
});

describe("signing out everywhere", () => {
  test("ends every session of the person on every process, and forgets the devices", async () => {
    const answer = await trySignIn(service, { email: ann.email, password: PASSWORD });
    const other = await signIn({ url: await service.another() }, ann);
    const ended = await ann.auth(auth.signOutEverywhere);
    expect(ended.status).toBe(204);
    const cookies = ended.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    expect(cookies).toEqual(["curtail_session=", "curtail_device="]);
    expect([await isSignedIn(ann), await isSignedIn(other)]).toEqual([false, false]);
    expect(await newestActions(1)).toEqual(["user.sign_out"]);
    const headers = { cookie: `curtail_device=${deviceOf(answer)}` };
    const again = await trySignIn(service, { email: ann.email, password: PASSWORD }, headers);
    expect(deviceOf(again)).not.toBe(deviceOf(answer));
  });

  test("is done for a user by an administrator, who stays signed in", async () => {
    const admin = await newBrowser(service, "operator-admin");
    expect((await admin.operator(operator.signOutUser, { params: { id: ann.id } })).status).toBe(204);
    expect([await isSignedIn(ann), await isSignedIn(admin)]).toEqual([false, true]);
    const { items } = (await service.operator(operator.listAudit, { query: { limit: 1 } })).body;
    expect(items).toMatchObject([{ action: "user.sign_out", actor: `user:${admin.id}`, subject: ann.id }]);
    expectError(await admin.operator(operator.signOutUser, { params: { id: "usr_0" } }), 404, /No such user/);
  });

  test("is not done for people of another account by a participant's administrator", async () => {
    const { accountId } = await service.newParticipant();
    const theirs = await newBrowser(service, "participant-admin", accountId);
    expectError(await theirs.console(participantConsole.signOutOwnUser, { params: { id: ann.id } }), 404);
    expect(await isSignedIn(ann)).toBe(true);
  });
});

describe("an authenticator app", () => {
  beforeEach(prepareApp);

  test("takes the password to be set up", async () => {
    const ben = await newBrowser(service, "operator");
    expectError(await ben.auth(auth.setUpTotp, { body: {} }), 400, /password is missing/);
    expectError(await ben.auth(auth.setUpTotp, { body: { password: "wrong horse battery" } }), 400, /is wrong/);
    expectError(await ben.auth(auth.setUpTotp, { body: { code: "123456" } }), 400, /no secret was created yet/);
  });

  test("comes with ten recovery codes, of which hashes are stored", async () => {
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    expect(await left()).toBe(10);
    const { rows } = await service.database.pool.query("select string_agg(r::text, '') as text from recovery_codes r");
    for (const code of codes) expect(rows[0].text).not.toContain(Buffer.from(code.replaceAll("-", "")).toString("hex"));
    expect((await service.operator(operator.listAudit, { query: { limit: 500 } })).text).not.toContain(codes[0]);
  });

  test("is stood in for by a recovery code, typed in any way, once", async () => {
    const typed = ` ${codes[0]?.toUpperCase().replaceAll("-", " ")} `;
    expect(await stateWith({ password: PASSWORD, recovery_code: typed })).toBe("signed_in");
    expect(await newestActions(1)).toEqual(["session.create_by_recovery_code"]);
    expect(await left()).toBe(9);
    expect(await stateWith({ password: PASSWORD, recovery_code: codes[0] ?? "" })).toBe("refused");
    expect(await stateWith({ password: PASSWORD, recovery_code: codes[1] ?? "" })).toBe("signed_in");
  });

  test("is not stood in for by a recovery code without the password, or by another person's", async () => {
    expect(await stateWith({ password: "wrong horse battery", recovery_code: codes[0] ?? "" })).toBe("refused");
    expect(await left()).toBe(10);
    const ben = await newBrowser(service, "operator");
    const begun = (await ben.auth(auth.setUpTotp, { body: { password: PASSWORD } })).body;
    const epoch = Math.floor(service.clock.now().getTime() / 1000);
    await ben.auth(auth.setUpTotp, { body: { code: generateSync({ secret: begun.secret ?? "", epoch }) } });
    const body = { email: ben.email, password: PASSWORD, recovery_code: codes[0] ?? "" };
    expectError(await trySignIn(service, body), 401);
    expect(await left()).toBe(10);
  });

  test("is removed for the password and a code, with its recovery codes; the password alone signs in then", async () => {
    expectError(await remove({ password: PASSWORD }), 400, /a code is required too/);
    expectError(await remove({ password: PASSWORD, totp: "000000" }), 400, /is wrong/);
    expect((await remove({ password: PASSWORD, recovery_code: codes[0] ?? "" })).status).toBe(204);
    expect(await left()).toBe(0);
    expect(await newestActions(1)).toEqual(["user.remove_totp"]);
    expect(await stateWith({ password: PASSWORD })).toBe("signed_in");
    expectError(await remove({ password: PASSWORD }), 400, /no authenticator app is set up/);
    expectError(
      await ann.auth(auth.renewRecoveryCodes, { body: { password: PASSWORD } }),
      400,
      /no authenticator app is set up/,
    );
  });
});
