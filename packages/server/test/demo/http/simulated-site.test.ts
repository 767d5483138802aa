import { operator } from "@curtail/contract";
import { pushService } from "@curtail/testing/push-service";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { caughtUp } from "../../support/caught-up.js";
import { demoService } from "../../support/demo.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { choose, register } from "../../support/noticing.js";
import { newBrowser } from "../../support/people.js";
import type { Participant, Running } from "../../support/running.js";
import { DOLLAR, setTerms } from "../../support/settling.js";
import { addSimulated, SIMULATED_MS, type Simulated, testedSimulated } from "../../support/simulated-site.js";

describe("a simulated site next to a real account", () => {
  let service: Running;
  let anna: Participant;
  let peak: string;
  let simulated: Simulated;
  let dispatch: string;
  /** Of which operators are notified. */
  let real: string;
  let before: unknown;

  /** What must not change: everything that counts, over all accounts. The real account gets alarms of its own. */
  const counted = async () => {
    const month = ahead(service, {}).slice(0, 7);
    return {
      overview: { ...(await service.made(operator.getOverview)), as_of: "", alarms_open: 0 },
      health: (await service.made(operator.listTelemetryHealth)).items.map(({ site_id }) => site_id),
      onboarding: (await service.made(operator.listOnboarding)).items.map(({ site_id }) => site_id),
      steps: await service.made(operator.getFirstSteps),
      results: (await service.made(operator.listDispatchResults)).items,
      report: (
        await service.operator(operator.getAnyPerformanceReport, { query: { from: `${month}-01`, to: `${month}-28` } })
      ).body,
    };
  };

  beforeAll(async () => {
    service = await demoService();
    anna = await service.newParticipant();
    peak = await newProgram(service, [anna]);
    const olivia = await newBrowser(service, "operator");
    await choose(olivia, { dispatches: { mail: false, push: true } });
    await register(olivia, (await pushService()).newBrowser());
    real = (await newDispatch(service, peak, { start_time: ahead(service, { hours: 9 }) })).id;
    before = await counted();
    simulated = await addSimulated(service);
    dispatch = await testedSimulated(service, simulated);
  }, SIMULATED_MS);

  test("is marked as simulated, and real ones are not", async () => {
    const { items: sites } = await service.made(operator.listAllSites);
    expect(sites.map(({ id, simulated: is }) => [id, is])).toContainEqual([simulated.site_id, true]);
    expect(sites.filter((site) => site.simulated)).toHaveLength(1);
    const accounts = (await service.made(operator.listAccounts)).items.filter((account) => account.simulated);
    expect(accounts.map(({ id }) => id)).toEqual([simulated.account_id]);
    const programs = (await service.made(operator.listPrograms)).items.filter((program) => program.simulated);
    expect(programs.map(({ id }) => id)).toEqual([simulated.program_id]);
    for (const download of [operator.downloadSites, operator.downloadAccounts])
      expect((await service.operator(download)).text).toMatch(/simulated.*\r\n(.*false.*\r\n)*.*true/);
  });

  test("learns of a dispatch by polling, and delivers it against a usual day", async () => {
    const { items } = await service.made(operator.listEvidence, { params: { id: dispatch }, query: { limit: 500 } });
    expect(items.map(({ what }) => what)).toContain("polled");
    service.clock.advance({ seconds: 6 });
    const performance = () => service.made(operator.getAnyDispatchPerformance, { params: { id: dispatch } });
    // The first readings after its start are those of its ramp.
    await vi.waitUntil(async () => ((await performance()).sites[0]?.performance ?? 0) > 0.7, {
      timeout: SIMULATED_MS,
    });
    const [site] = (await performance()).sites;
    expect(site?.performance).toBeLessThan(1.1);
  });

  test("counts in no total, list of results or report", async () => expect(await counted()).toEqual(before));

  test("is in no statement: its program has no terms, and no other program takes it", async () => {
    const { program_id: id, site_id } = simulated;
    const terms = {
      params: { id, from_month: "2026-01" },
      body: { currency: "USD", capacity: null, energy: DOLLAR.energy, penalty: null },
    };
    expectError(await service.operator(operator.setTerms, terms), 400, /never paid/);
    const body = { commitment: 9 };
    expectError(
      await service.operator(operator.enrolSite, { params: { id: peak, site_id }, body }),
      400,
      /never count together/,
    );
    const site = anna.sites[0]?.id ?? "";
    expectError(
      await service.operator(operator.enrolSite, { params: { id, site_id: site }, body }),
      400,
      /never count together/,
    );
    const several = { params: { id: peak }, body: { site_ids: [site_id] } };
    expectError(await service.operator(operator.enrolSites, several), 400, /never count together/);
    await setTerms(service, peak, DOLLAR);
    const month = ahead(service, {}).slice(0, 7);
    const { items } = await service.made(operator.makeStatements, { body: { month } });
    expect(items.map(({ account_id }) => account_id)).not.toContain(simulated.account_id);
  });

  test("is added once, and sites added to its account are simulated, too", async () => {
    const again = await service.made(operator.addSimulatedSite, { body: { timezone: "UTC" } });
    expect(again).toMatchObject({ state: "on", ...simulated });
    const params = { id: simulated.account_id };
    const site = await service.made(operator.createSite, { params, body: { name: "Another" } });
    expect(site.simulated).toBe(true);
  });

  test("keeps a demo from being started, and is refused for an unknown zone and for auditors", async () => {
    expect(await service.made(operator.getDemo)).toMatchObject({ can_start: false });
    expectError(await service.operator("POST", "/simulated-site", { timezone: "Mars" }), 400, /timezone/);
    const auditor = await newBrowser(service, "auditor");
    expectError(await auditor.operator("POST", "/simulated-site", { timezone: "UTC" }), 404);
    expect((await auditor.operator(operator.getSimulatedSite)).body).toMatchObject({ state: "on" });
  });

  test("raises no alarm, and no operator is notified of its dispatches", async () => {
    const { items } = await service.made(operator.listAlarms, { query: { state: "open" } });
    expect(items.filter(({ account_id }) => account_id === simulated.account_id)).toEqual([]);
    await caughtUp(service.database.pool, "personal-notices");
    const subjects = "select distinct subject from messages where channel = 'personal_push'";
    const { rows } = await service.database.pool.query(subjects);
    expect(rows.map(({ subject }) => subject)).toEqual([real]);
  });
});
