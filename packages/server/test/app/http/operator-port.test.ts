import { type BodyOf, operator as contract, listSites } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

const authorization = `Bearer ${OPERATOR_TOKEN}`;
const html = { accept: "text/html" };

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running({ CURTAIL_OPERATOR_PORT: "0" });
  anna = await service.newParticipant();
});

const at = (url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  httpClient(url, headers)("GET", path);

const post = (url: string, path: string, body: object, headers = {}): Promise<Answer> =>
  httpClient(url, headers)("POST", path, body);

describe("where operators have a port of their own, the main port", () => {
  test("serves no part of the operator API, even with the token", async () => {
    const paths = ["/operator/v1/accounts", "/operator/v1/docs", "/operator/v1/openapi.json", "/operator/v1/nope"];
    const answers = await Promise.all(paths.map((path) => at(service.url, path, { authorization })));
    for (const answer of answers) expectError(answer, 404);
  });

  test("hands out participants' pages and not operators'", async () => {
    expect((await at(service.url, "/dashboard", html)).status).toBe(200);
    expect((await at(service.url, "/sign-in", html)).status).toBe(200);
    expectError(await at(service.url, "/operations", html), 404);
    expectError(await at(service.url, "/operations/dispatches/new", html), 404);
  });

  test("serves participants as ever: their interface, their console, sign-in and one-time links", async () => {
    expect((await anna.call(listSites)).status).toBe(200);
    for (const path of ["/2022-04-15/docs", "/console/v1/docs", "/auth/options", "/claim/none"])
      expect((await at(service.url, path)).status, path).toBe(200);
    expect((await at(service.url, "/console/v1/account")).status).toBe(401);
  });
});

interface Invited {
  readonly id: string;
  readonly invitation_url: string;
}

const invite = (person: Omit<BodyOf<typeof contract.createUser>, "name">) =>
  service.made(contract.createUser, { body: { name: "Bo", ...person } });
const again = ({ id }: Invited) => service.made(contract.inviteUser, { params: { id } });

describe("the operators' own port", () => {
  test("serves the operator API, its description, and the pages that operators need", async () => {
    expect((await service.operator(contract.listAccounts)).status).toBe(200);
    for (const path of ["/operator/v1/docs", "/operator/v1/openapi.json", "/auth/options", "/healthz"])
      expect((await at(service.operatorUrl, path)).status, path).toBe(200);
    for (const path of ["/", "/sign-in", "/operations", "/operations/dispatches/new"])
      expect((await at(service.operatorUrl, path, html)).status, path).toBe(200);
  });

  test("serves no part of the participants' interface, even with a key", async () => {
    const key = { "x-service-api-key": anna.key };
    for (const path of ["/2022-04-15/sites", "/2022-04-15/docs", "/sites", "/console/v1/account", "/dashboard"])
      expectError(await at(service.operatorUrl, path, { ...key, ...html }), 404);
  });

  test("leads from its bare address to the description of the operator API", async () => {
    const answer = await at(service.operatorUrl, "/");
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/operator/v1/docs"]);
  });

  test("makes the first operator, who signs in there and acts, from a page of that port alone", async () => {
    const link = (await service.inviteFirstUser()) ?? "none";
    expect(new URL(link).origin).toBe(service.operatorUrl);
    const person = { email: "ann@example.com", password: "correct horse battery" };
    expect((await post(service.operatorUrl, new URL(link).pathname, { ...person, name: "Ann" })).status).toBe(200);
    const own = { origin: service.operatorUrl };
    const signedIn = await post(service.operatorUrl, "/auth/sign-in", person, own);
    expect(signedIn.body).toMatchObject({ state: "signed_in" });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const account = { name: "Acme" };
    expect((await post(service.operatorUrl, "/operator/v1/accounts", account, { cookie, ...own })).status).toBe(201);
    const foreign = { cookie, origin: service.url };
    expectError(await post(service.operatorUrl, "/operator/v1/accounts", account, foreign), 400);
    expectError(await post(service.url, "/operator/v1/accounts", account, { cookie }), 404);
  });

  test("is where operators are invited to; participants' people are invited to the main port", async () => {
    const operator = await invite({ email: "bo@example.com", role: "operator" });
    const person = { email: "cy@example.com", role: "participant-viewer" as const, account_id: anna.accountId };
    const participant = await invite(person);
    for (const { invitation_url } of [operator, await again(operator)])
      expect(new URL(invitation_url).origin).toBe(service.operatorUrl);
    for (const { invitation_url } of [participant, await again(participant)])
      expect(new URL(invitation_url).origin).toBe(service.url);
  });
});
