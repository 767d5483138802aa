import { operator } from "@curtail/contract";
import { chatRooms } from "@curtail/testing/chat-rooms";
import { type Gateway, gateway } from "@curtail/testing/gateway";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { newParticipant, newProgram, operate, type Participant } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** Several pages, each checked completely. */
const LONG_MS = 120_000;

describe.skipIf(!hasChromium)("what reaches people", () => {
  let service: ServiceProcess;
  let phones: Gateway;
  let browser: Browser;
  let participant: Participant;
  let programId: string;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    phones = await gateway();
    service = await webService({ CURTAIL_SMS_URL: phones.url });
    participant = await newParticipant(service.url, 1);
    programId = await newProgram(service.url, { name: "Summer Peak", timezone: "America/Chicago" });
  });

  const issue = () => {
    const start_time = new Date(Date.now() + 3_600_000).toISOString();
    const sites = participant.sites.map(({ id }) => ({ site_id: id, commitment: 940 }));
    return operate(service.url, operator.createDispatch, { body: { program_id: programId, start_time, sites } });
  };

  test(
    "a calendar is created on the page of a person, read at its address, and deleted",
    async () => {
      const email = await newUser(service.url, "operator");
      const visited = await signIn(browser, service.url, email, { widthPx: 390 });
      const { page } = visited;
      await page.goto("/you");
      await page.getByText("No calendars. Create one").waitFor();
      await page.getByRole("button", { name: "New calendar" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("My phone");
      await dialog.getByLabel("Dispatches").selectOption({ label: "Only Summer Peak" });
      await expectSound(visited, "you-new-calendar");
      await dialog.getByRole("button", { name: "Create" }).click();
      const address = (await dialog.locator("code").textContent()) ?? "";
      expect(await dialog.getByRole("link").getAttribute("href")).toBe(address.replace("http:", "webcal:"));
      await expectSound(visited, "you-calendar-address");
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("cell", { name: "never" }).waitFor();

      const { id } = await issue();
      expect(await (await fetch(address)).text()).toContain(`UID:${id}@curtail`);
      await page.reload();
      await expect.poll(() => page.getByRole("row", { name: /My phone/ }).textContent()).not.toContain("never");
      await page.setViewportSize({ width: 1920, height: 1080 });
      await expectSound(visited, "you-calendars");
      await page
        .getByRole("row", { name: /My phone/ })
        .getByRole("button", { name: "Delete" })
        .click();
      await expectSound(visited, "you-delete-calendar");
      await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Delete" }).click();
      await page.getByText("No calendars. Create one").waitFor();
      expect((await fetch(address)).status).toBe(404);
    },
    LONG_MS,
  );

  test(
    "a contact with SMS is added, tested, notified, and in the evidence of both sides",
    async () => {
      const admin = await newUser(service.url, "participant-admin", participant.accountId);
      const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
      const { page } = visited;
      await page.goto("/dashboard/contacts");
      await page.getByRole("button", { name: "Add contact" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Voice call (not set up by the operator yet)").waitFor();
      await dialog.getByLabel("Name").fill("Ana Lopez");
      await dialog.getByLabel("Email").fill("ana@example.com");
      await dialog.getByLabel("SMS").check();
      await dialog.getByRole("button", { name: "Add" }).click();
      await dialog
        .getByText(/international number/)
        .first()
        .waitFor();
      // The browser reports the refusal.
      expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400")]);
      await expectSound(visited, "contacts-phone-fault");
      await dialog.getByLabel("Phone", { exact: true }).fill("+1 555 010 0200");
      await dialog.getByRole("button", { name: "Add" }).click();
      await page.getByRole("button", { name: "Test SMS" }).click();
      await page.getByText("The gateway accepted the test SMS to Ana Lopez.").waitFor();
      await expectSound(visited, "contacts-phone");
      expect(phones.received.at(-1)?.message).toMatchObject({ to: "+15550100200", kind: "test_message" });

      const { id } = await issue();
      await expect.poll(() => phones.about(id).length).toBe(1);
      const operatorEmail = await newUser(service.url, "auditor");
      const theirs = await signIn(browser, service.url, operatorEmail, { widthPx: 1440 });
      await theirs.page.goto(`/operations/accounts/${participant.accountId}?tab=contacts`);
      await theirs.page.getByText("SMS", { exact: true }).first().waitFor();
      await expectSound(theirs, "account-contact-phone");
      await theirs.page.goto(`/operations/dispatches/${id}`);
      await page.goto(`/dashboard/dispatches/${id}`);
      await page.getByRole("tab", { name: "How you were notified" }).click();
      await page.getByText("handed over").first().waitFor();
      await expectSound(visited, "dispatch-evidence-phone");
      await theirs.page.getByRole("tab", { name: /^Accounts/ }).click();
      await theirs.page.getByText("SMS").first().waitFor();
      await expectSound(theirs, "operations-evidence-phone");
    },
    LONG_MS,
  );

  test(
    "a chat room is added once it takes a test message, announces dispatches, and is in the evidence of both sides",
    async () => {
      const room = (await chatRooms()).open();
      const admin = await newUser(service.url, "participant-admin", participant.accountId);
      const visited = await signIn(browser, service.url, admin, { widthPx: 390 });
      const { page } = visited;
      await page.goto("/dashboard/contacts");
      await page.getByText("can also be announced in a chat room").waitFor();
      await page.getByRole("button", { name: "Add chat room" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Control room");
      await dialog.getByLabel("Address of its incoming webhook").fill(room.address);
      await expectSound(visited, "contacts-new-chat-room");
      room.answer = 404;
      await dialog.getByRole("button", { name: "Test and add" }).click();
      await dialog
        .getByText(/test message to the address failed/)
        .first()
        .waitFor();
      expect(visited.faults.splice(0)).toEqual([expect.stringContaining("400")]);
      await expectSound(visited, "contacts-chat-room-fault");
      room.answer = 200;
      await dialog.getByRole("button", { name: "Test and add" }).click();
      await page.getByText("Control room was added. The room has a test message.").waitFor();
      await page.getByRole("cell", { name: /Control room/ }).waitFor();
      await expectSound(visited, "contacts-chat-room");

      const { id } = await issue();
      await expect.poll(() => room.posts.at(-1)?.text).toContain(`/dashboard/dispatches/${id}`);
      const operatorEmail = await newUser(service.url, "operator");
      const theirs = await signIn(browser, service.url, operatorEmail, { widthPx: 1440 });
      await theirs.page.goto(`/operations/accounts/${participant.accountId}?tab=contacts`);
      await theirs.page.getByRole("button", { name: "Test", exact: true }).click();
      await theirs.page.getByText("A test message was sent to Control room.").waitFor();
      await expectSound(theirs, "account-chat-room");
      await page.goto(`/dashboard/dispatches/${id}`);
      await page.getByRole("tab", { name: "How you were notified" }).click();
      await page.getByText("Chat", { exact: true }).first().waitFor();
      await expectSound(visited, "dispatch-evidence-chat");
      await theirs.page.goto(`/operations/dispatches/${id}`);
      await theirs.page.getByRole("tab", { name: /^Accounts/ }).click();
      await theirs.page.getByText("Chat", { exact: true }).first().waitFor();
      await expectSound(theirs, "operations-evidence-chat");
      await page.goto("/dashboard/contacts");
      await page
        .getByRole("row", { name: /Control room/ })
        .getByRole("button", { name: "Remove" })
        .click();
      await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Remove" }).click();
      await page.getByText("can also be announced in a chat room").waitFor();
    },
    LONG_MS,
  );
});
