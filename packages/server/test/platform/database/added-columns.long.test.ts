import { getDispatch, listDispatches, operator } from "@curtail/contract";
import { expect, test, vi } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { newBrowser } from "../../support/people.js";
import { running } from "../../support/running.js";
import { listed, newPlayer } from "../../support/scenario.js";
import { venServer } from "../../support/ven-server.js";
import { listeningToVens } from "../../support/vens.js";

// What a newer version's migration does to a running process: a prepared statement whose columns change fails for the
// rest of its connection.
// Only those that production prepares.
vi.stubEnv("TEST_PLANS", "anew");

test("columns that a newer version adds to every table change nothing for a process that runs", async () => {
  const service = await running();
  const vens = await listeningToVens(service);
  const player = await newPlayer(service);
  const { participant } = player;
  const program = await newProgram(service, [participant]);
  const browser = await newBrowser(service, "operator");
  const server = await venServer(await vens.serverCredentials(), vens.ca);
  await vens.newVen(participant, { transport: { push_url: server.url, ca_certificate: vens.ca } });
  const polling = await vens.newVen(participant);
  const rehearsing = await vens.newVen(participant, { environment: "sandbox" });
  await player.play("basic", { notification_time: undefined });
  let pushes = 0;

  const useAll = async (): Promise<void> => {
    const { id } = await newDispatch(service, program);
    expect((await participant.call(listDispatches)).status).toBe(200);
    expect((await participant.call(getDispatch, { params: { id } })).status).toBe(200);
    expect((await browser.operator(operator.getOverview)).status).toBe(200);
    expect(await listed(player)).toHaveLength(1);
    for (const ven of [polling, rehearsing]) {
      await ven.answer(await ven.events());
      expect(await ven.events()).not.toEqual([]);
    }
    await server.pushes(++pushes);
  };

  for (let time = 0; time < 3; time++) await useAll();
  const { rows } = await service.database.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'sandbox')",
  );
  // One after the other, as in migrations: locking several at once could deadlock with a request that locks them in
  // another order.
  for (const { name } of rows)
    await service.database.pool.query(`alter table ${name} add column of_a_newer_version int`);
  for (let time = 0; time < 3; time++) await useAll();
});
