import { beforeAll, describe, test } from "vitest";
import { hasChromium, startBrowser } from "../support/chromium.js";
import { callFor, newColdStores, runUsually } from "../support/cold-stores.js";
import { operate } from "../support/participant.js";
import type { ServiceProcess } from "../support/service-process.js";
import { lookAt, newUser, signIn, type Visit } from "../support/visit.js";
import { webService } from "../support/web-service.js";

describe.skipIf(!hasChromium)("the pages about who takes part", () => {
  let service: ServiceProcess;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let admin: string;
  let accountId: string;
  let siteId: string;
  let programId: string;
  let venId: string;

  beforeAll(async () => {
    service = await webService();
    browser = await startBrowser();
    admin = await newUser(service.url, "operator-admin");
    const stores = await newColdStores(service.url);
    ({ accountId, programId } = stores);
    siteId = stores.sites[0]?.id ?? "";
    await runUsually(service.url, stores, 1);
    await newUser(service.url, "participant-admin", accountId);
    await operate(service.url, "POST", `/accounts/${accountId}/contacts`, { name: "Dana", email: "dana@example.com" });
    const { id } = await operate<{ id: string }>(service.url, "POST", `/accounts/${accountId}/vens`, { ven_id: "hq" });
    venId = id;
    await operate(service.url, "POST", `/vens/${venId}/certificates`, {});
    await callFor(service.url, programId, [30, 90]);
    await operate(service.url, "POST", `/sites/${siteId}/verification`, { program_id: programId });
    for (const name of ["Harbour Logistics", "Acme Stores", "City of Springfield"])
      await operate(service.url, "POST", "/accounts", { name });
  });

  const pages = (): Array<readonly [address: string, name: string]> => [
    ["/operations/accounts", "accounts"],
    [`/operations/accounts/${accountId}`, "account"],
    ...["sites", "keys", "contacts", "webhooks", "vens", "users", "sandbox", "requests"].map(
      (tab) => [`/operations/accounts/${accountId}?tab=${tab}`, `account-${tab}`] as const,
    ),
    ["/operations/sites", "sites"],
    [`/operations/sites/${siteId}`, "site"],
    ["/operations/programs", "programs"],
    [`/operations/programs/${programId}`, "program"],
    [`/operations/vens/${venId}`, "ven"],
    ["/operations/onboarding", "onboarding"],
    ["/operations/users", "users"],
    ["/operations/audit", "audit"],
    ["/operations/import", "import"],
  ];

  const lookAtAll = async (visited: Visit): Promise<void> => {
    for (const [address, name] of pages()) await lookAt(visited, address, name);
  };

  test.each([
    ["light", 390],
    ["light", 1920],
    ["dark", 390],
    ["dark", 1920],
  ] as const)("are sound in %s at %i px", { timeout: 240_000 }, async (theme, widthPx) => {
    await lookAtAll(await signIn(browser, service.url, admin, { theme, widthPx }));
  });
});
