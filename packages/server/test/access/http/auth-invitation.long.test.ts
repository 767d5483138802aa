import { operator } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
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
import { follow } from "../../support/people.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("an invitation", () => {
  test("is taken from a browser's form", async () => {
    const sent = await follow(
      service,
      user.invitation_url,
      `password=${encodeURIComponent("pass & wörd 🙂 pass")}`,
      form,
    );
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/"]);
    expect(await signInState("pass & wörd 🙂 pass")).toBe("signed_in");
  });

  test("says on the page what is wrong with the password, and stays valid", async () => {
    const short = await follow(service, user.invitation_url, "password=short", form);
    expect(short.status).toBe(400);
    expect(short.text).toMatch(/has 5 characters; use at least 12.*<form/s);
    expect((await follow(service, user.invitation_url, "password=", form)).status).toBe(400);
    expect((await follow(service, user.invitation_url, { password })).status).toBe(200);
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
      // The link is never sent to another host.
      expect(headers.get("referrer-policy")).toBe("same-origin");
    }
  });
});

describe("the first operator's link", () => {
  test("used by many at once makes one user", async () => {
    const fresh = await running();
    const links = await Promise.all(Array.from({ length: 5 }, () => fresh.inviteFirstUser()));
    const answers = await Promise.all(
      links.map((link, index) => follow(fresh, link ?? "", { ...first, email: `${index}@example.com` })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await fresh.operator(operator.listUsers)).body.items).toHaveLength(1);
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
  expect(shown.text).toContain("&lt;b&gt;");
});
