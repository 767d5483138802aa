import { operator as api } from "@curtail/contract";
import { clonedDatabase, type OwnDatabase } from "@curtail/testing/database";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound, expectSoundInEachLook, LOOKS_MS } from "../support/looks.js";
import { newProgram, operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();

/** Accounts with a site each in a dispatch, and alarms of one kind about them. */
interface Flood {
  readonly program: string;
  readonly accounts: number;
  readonly kind: string;
  readonly reasons: readonly string[];
  readonly minutesLeft: number;
}

const floods: readonly Flood[] = [
  {
    program: "Peak relief",
    accounts: 30,
    kind: "notice_failed",
    reasons: ["bounced", "no_channel", "no_channel"],
    minutesLeft: 130,
  },
  { program: "Fast reserve", accounts: 14, kind: "ven_opted_out", reasons: [], minutesLeft: 12 },
  { program: "Cold storage", accounts: 7, kind: "last_webhook_deleted", reasons: [], minutesLeft: 44 },
];

const flood = async (url: string, database: OwnDatabase, { program, accounts, kind, reasons, minutesLeft }: Flood) => {
  const id = await newProgram(url, { name: program, timezone: "America/Chicago", market: "ERCOT" });
  const made = await Promise.all(
    Array.from({ length: accounts }, async (_, index) => {
      const account = await operate(url, api.createAccount, { body: { name: `${program} ${index + 1}` } });
      const site = await operate(url, api.createSite, {
        params: { id: account.id },
        body: { name: `Site of ${account.name}` },
      });
      const contact = {
        name: "Shift desk",
        email: `desk${index}@${kind.replaceAll("_", "-")}.example`,
        phone: `+1 512 555 ${1000 + index}`,
      };
      await operate(url, api.createContact, { params: { id: account.id }, body: contact });
      await operate(url, api.enrolSite, { params: { id, site_id: site.id }, body: { commitment: 100 + index } });
      return account.id;
    }),
  );
  const times = { start_time: minutes(-45), end_time: minutes(minutesLeft), confirm_past: true };
  const dispatch = await operate(url, api.createDispatch, { body: { program_id: id, ...times } });
  // No worker runs, which would look for alarms itself.
  for (const [index, account] of made.entries())
    await database.run(`insert into alarms (id, kind, subject, account_id, message, reason, raised_at) values ('alm_${kind}${index}', '${kind}',
      'x${index} ${dispatch.id}', '${account}', 'Raised by a test', ${reasons.length === 0 ? "null" : `'${reasons[index % reasons.length]}'`}, now() - interval '20 minutes')`);
  return dispatch.id;
};

const groups = (page: Page) => page.getByRole("list", { name: "Groups of alarms" }).locator("> li");

describe.skipIf(!hasChromium)("51 alarms", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let operator: string;
  let auditor: string;
  let dispatches: readonly string[];

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    const database = await clonedDatabase();
    service = await webService({ CURTAIL_ROLES: "api" }, database);
    dispatches = await Promise.all(floods.map((each) => flood(service.url, database, each)));
    operator = await newUser(service.url, "operator-admin");
    auditor = await newUser(service.url, "auditor");
  });

  test("are three lines by day and by night, on a phone and on a wall", { timeout: LOOKS_MS }, async () => {
    await expectSoundInEachLook(
      (looks) => signIn(browser, service.url, operator, looks),
      [
        { address: "/operations", name: "operations-board-alarms", ready: (page) => groups(page).nth(2).waitFor() },
        {
          address: `/operations/alarms?group=opted_out.${dispatches[1]}`,
          name: "operations-alarm-groups",
          ready: (page) =>
            page.getByRole("list", { name: "Alarms", exact: true }).getByRole("listitem").first().waitFor(),
        },
      ],
    );
  });

  test("say what is wrong, how much it costs and whom to call, and are one number everywhere", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations");
    await page.getByRole("heading", { name: "51 alarms in 3 groups" }).waitFor();
    await expect.poll(() => groups(page).count()).toBe(3);
    const [first, second, third] = [groups(page).nth(0), groups(page).nth(1), groups(page).nth(2)];
    await first.getByText("Peak relief: 30 accounts not notified, 3,435 kW").waitFor();
    await first.getByText(/Since .*\. 20 have no channel, 10 emails bounced\./).waitFor();
    await first.getByText("Peak relief 30, 129 kW").waitFor();
    await first.getByRole("img", { name: "Priority 1" }).waitFor();
    await second.getByText("Fast reserve: 14 sites opted out, 1,491 kW").waitFor();
    await second.getByText(/Ends in 1\d min/).waitFor();
    await second.getByRole("img", { name: "Priority 2" }).waitFor();
    await third.getByText("Cold storage: last webhook deleted, 7 accounts").waitFor();
    await third.getByRole("img", { name: "Priority 3" }).waitFor();
    const navigation = page.getByRole("link", { name: /^Alarms/ }).first();
    expect(await navigation.textContent()).toContain("51");
    await expect.poll(() => page.title()).toMatch(/^\(51\) Board/);
    expect((await operate(service.url, api.getOverview)).alarms_open).toBe(51);
  });

  test("an account that was not notified is called and recorded in two clicks", async () => {
    const visited = await signIn(browser, service.url, operator);
    const { page, faults } = visited;
    await page.goto("/operations");
    const call = groups(page).first().getByRole("link", { name: "Call +1 512 555 1029" });
    expect(await call.getAttribute("href")).toBe("tel:+15125551029");
    await call.click();
    const dialog = page.getByRole("dialog", { name: "Peak relief 30 was notified by phone" });
    await expect.poll(() => dialog.getByLabel("Who was reached").inputValue()).toBe("Shift desk");
    await expectSound(visited, "operations-board-call");
    await dialog.getByRole("button", { name: "Record the call" }).click();
    await page.getByText("Peak relief 30 counts as notified.").waitFor();
    const { items } = await operate(service.url, api.listEvidence, { params: { id: dispatches[0] ?? "" } });
    expect(items.filter(({ channel }) => channel === "phone")).toMatchObject([
      { detail: { person: "Shift desk", note: "Notified of the dispatch." } },
    ]);
    expect(faults).toEqual([]);
  });

  test("are acknowledged by a key, and open again once that is taken back", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations");
    await groups(page)
      .first()
      .getByRole("link", { name: /^Peak relief: 30/ })
      .focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("a");
    await page.getByText("14 alarms acknowledged.").waitFor();
    await page.getByRole("heading", { name: "37 alarms in 2 groups, 14 acknowledged" }).waitFor();
    await page.getByRole("img", { name: "Priority 2, acknowledged" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "51 alarms in 3 groups" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.waitForURL("**/operations/alarms");
    await page.getByRole("heading", { name: "51 alarms in 3 groups" }).waitFor();
  });

  test("are assigned to a desk, and shelved until a time", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.goto("/operations/alarms");
    const third = groups(page).nth(2);
    await third.getByRole("button", { name: /^Assign/ }).click();
    await page.getByLabel("Person or desk").fill("Desk 2");
    await page.getByRole("dialog").getByRole("button", { name: "Assign", exact: true }).click();
    await third.getByText("Assigned to Desk 2").waitFor();
    await third.getByRole("button", { name: /^More/ }).click();
    await page.getByRole("menuitem", { name: /, in 1 h$/ }).click();
    await page.getByText("7 alarms shelved.").waitFor();
    await page.getByRole("heading", { name: "44 alarms in 2 groups" }).waitFor();
    await page.getByRole("link", { name: /^7 shelved, the first until/ }).click();
    await expect
      .poll(() => page.getByRole("list", { name: "Alarms", exact: true }).getByRole("listitem").count())
      .toBe(7);
    const shelved = page.getByRole("list", { name: "Alarms", exact: true }).getByRole("listitem").first();
    await shelved.getByText("Details, and what to do").click();
    const runbook = shelved.getByRole("link", { name: "Open the runbook" });
    expect(await runbook.getAttribute("href")).toBe("/docs/runbook.html#last_webhook_deleted");
    await page
      .getByText(/^shelved until \d/)
      .first()
      .waitFor();
    await page
      .getByRole("button", { name: /^Return now: / })
      .first()
      .click();
    await page.getByText("7 alarms returned.").waitFor();
    await page.getByText("No shelved alarms.").waitFor();
  });

  test("leave somebody who only reads the numbers to call", async () => {
    const { page } = await signIn(browser, service.url, auditor);
    await page.goto("/operations");
    await groups(page)
      .first()
      .getByRole("link", { name: /^Call / })
      .waitFor();
    expect(await page.getByRole("button", { name: /^Acknowledge|^Assign/ }).count()).toBe(0);
    await groups(page).first().getByRole("button", { name: /^More/ }).click();
    await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Show the 30 alarms"]);
  });

  test("are heard by choice, again and again until all are acknowledged", async () => {
    const { page } = await signIn(browser, service.url, operator);
    await page.clock.install();
    await page.addInitScript(`
      const { start } = AudioScheduledSourceNode.prototype;
      globalThis.tones = 0;
      AudioScheduledSourceNode.prototype.start = function (...when) {
        globalThis.tones += 1;
        return start.apply(this, when);
      };`);
    await page.goto("/operations");
    // An acknowledged group has no such button, and stays in its place for a while.
    const acknowledge = groups(page).getByRole("button", { name: /^Acknowledge/ });
    const tones = () => page.evaluate<number>("globalThis.tones");
    await page.getByRole("heading", { name: "51 alarms in 3 groups" }).waitFor();
    await page.clock.fastForward(30_000);
    expect(await tones()).toBe(0);
    await page.getByRole("button", { name: "Turn a sound on" }).click();
    await page.getByText("Sound repeats until all are acknowledged").waitFor();
    await page.clock.fastForward(10_000);
    await expect.poll(tones).toBeGreaterThanOrEqual(2);
    const before = await tones();
    await page.clock.fastForward(10_000);
    await expect.poll(tones).toBe(before + 2);
    for (const heading of [/^21 alarms in 2 groups/, /^7 alarms in 1 group/]) {
      await acknowledge.first().click();
      await page.getByRole("heading", { name: heading }).waitFor();
    }
    await acknowledge.first().click();
    await page.getByText("7 alarms acknowledged.").waitFor();
    await expect.poll(() => page.title()).toMatch(/^Board/);
    const after = await tones();
    await page.clock.fastForward(60_000);
    expect(await tones()).toBe(after);
  });
});
