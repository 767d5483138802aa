import { auth, operator } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { type Gateway, gateway } from "@curtail/testing/gateway";
import { type Mailbox, mailbox, type ReceivedMail } from "@curtail/testing/mailbox";
import { type PushService, pushService } from "@curtail/testing/push-service";
import { beforeAll, describe, expect, test } from "vitest";
import { newCalendar } from "../../support/calendars.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf } from "../../support/evidence.js";
import { httpClient } from "../../support/http-client.js";
import { choose, register } from "../../support/noticing.js";
import { newBrowser, PASSWORD, trySignIn } from "../../support/people.js";
import { both } from "../../support/personal-notices.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let inbox: Mailbox;
let phones: Gateway;
let pushes: PushService;

beforeAll(async () => {
  [inbox, phones, pushes] = await Promise.all([mailbox(), gateway(), pushService()]);
  service = await running({
    CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example`,
    CURTAIL_SMS_URL: phones.url,
    CURTAIL_LANGUAGE: "fr",
  });
});

const languageOf = ({ content }: ReceivedMail): string | undefined => /^Content-Language: (\w+)\r$/m.exec(content)?.[1];

let people = 0;

const addContact = async ({ accountId }: Participant, language: "en" | "es" | "de" | "fr" | null, more = {}) => {
  people += 1;
  const email = `person-${people}@mills.example`;
  const body = { name: "Ana", email, language, ...more };
  await service.made(operator.createContact, { params: { id: accountId }, body });
  return email;
};

const speak = ({ accountId }: Participant, language: "es" | "de" | null) =>
  service.made(operator.changeAccount, { params: { id: accountId }, body: { language } });

/** An account in German; what is dispatched of it is on 14 July. */
const account = async (language: "es" | "de" | null = "de") => {
  const participant = await service.newParticipant();
  await speak(participant, language);
  return { participant, programId: await newProgram(service, [participant]) };
};

const mailsAbout = async (id: string, count: number): Promise<readonly ReceivedMail[]> => {
  const found = () => inbox.received.filter(({ content }) => content.includes(id));
  await expect.poll(() => found().length).toBe(count);
  return found();
};

describe("a mail to the contacts of an account", () => {
  test("is in the language of each, else of the account, and each sees who else has it", async () => {
    const { participant, programId } = await account();
    const [own, other] = [await addContact(participant, "es"), await addContact(participant, null)];
    const third = await addContact(participant, "es");
    const { id } = await newDispatch(service, programId);
    const mails = await mailsAbout(id, 2);
    const [spanish, german] = ["es", "de"].map((language) => mails.find((mail) => languageOf(mail) === language));
    expect([spanish?.to, german?.to]).toEqual([[own, third], [other]]);
    for (const mail of [spanish, german]) {
      for (const email of [own, other, third]) expect(mail?.content).toContain(`<${email}>`);
      expect(mail?.content).toContain(`<html lang="${mail === spanish ? "es" : "de"}">`);
    }
    // Each kept as it was sent (G63), with who got it.
    await expect
      .poll(async () => (await evidenceOf(service, id)).filter(({ what }) => what === "mailed").length)
      .toBe(2);
    const mailed = (await evidenceOf(service, id)).filter(({ what }) => what === "mailed").map(({ detail }) => detail);
    for (const { text, recipients } of mailed) {
      const isGerman = recipients?.some(({ email }) => email === other);
      expect(recipients).toHaveLength(isGerman === true ? 1 : 2);
      expect(text).toMatch(isGerman === true ? /\d\d\d\d, \d\d:\d\d/ : / de \d\d\d\d, \d\d:\d\d/);
    }
  });

  test("is sent again only to those who do not have it, in their language and with the same Message-ID", async () => {
    const { participant, programId } = await account(null);
    const [german, french] = [await addContact(participant, "de"), await addContact(participant, null)];
    inbox.greylisted.set(german, 1);
    const { id } = await newDispatch(service, programId);
    await mailsAbout(id, 1);
    await expect.poll(async () => (await evidenceOf(service, id)).some(({ what }) => what === "mailed")).toBe(true);
    service.clock.advance({ seconds: 10 });
    const mails = await mailsAbout(id, 2);
    expect(mails.map(languageOf)).toEqual(["fr", "de"]);
    expect(mails.map(({ to }) => to)).toEqual([[french], [german]]);
    expect(mails[1]?.messageId).toContain(".de@");
  });

  test("stays in the evidence as it was sent, whatever is chosen before the next attempt", async () => {
    const { participant, programId } = await account("de");
    const [first, late] = [await addContact(participant, null), await addContact(participant, null)];
    inbox.greylisted.set(late, 1);
    const { id } = await newDispatch(service, programId);
    const texts = async () =>
      (await evidenceOf(service, id))
        .filter(({ what }) => what === "mailed")
        .map(({ detail: { text, recipients } }) => ({ text, to: recipients?.map(({ email }) => email) }));
    await expect.poll(async () => (await texts()).length).toBe(1);
    const [sent] = await texts();
    expect(sent?.to).toEqual([first, late]);
    await speak(participant, "es");
    service.clock.advance({ seconds: 10 });
    await expect.poll(async () => (await texts()).length).toBe(2);
    const mails = await mailsAbout(id, 2);
    expect(mails.map((mail) => [languageOf(mail), mail.to])).toEqual([
      ["de", [first]],
      ["es", [late]],
    ]);
    expect((await texts()).toSorted((a, b) => (b.to?.length ?? 0) - (a.to?.length ?? 0))[0]).toEqual(sent);
  });

  test("is in that of the service for an account that chose none, or one that there is no more", async () => {
    const { participant, programId } = await account(null);
    const email = await addContact(participant, null);
    const { id } = await newDispatch(service, programId);
    expect((await mailsAbout(id, 1)).map(languageOf)).toEqual(["fr"]);
    await service.database.pool.query("update accounts set language = 'tlh' where id = $1", [participant.accountId]);
    await service.database.pool.query("update contacts set language = 'xx' where email = $1", [email]);
    const { id: later } = await newDispatch(service, programId);
    expect((await mailsAbout(later, 1)).map(languageOf)).toEqual(["fr"]);
    const { items } = await service.made(operator.listContacts, { params: { id: participant.accountId } });
    expect(items).toMatchObject([{ email, language: null }]);
  });
});

test("an SMS says its language, and is in that of the contact, else of the account", async () => {
  const { participant, programId } = await account();
  await addContact(participant, "es", { phone: "+1 555 010 0001", sms: true });
  await addContact(participant, null, { phone: "+1 555 010 0002", sms: true });
  const { id } = await newDispatch(service, programId);
  await expect.poll(() => phones.about(id)).toHaveLength(2);
  const said = Object.fromEntries(phones.about(id).map(({ message }) => [message.to, message]));
  expect([said["+15550100001"]?.language, said["+15550100002"]?.language]).toEqual(["es", "de"]);
});

test("a chat room has its test and its notices in the language of the account", async () => {
  const { participant, programId } = await account("es");
  const room = (await chatRooms()).open();
  const body = { channel: "chat", name: "Control room", address: room.address } as const;
  await service.made(operator.createChannelAddress, { params: { id: participant.accountId }, body });
  const { id } = await newDispatch(service, programId);
  await expect.poll(() => room.posts.length).toBe(2);
  expect(JSON.stringify(room.posts)).toContain(id);
  await expect
    .poll(
      async () =>
        (await evidenceOf(service, id)).find(({ channel, what }) => channel === "chat" && what === "delivered")?.detail
          .text,
    )
    .toEqual(expect.stringMatching(/\b(lun|mar|mié|jue|vie|sáb|dom) \d/));
});

describe("what a person is sent", () => {
  test("is in the language that the person chose, else in that of the account", async () => {
    const { participant, programId } = await account();
    const [ann, ben] = await Promise.all(
      [0, 1].map(() => newBrowser(service, "participant-viewer", participant.accountId)),
    );
    if (ann === undefined || ben === undefined) throw new Error("nobody");
    expect((await ann.auth(auth.setLanguage, { body: { language: "es" } })).status).toBe(204);
    const browsers = [pushes.newBrowser(), pushes.newBrowser()];
    for (const [index, person] of [ann, ben].entries()) {
      const browser = browsers[index];
      if (browser !== undefined) await register(person, browser);
      await choose(person, { dispatches: both });
    }
    const { id } = await newDispatch(service, programId);
    const pushed = await Promise.all(browsers.map((browser) => browser.arrived(1)));
    expect(pushed.map(([message]) => message?.content["lang"])).toEqual(["es", "de"]);
    const mails = await mailsAbout(id, 2);
    expect(Object.fromEntries(mails.map((mail) => [mail.to[0], languageOf(mail)]))).toEqual({
      [ann.email]: "es",
      [ben.email]: "de",
    });
  });

  test("as a calendar changes its language with the next look", async () => {
    const { participant, programId } = await account(null);
    const person = await newBrowser(service, "participant-viewer", participant.accountId);
    await newDispatch(service, programId);
    const { path } = await newCalendar(person);
    const read = async () => (await httpClient(service.url)("GET", path)).text;
    expect(await read()).toContain("PRODID:-//Curtail//Dispatches//FR");
    await speak(participant, "de");
    expect(await read()).toContain("PRODID:-//Curtail//Dispatches//DE");
    await person.auth(auth.setLanguage, { body: { language: "es" } });
    expect(await read()).toContain("PRODID:-//Curtail//Dispatches//ES");
  });
});

const cookies = ({ headers }: { readonly headers: Headers }) =>
  headers.getSetCookie().filter((each) => each.startsWith("language="));

describe("the choice of a person", () => {
  test("is set in this browser, and in each that the person signs in with", async () => {
    const person = await newBrowser(service, "operator");
    expect((await person.auth(auth.getSession)).body.language).toBeNull();
    const chosen = await person.auth(auth.setLanguage, { body: { language: "de" } });
    expect(cookies(chosen)).toEqual(["language=de; Max-Age=31536000; Path=/; SameSite=Lax"]);
    expect((await person.auth(auth.getSession)).body.language).toBe("de");
    const elsewhere = await trySignIn(service, { email: person.email, password: PASSWORD });
    expect(cookies(elsewhere)).toEqual(cookies(chosen));
    const taken = await person.auth(auth.setLanguage, { body: { language: null } });
    expect(cookies(taken)).toEqual([expect.stringMatching(/^language=; .*Expires=Thu, 01 Jan 1970/)]);
    expect(cookies(await trySignIn(service, { email: person.email, password: PASSWORD }))).toEqual([]);
  });

  test("is one of ours, and nobody's but the person's", async () => {
    const person = await newBrowser(service, "auditor");
    expect((await person.auth("PUT", "/language", { language: "tlh" })).status).toBe(400);
    expect((await httpClient(`${service.url}/auth`)(auth.setLanguage, { body: { language: "de" } })).status).toBe(401);
    await service.database.pool.query("update users set language = 'xx' where id = $1", [person.id]);
    expect((await person.auth(auth.getSession)).body.language).toBeNull();
    expect(cookies(await trySignIn(service, { email: person.email, password: PASSWORD }))).toEqual([
      expect.stringMatching(/^language=; /),
    ]);
  });
});

test("pages of one-time links are in the language of the browser, else of the service", async () => {
  const { participant } = await account();
  const { claim_url } = await service.made(operator.createKey, {
    params: { id: participant.accountId },
    body: { environment: "production" },
  });
  const path = new URL(claim_url).pathname;
  const languageWith = async (headers: Record<string, string>) =>
    /<html lang="(\w+)">/.exec((await httpClient(service.url)("GET", path, undefined, headers)).text)?.[1];
  expect(await languageWith({})).toBe("fr");
  expect(await languageWith({ "accept-language": "de-AT,de;q=0.9,en;q=0.8" })).toBe("de");
  expect(await languageWith({ "accept-language": "de", cookie: "language=es" })).toBe("es");
  expect(await languageWith({ "accept-language": "nl", cookie: "language=xx" })).toBe("fr");
});
