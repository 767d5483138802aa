import { auth, operator } from "@curtail/contract";
import { type Claims, type OidcProvider, oidcProvider } from "@curtail/testing/oidc-provider";
import { pino } from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { httpClient } from "../../support/http-client.js";
import { browserWith, newPerson, type Person } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let provider: OidcProvider;
/** Services of one provider, by what `CURTAIL_OIDC_TRUST_EMAIL` says. */
let services: Readonly<Record<"unset" | "true" | "xms_edov", Running>>;
let subjects = 0;

beforeAll(async () => {
  provider = await oidcProvider();
  const trusting = (setting: string) => running({ ...provider.settings, CURTAIL_OIDC_TRUST_EMAIL: setting });
  services = {
    unset: await running(provider.settings),
    true: await trusting("true"),
    xms_edov: await trusting("xms_edov"),
  };
});

/** The whole flow, as a browser follows it; the user who is signed in, or the reason on the sign-in page. */
const signOn = async (at: Running, claims: Claims): Promise<string> => {
  provider.says(claims);
  const call = httpClient(at.url);
  const started = await call("GET", "/auth/oidc/start");
  const cookie = cookieOf(started.headers, "curtail_oidc");
  const back = provider.authorize(started.headers.get("location") ?? "");
  const headers = { cookie, accept: "text/html" };
  const ended = await call("GET", back.pathname + back.search, undefined, headers);
  const failed = new URL(ended.headers.get("location") ?? "", at.url).searchParams.get("failed");
  if (failed !== null) return failed;
  const token = cookieOf(ended.headers, "curtail_session").replace("curtail_session=", "");
  return (await browserWith(at, person, token).auth(auth.getSession)).body.user.email;
};

const cookieOf = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(";")[0] ?? "";

let person: Person;

/** The claims of Microsoft Entra ID's ID tokens, version 2 and 1; neither has `email_verified`. */
const entra2 = () => ({
  ver: "2.0",
  sub: `pairwise${++subjects}`,
  oid: "3b0e3f0e-6f2b-4a5d-8d07-1c1a9a0f0001",
  tid: "9188040d-6c67-4c5b-b112-36a304b66dad",
  preferred_username: person.email,
  email: person.email,
});
const entra1 = () => {
  const { preferred_username: upn, email: _email, ...rest } = entra2();
  return { ...rest, ver: "1.0", upn, unique_name: upn };
};

type Expected = "in" | "no-email" | "email-not-verified";

describe.each([
  ["Entra ID, version 2", entra2, ["email-not-verified", "in", "email-not-verified"]],
  [
    "Entra ID, version 1, with the email as an optional claim",
    () => ({ ...entra1(), email: person.email }),
    ["email-not-verified", "in", "email-not-verified"],
  ],
  ["Entra ID, version 1, with names to sign in only", entra1, ["no-email", "no-email", "no-email"]],
  [
    "Entra ID, version 2, with `preferred_username` only",
    () => ({ ...entra2(), email: undefined }),
    ["no-email", "no-email", "no-email"],
  ],
  ["Entra ID with `xms_edov` true", () => ({ ...entra2(), xms_edov: true }), ["email-not-verified", "in", "in"]],
  ["Entra ID with `xms_edov` 1", () => ({ ...entra2(), xms_edov: "1" }), ["email-not-verified", "in", "in"]],
  [
    "Entra ID with `xms_edov` false",
    () => ({ ...entra2(), xms_edov: false }),
    ["email-not-verified", "in", "email-not-verified"],
  ],
  ["`email_verified` true", () => ({ ...entra2(), email_verified: true }), ["in", "in", "in"]],
  ["`email_verified` as a text", () => ({ ...entra2(), email_verified: "true" }), ["in", "in", "in"]],
  [
    "`email_verified` false",
    () => ({ ...entra2(), email_verified: false, xms_edov: true }),
    ["email-not-verified", "email-not-verified", "email-not-verified"],
  ],
  [
    "an email that is no text",
    () => ({ ...entra2(), email: [person.email], email_verified: true }),
    ["no-email", "no-email", "no-email"],
  ],
] as ReadonlyArray<readonly [string, () => Claims, readonly [Expected, Expected, Expected]]>)(
  "%s",
  (_, claims, expected) => {
    test.each(["unset", "true", "xms_edov"] as const)("with trust %s", async (setting) => {
      person = await newPerson(services[setting], "operator");
      const wanted = expected[["unset", "true", "xms_edov"].indexOf(setting)];
      expect(await signOn(services[setting], claims())).toBe(wanted === "in" ? person.email : wanted);
    });
  },
);

describe("after the first sign-in", () => {
  beforeEach(async () => {
    person = await newPerson(services.true, "operator");
  });

  test("the subject alone counts: another email, none, or one of another user changes nothing", async () => {
    const claims = entra2();
    const other = await newPerson(services.true, "operator");
    expect(await signOn(services.true, claims)).toBe(person.email);
    for (const email of ["married@example.com", undefined, other.email])
      expect(await signOn(services.true, { ...claims, email, email_verified: false })).toBe(person.email);
  });

  test("a second subject with the same email is refused, and the first still signs in", async () => {
    const claims = entra2();
    await signOn(services.true, claims);
    expect(await signOn(services.true, entra2())).toBe("linked-elsewhere");
    expect(await signOn(services.true, claims)).toBe(person.email);
  });

  test("an email in other case, or with spaces around it, is the same", async () => {
    expect(await signOn(services.true, { ...entra2(), email: ` ${person.email.toUpperCase()} ` })).toBe(person.email);
  });
});

test("a user who is not there, is disabled, or was invited by several accounts is told so", async () => {
  const at = services.true;
  person = await newPerson(at, "operator");
  expect(await signOn(at, { ...entra2(), email: "nobody@example.com" })).toBe("unknown-email");
  await at.made(operator.changeUser, { params: { id: person.id }, body: { disabled: true } });
  expect(await signOn(at, entra2())).toBe("disabled");
  for (const name of ["One", "Two"]) {
    const { id } = await at.made(operator.createAccount, { body: { name } });
    await at.made(operator.createUser, {
      body: { email: "both@example.com", name: "Bo", role: "participant-viewer", account_id: id },
    });
  }
  expect(await signOn(at, { ...entra2(), email: "both@example.com" })).toBe("several-invitations");
});

test("a refusal is in the log with its reason, the setting and the names of the claims, but none of their values", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const at = await running(provider.settings, { logger });
  person = await newPerson(at, "operator");
  await signOn(at, { ...entra2(), secret_claim: "value of the claim" });
  const text = lines.find((each) => each.includes("a single sign-on was refused")) ?? "{}";
  const line: unknown = JSON.parse(text);
  expect(line).toMatchObject({
    reason: "email-not-verified",
    setting: "CURTAIL_OIDC_TRUST_EMAIL",
    issuer: provider.issuer,
    subject: `pairwise${subjects}`,
    claims: expect.arrayContaining(["ver", "email", "preferred_username", "secret_claim"]),
  });
  expect(text).not.toContain("value of the claim");
});
