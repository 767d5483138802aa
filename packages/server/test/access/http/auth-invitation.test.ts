import { auth, operator } from "@curtail/contract";
import { generateSync } from "otplib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import {
  email,
  first,
  form,
  password,
  prepare,
  prepareEach,
  service,
  signInState,
  user,
} from "../../support/invitations.js";
import { browserWith, follow, newPerson, signIn, tokenOf, trySignIn } from "../../support/people.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);
const invite = (id = user.id) => service.made(operator.inviteUser, { params: { id } });

const answersOf = async (link: string): Promise<string> => {
  const answer = await follow(service, link, { password });
  expectError(answer, 404, /has been used or has expired/);
  const html = await follow(service, link, `password=${password}`, form);
  const short = await follow(service, link, { password: "short" });
  return [answer.text, html.status, html.text, short.status, short.text].join("\n");
};

describe("an invitation", () => {
  test("opened shows a page with a form, the same for every link, as often as it is opened", async () => {
    const first = await follow(service, user.invitation_url);
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(first.text).toMatch(/<form method="post">.*name="password"/s);
    expect(first.text).not.toContain(email);
    expect((await follow(service, `${service.url}/invitation/unknown`)).text).toBe(first.text);
    await follow(service, user.invitation_url, { password });
    expect((await follow(service, user.invitation_url)).text).toBe(first.text);
  });

  test("sets the password once", async () => {
    expect(await signInState()).toBe("refused");
    const accepted = await follow(service, user.invitation_url, { password });
    expect([accepted.status, accepted.body]).toEqual([200, { email }]);
    expectError(await follow(service, user.invitation_url, { password: "another long password" }), 404);
    expect(await signInState("another long password")).toBe("refused");
    expect(await signInState()).toBe("signed_in");
  });

  test("signs in the browser whose form set the password, and opens its start page", async () => {
    const sent = await follow(service, user.invitation_url, `password=${password}`, form);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/"]);
    const browser = browserWith(service, { id: user.id, email }, tokenOf(sent));
    expect((await browser.auth(auth.getSession)).body.user).toMatchObject({ email, has_password: true });
    const actions = (await service.operator(operator.listAudit)).body.items.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["user.set_password", "session.create"]));
  });

  test.each([
    ["says so", { "sec-fetch-site": "cross-site" }],
    ["has another origin", { origin: "https://elsewhere.example" }],
    ["hides its origin", { origin: "null" }],
  ])("signs nobody in for a page of another site that %s", async (_how, headers) => {
    const sent = await follow(service, user.invitation_url, `password=${password}`, { ...form, ...headers });
    expect([sent.status, sent.headers.getSetCookie()]).toEqual([200, []]);
    expect(sent.text).toContain('<a href="/sign-in">');
    expect(await signInState()).toBe("signed_in");
  });

  test("has the same answer if used, expired, replaced, of a disabled user or unknown", async () => {
    const people = [];
    for (let index = 0; index < 3; index++)
      people.push(
        await service.made(operator.createUser, { body: { email: `${index}${email}`, name: "B", role: "auditor" } }),
      );
    const [used, replaced, disabled] = people;
    if (used === undefined || replaced === undefined || disabled === undefined) throw new Error("three were made");
    await follow(service, used.invitation_url, { password });
    await invite(replaced.id);
    await service.made(operator.changeUser, { params: { id: disabled.id }, body: { disabled: true } });
    const links = [used, replaced, disabled].map((each) => each.invitation_url);
    const texts = [];
    for (const link of [...links, `${service.url}/invitation/unknown`]) texts.push(await answersOf(link));
    service.clock.advance({ hours: 24 });
    texts.push(await answersOf(user.invitation_url));
    expect(new Set(texts).size).toBe(1);
  });

  test("sent again voids the previous one, ends every session and removes codes", async () => {
    const ann = await newPerson(service, "operator");
    const browser = await signIn(service, ann);
    const { secret } = (await browser.auth(auth.setUpTotp, { body: { password } })).body;
    const code = generateSync({ secret: secret ?? "", epoch: Math.floor(service.clock.now().getTime() / 1000) });
    await browser.auth(auth.setUpTotp, { body: { code } });
    const [before, after] = [await invite(ann.id), await invite(ann.id)];
    expectError(await follow(service, before.invitation_url, { password }), 404);
    expect((await browser.auth(auth.getSession)).status).toBe(200);
    await follow(service, after.invitation_url, { password: "quite another password" });
    expectError(await browser.auth(auth.getSession), 401);
    const answer = await trySignIn(service, { email: ann.email, password: "quite another password" });
    expect(answer.body).toMatchObject({ state: "signed_in", user: { has_totp: false } });
  });

  test("is stored as a hash only, and nothing of it is in the audit log", async () => {
    const token = user.invitation_url.split("/").at(-1) ?? "";
    const { rows } = await service.database.pool.query(
      "select string_agg(t::text, '') as text from user_invitations t",
    );
    for (const text of [rows[0].text, (await service.operator(operator.listAudit)).text])
      expect(text).not.toContain(token);
  });
});

describe("the first operator's link", () => {
  test("makes an operator-admin, once, and none is made while there are users", async () => {
    const fresh = await running();
    const links = [await fresh.inviteFirstUser(), await fresh.inviteFirstUser()];
    const [earlier, later] = links.map((link) => link ?? "none");
    if (earlier === undefined || later === undefined) throw new Error("two links were made");
    const page = await follow(fresh, earlier);
    expect(page.text).toMatch(/name="email".*name="name".*name="password"/s);
    const sent = await follow(fresh, earlier, new URLSearchParams(first).toString(), form);
    expect([sent.status, tokenOf(sent)]).toEqual([303, expect.stringMatching(/[\w-]{20}/)]);
    for (const link of [earlier, later])
      expectError(await follow(fresh, link, { ...first, email: "second@example.com" }), 404, /has been used/);
    expect(await fresh.inviteFirstUser()).toBeNull();
    const browser = await signIn(fresh, { id: "", email: first.email });
    expect((await browser.auth(auth.getSession)).body.user).toMatchObject({ name: "First", role: "operator-admin" });
    expect((await browser.operator(operator.listUsers)).body.items).toHaveLength(1);
  });

  test("is not interchangeable: a user's invitation creates no operator-admin, and vice versa", async () => {
    const fresh = await running();
    const link = (await fresh.inviteFirstUser()) ?? "";
    const swapped = link.replace("/first-user/", "/invitation/");
    expectError(await follow(fresh, swapped, { password }), 404);
    const other = user.invitation_url.replace("/invitation/", "/first-user/");
    expectError(await follow(service, other, first), 404);
  });
});
