import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { keyClaims } from "../../../src/access/http/key-claim.js";
import { saidHtml } from "../../../src/platform/said-html.js";
import { serviceWords, type Words } from "../../../src/platform/words.js";
import { follow } from "../../support/people.js";
import { pseudoWords, unsaid } from "../../support/pseudo-words.js";
import { type Running, running } from "../../support/running.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "");

const german = { accept: "text/html", "accept-language": "de-AT,de;q=0.9" };
const spanish = { accept: "text/html", "accept-language": "de", cookie: "language=es" };

/** The page says these texts in the language, and none of them in English where they are translated. */
const expectSaid = (html: string, words: Words, texts: readonly string[]): void => {
  expect(html).toContain(`<html lang="${words.language}">`);
  for (const text of texts)
    expect(html).toContain(saidHtml(words, text, { n: 12, least: 12, most: 200, service: "Curtail" }));
};

test("what a link reveals has no word that is not said", async () => {
  const revealed = await keyClaims(async () => "ctp_1").claim("token");
  expect(unsaid(textOf(revealed?.html(pseudoWords) ?? "none"), ["ctp_1"])).toBe("");
});

describe("a one-time link", () => {
  test("to a key speaks the language of the browser, before and after it is used", async () => {
    const { accountId } = await service.newParticipant();
    const { claim_url } = await service.made(operator.createKey, {
      params: { id: accountId },
      body: { environment: "production" },
    });
    const asked = await follow(service, claim_url, undefined, german);
    expectSaid(asked.text, serviceWords("de"), ["Show the key", "{service} API key"]);
    expect([asked.headers.get("content-language"), asked.headers.get("vary")]).toEqual([
      "de",
      expect.stringContaining("accept-language, cookie"),
    ]);
    const shown = await follow(service, claim_url, "", {
      ...spanish,
      "content-type": "application/x-www-form-urlencoded",
    });
    expectSaid(shown.text, serviceWords("es"), [
      "Your API key. It is not shown again: store it safely, and send it in the key header of every request.",
    ]);
    const gone = await follow(service, claim_url, "", {
      ...german,
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(gone.status).toBe(404);
    expectSaid(gone.text, serviceWords("de"), [
      "This link is not valid: it has been used or has expired. Ask the operator for a new one.",
    ]);
  });

  test("of an invitation says what its form asks for, why it refuses, and that the password is set", async () => {
    const body = { email: "ana@example.com", name: "Ana", role: "operator" as const };
    const { invitation_url: link } = await service.made(operator.createUser, { body });
    const form = { ...german, "content-type": "application/x-www-form-urlencoded" };
    expectSaid((await follow(service, link, undefined, german)).text, serviceWords("de"), [
      "Welcome to {service}",
      "Password, at least {n} characters",
      "Set the password",
    ]);
    const refused = await follow(service, link, "password=short", form);
    expect(refused.status).toBe(400);
    expectSaid(refused.text, serviceWords("de"), ["Set the password"]);
    expect(refused.text).toContain("Das Passwort hat 5 Zeichen. Verwenden Sie mindestens 12.");
    const unread = await follow(service, link, `password=${"x".repeat(3000)}`, form);
    expect(unread.status).toBe(400);
    expectSaid(unread.text, serviceWords("de"), [
      "Not accepted. A password has {least} to {most} characters and is not the email address.",
    ]);
    expect(refused.text).not.toContain("use at least");
    // The interface answers in English.
    const json = await follow(service, link, { password: "short" }, { "accept-language": "de" });
    expect(json.text).toContain("use at least 12");
    const unknown = await follow(service, `${service.url}/invitation/unknown`, "password=correct+horse+battery", form);
    expectSaid(unknown.text, serviceWords("de"), [
      "This link is not valid: it has been used or has expired. Ask the person who sent it for a new one.",
    ]);
  });
});

test("the page of downloads speaks the language of the browser", async () => {
  const page = await follow(service, `${service.url}/downloads/`, undefined, german);
  if (page.status === 200) expectSaid(page.text, serviceWords("de"), ["Command line and agent", "Files"]);
  else expect(page.text).toContain("are not built");
});
