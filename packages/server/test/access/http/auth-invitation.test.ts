import { auth, operator } from "@curtail/contract";
import { generateSync } from "otplib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import { follow, newPerson, PASSWORD, signIn, trySignIn } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let service: Running;
let email: string;
let user: { id: string; invitation_url: string; invitation_expires_at: string };
let count = 0;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  email = `invited.person${++count}@example.com`;
  user = await service.made(operator.createUser, { body: { email, name: "Ann", role: "operator" } });
});

const password = PASSWORD;
const invite = (id = user.id) => service.made(operator.inviteUser, { params: { id } });
const signInState = async (given = password) =>
  (await trySignIn(service, { email, password: given })).body.state ?? "refused";
const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };

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

  test("is taken from a browser's form", async () => {
    const sent = await follow(
      service,
      user.invitation_url,
      `password=${encodeURIComponent("pass & wörd 🙂 pass")}`,
      form,
    );
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await signInState("pass & wörd 🙂 pass")).toBe("signed_in");
  });

  test("says on the page what is wrong with the password, and stays valid", async () => {
    const short = await follow(service, user.invitation_url, "password=short", form);
    expect(short.status).toBe(400);
    expect(short.text).toMatch(/has 5 characters; use at least 12.*<form/s);
    expect((await follow(service, user.invitation_url, "password=", form)).status).toBe(400);
    expect((await follow(service, user.invitation_url, { password })).status).toBe(200);
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

  test("lives for 24 hours", async () => {
    expect(user.invitation_expires_at).toBe(ahead(service, { hours: 24 }));
    service.clock.advance({ hours: 23, minutes: 59, seconds: 59 });
    expect((await follow(service, user.invitation_url, { password })).status).toBe(200);
  });

  test("used by many at once sets one password", async () => {
    const passwords = Array.from({ length: 5 }, (_, index) => `a long password ${index}`);
    const answers = await Promise.all(
      passwords.map((each) => follow(service, user.invitation_url, { password: each })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const right = passwords[answers.findIndex((answer) => answer.status === 200)];
    expect(await signInState(right)).toBe("signed_in");
  });

  test.each([
    [{}, /password is missing/],
    [{ password: 5 }, /password is 5; it must be a text/],
    [{ password: "a".repeat(11) }, /has 11 characters; use at least 12/],
    [{ password: "a".repeat(201) }, /more than 200 characters/],
    [{ password: "a".repeat(401) }, /password is a long text/],
    ["not json", /not valid JSON/],
  ])("refuses %j", async (body, message) =>
    expectError(await follow(service, user.invitation_url, body), 400, message),
  );

  test("refuses the email as the password", async () => {
    expectError(await follow(service, user.invitation_url, { password: email.toUpperCase() }), 400, /is the email/);
    expect((await follow(service, user.invitation_url, { password })).status).toBe(200);
  });

  test("is never kept by anyone on the way, whatever the answer", async () => {
    const answers = [
      await follow(service, user.invitation_url),
      await follow(service, user.invitation_url, { password: "short" }),
      await follow(service, user.invitation_url, { password }),
      await follow(service, user.invitation_url, { password }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
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
  const first = { email: "first@example.com", name: "First", password };

  test("makes an operator-admin, once, and none is made while there are users", async () => {
    const fresh = await running();
    const links = [await fresh.inviteFirstUser(), await fresh.inviteFirstUser()];
    const [earlier, later] = links.map((link) => link ?? "none");
    if (earlier === undefined || later === undefined) throw new Error("two links were made");
    const page = await follow(fresh, earlier);
    expect(page.text).toMatch(/name="email".*name="name".*name="password"/s);
    expect((await follow(fresh, earlier, first)).status).toBe(200);
    for (const link of [earlier, later])
      expectError(await follow(fresh, link, { ...first, email: "second@example.com" }), 404, /has been used/);
    expect(await fresh.inviteFirstUser()).toBeNull();
    const browser = await signIn(fresh, { id: "", email: first.email });
    expect((await browser.auth(auth.getSession)).body.user).toMatchObject({ name: "First", role: "operator-admin" });
    expect((await browser.operator(operator.listUsers)).body.items).toHaveLength(1);
  });

  test("used by many at once makes one user", async () => {
    const fresh = await running();
    const links = await Promise.all(Array.from({ length: 5 }, () => fresh.inviteFirstUser()));
    const answers = await Promise.all(
      links.map((link, index) => follow(fresh, link ?? "", { ...first, email: `${index}@example.com` })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await fresh.operator(operator.listUsers)).body.items).toHaveLength(1);
  });

  test("is not interchangeable: a user's invitation creates no operator-admin, and vice versa", async () => {
    const fresh = await running();
    const link = (await fresh.inviteFirstUser()) ?? "";
    const swapped = link.replace("/first-user/", "/invitation/");
    expectError(await follow(fresh, swapped, { password }), 404);
    const other = user.invitation_url.replace("/invitation/", "/first-user/");
    expectError(await follow(service, other, first), 404);
  });

  test.each([
    [{ ...first, email: "no email" }, /email/],
    [{ ...first, name: "" }, /name/],
    [{ ...first, password: "short" }, /at least 12/],
    [{ ...first, password: "first@example.com" }, /is the email/],
  ])("refuses %j", async (body, message) => {
    const fresh = await running();
    const link = (await fresh.inviteFirstUser()) ?? "";
    expectError(await follow(fresh, link, body), 400, message);
    expect((await follow(fresh, link, first)).status).toBe(200);
  });
});

test("what a form brings is shown again as text, never as HTML", async () => {
  const fresh = await running();
  const link = (await fresh.inviteFirstUser()) ?? "";
  const body = new URLSearchParams({ email: "<b>x</b>", name: "N", password }).toString();
  const shown = await httpClient(fresh.url)("POST", new URL(link).pathname, body, form);
  expect(shown.status).toBe(400);
  expect(shown.text).not.toContain("<b>");
  expect(shown.text).toContain("&#60;b&#62;");
});
