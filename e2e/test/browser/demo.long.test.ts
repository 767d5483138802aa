import { operator } from "@curtail/contract";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasChromium, test } from "../support/chromium.js";
import { expectSound } from "../support/looks.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { newUser, signIn } from "../support/visit.js";
import { webService } from "../support/web-service.js";

/** Two weeks of readings are created, and deleted again. */
const WALK_MS = 300_000;
const CHANGED_MS = 120_000;

const banner = (page: Page) => page.getByRole("region", { name: "Demo" });
const guide = (page: Page) => page.getByRole("heading", { name: "First steps: 0 of 9 done" });

describe.skipIf(!hasChromium)("the demo on the page", () => {
  let service: ServiceProcess;
  let browser: Browser;

  test.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    service = await webService();
  });

  test("only an administrator is offered to start it", async () => {
    const { page } = await signIn(browser, service.url, await newUser(service.url, "operator"));
    await page.goto("/operations");
    await banner(page).getByText("An administrator can start it.").waitFor();
    expect(await page.getByRole("button", { name: "Start the demo" }).count()).toBe(0);
  });

  test(
    "is started on an empty service, shows a fleet at work, and is removed without a trace",
    async () => {
      const visited = await signIn(browser, service.url, await newUser(service.url, "operator-admin"), {
        widthPx: 390,
      });
      const { page, faults } = visited;
      await page.goto("/operations");
      await guide(page).waitFor();
      await page.getByRole("button", { name: "Start the demo" }).press("Enter");
      await banner(page).getByText("are being created").waitFor();
      await banner(page).getByRole("progressbar", { name: "Progress" }).waitFor();
      expect(await guide(page).count()).toBe(0);
      await expectSound(visited, "demo-preparing");

      await page.getByText("The demo is ready.").waitFor({ timeout: CHANGED_MS });
      await banner(page).getByText("All accounts and readings are simulated.").waitFor();
      await page.getByText(/^Load now [\d,.]+ (k|M)W/).waitFor({ timeout: 30_000 });
      await expectSound(visited, "demo-board");

      const looking = await signIn(browser, service.url, await newUser(service.url, "auditor"));
      await looking.page.goto("/operations/dispatches?state=over");
      await banner(looking.page).waitFor();
      expect(await banner(looking.page).getByRole("button").count()).toBe(0);
      await looking.page.goto("/operations/wall");
      await looking.page.getByText("Demo", { exact: true }).waitFor();
      await looking.page.close();

      const [account] = (await operate(service.url, operator.listAccounts, {})).items;
      const viewer = await newUser(service.url, "participant-viewer", account?.id);
      const participant = await signIn(browser, service.url, viewer, { widthPx: 390, theme: "dark" });
      for (const address of ["/dashboard", "/dashboard/sandbox", "/you"]) {
        await participant.page.goto(address);
        await banner(participant.page).getByText("All accounts and readings are simulated.").waitFor();
      }
      expect(await banner(participant.page).getByRole("button").count()).toBe(0);
      await participant.page.goto("/dashboard");
      await banner(participant.page).waitFor();
      await expectSound(participant, "demo-dashboard");
      await participant.page.close();

      await page.goto("/operations/accounts?do=new");
      await page.getByText("While there is a demo, accounts cannot be added.").waitFor();
      expect(await page.getByRole("button", { name: "New account" }).isDisabled()).toBe(true);
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.goto("/operations/accounts");

      await banner(page).getByRole("button", { name: "Remove the demo" }).click();
      await page.getByRole("dialog").getByText("Keeps operator users").waitFor();
      await expectSound(visited, "demo-remove");
      await page.getByRole("dialog").getByRole("button", { name: "Remove the demo" }).click();
      await banner(page).getByText("are being deleted").waitFor();
      await page.getByText("The demo was removed.").waitFor({ timeout: CHANGED_MS });
      await page.getByText("No accounts yet.").waitFor();
      await page.getByRole("button", { name: "New account" }).waitFor();
      await page.goto("/operations");
      await guide(page).waitFor();
      await page.getByRole("button", { name: "Start the demo" }).waitFor();
      expect((await operate(service.url, operator.listAccounts, {})).items).toEqual([]);
      expect(faults).toEqual([]);
    },
    WALK_MS,
  );
});
