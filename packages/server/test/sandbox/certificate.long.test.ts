import { operator, participantConsole } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newBrowser } from "../support/people.js";
import { good, type Habits, ReferenceParticipant } from "../support/reference-participant.js";
import { type Participant, type Running, running } from "../support/running.js";
import { newPlayer, type Player } from "../support/scenario.js";

// What certifies an integration, and that it is kept.
let service: Running;

beforeAll(async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
});

const rehearse = async (player: Player, type: "update" | "cancellation", habits: Habits): Promise<string> => {
  const { id } = await player.play(type);
  await new ReferenceParticipant(service, player, habits).live(type === "update" ? 115 : 70, {
    10: 1,
    [type === "update" ? 20 : 60]: 2,
  });
  // To its end at once: its report is stored in the moment in which the next run begins.
  service.clock.advance({ minutes: 10 });
  return id;
};

/** What the onboarding of the account's site says of its integration, in the list and by itself. */
const integrationOf = async ({ sites: [site] }: Participant) => {
  const list = (await service.made(operator.listOnboarding, { query: { limit: 500 } })).items;
  const { integration } = await service.made(operator.getOnboarding, { params: { id: site?.id ?? "" } });
  expect(list.find(({ site_id }) => site_id === site?.id)?.integration).toEqual(integration);
  return integration;
};

const certificatesOf = async ({ accountId: id }: Participant) =>
  (await service.made(operator.listAccountCertificates, { params: { id } })).items;

describe("an integration", () => {
  let player: Player;
  let runs: string[];

  beforeAll(async () => {
    player = await newPlayer(service);
    runs = [];
  });

  test("is not certified by one of the scenarios, nor by one that failed", async () => {
    runs.push(await rehearse(player, "update", good));
    await expect.poll(() => storedReport(runs[0] ?? "")).toBe(true);
    expect(await certificatesOf(player.participant)).toEqual([]);
    const failed = await rehearse(player, "cancellation", { ...good, stops: false });
    await expect.poll(() => storedReport(failed)).toBe(true);
    expect(await certificatesOf(player.participant)).toEqual([]);
    expect(await integrationOf(player.participant)).toBeNull();
  });

  test("is certified once both are passed: with the scenarios, their channel and the key, audited", async () => {
    runs.push(await rehearse(player, "cancellation", good));
    await expect.poll(async () => (await certificatesOf(player.participant)).length).toBe(1);
    const [certificate] = await certificatesOf(player.participant);
    const { accountId } = player.participant;
    const keys = await service.made(operator.listKeys, { params: { id: accountId } });
    const key_id = keys.items.find(({ environment }) => environment === "sandbox")?.id;
    expect(certificate).toMatchObject({
      account_id: accountId,
      passes: [
        { scenario_id: runs[0], scenario_type: "update", channels: ["webhook", "polling"], key_id },
        { scenario_id: runs[1], scenario_type: "cancellation", channels: ["webhook", "polling"], key_id },
      ],
    });
    const { items } = (await service.operator("GET", `/audit?environment=sandbox&account_id=${accountId}&limit=5`))
      .body;
    expect(items).toContainEqual(
      expect.objectContaining({
        actor: "service",
        action: "account.certify",
        subject: certificate?.id,
        subject_kind: "integration_certificate",
        after: certificate,
      }),
    );
  });

  test("stands with its newest certificate in the onboarding of its sites, and in no other's", async () => {
    const [{ certified_at } = {}] = await certificatesOf(player.participant);
    const scenarios = ["update", "cancellation"];
    expect(await integrationOf(player.participant)).toEqual({
      certified_at,
      scenarios,
      channels: ["webhook", "polling"],
    });
    expect(await integrationOf(await service.newParticipant())).toBeNull();
  });

  test("shows its certificate to its own account only", async () => {
    const own = await newBrowser(service, "participant-viewer", player.participant.accountId);
    const other = await newBrowser(service, "participant-viewer", (await service.newParticipant()).accountId);
    const shownTo = async (browser: typeof own) =>
      (await browser.console(participantConsole.listOwnCertificates)).body.items;
    expect(await shownTo(own)).toEqual(await certificatesOf(player.participant));
    expect(await shownTo(other)).toEqual([]);
  });

  test("gets a new certificate when both are passed again, and no other", async () => {
    const second = await rehearse(player, "cancellation", good);
    await expect.poll(() => storedReport(second)).toBe(true);
    expect(await certificatesOf(player.participant)).toHaveLength(1);
    await rehearse(player, "update", good);
    await expect.poll(async () => (await certificatesOf(player.participant)).length).toBe(2);
    const [newest, first] = await certificatesOf(player.participant);
    expect(Date.parse(newest?.certified_at ?? "")).toBeGreaterThan(Date.parse(first?.certified_at ?? ""));
    expect(await integrationOf(player.participant)).toMatchObject({ certified_at: newest?.certified_at });
  });

  test("keeps its certificate when its scenarios are deleted and removed", async () => {
    const before = await certificatesOf(player.participant);
    await player.call("DELETE", `/scenarios/${runs[0]}`);
    for (let count = 0; count < 101; count++) await player.play("basic");
    service.clock.advance({ minutes: 11 });
    await player.play("basic");
    const kept = await service.operator("GET", `/accounts/${player.participant.accountId}/scenarios?limit=500`);
    expect(kept.body.items.filter(({ id }: { id: string }) => runs.includes(id))).toEqual([]);
    expect(await certificatesOf(player.participant)).toEqual(before);
  });
});

const storedReport = async (id: string): Promise<boolean> => {
  const { rowCount } = await service.database.pool.query(
    "select from sandbox.scenarios where id = $1 and report is not null",
    [id],
  );
  return rowCount === 1;
};
