import { expect, test } from "vitest";
import { expectError } from "../support/expect-error.js";
import { newBrowser } from "../support/people.js";
import { running } from "../support/running.js";

const service = await running();

test("an account's people add, list and remove its dispatch contacts, which the audit log has as theirs", async () => {
  const { accountId } = await service.newParticipant();
  const admin = await newBrowser(service, "participant-admin", accountId);
  const added = await admin.console("POST", "/contacts", { name: "Ann", email: "ann@example.org" });
  const ben = { name: "Ben", email: "ben@example.org", phone: "+1 555 010 0200" };
  const second = (await admin.console("POST", "/contacts", ben)).body;
  expect(second).toMatchObject(ben);
  const { items } = (await service.operator("GET", `/accounts/${accountId}/contacts`)).body;
  expect(items).toEqual([added.body, second]);
  expect((await admin.console("GET", "/contacts?limit=1")).body.items).toEqual([added.body]);
  expect((await admin.console("DELETE", `/contacts/${added.body.id}`)).status).toBe(204);
  expect((await admin.console("GET", "/contacts")).body).toEqual({ items: [second], next_cursor: null });
  expectError(await admin.console("DELETE", `/contacts/${added.body.id}`), 404, /No such contact/);
  const acts = (await service.operator("GET", "/audit?limit=3")).body.items;
  const act = { actor: `user:${admin.id}`, account_id: accountId };
  expect(acts).toMatchObject([
    { ...act, action: "contact.delete", subject: added.body.id },
    { ...act, action: "contact.create", subject: second.id },
    { ...act, action: "contact.create", subject: added.body.id },
  ]);
});

test("an account has 200 contacts at most, the operator's included", async () => {
  const { accountId } = await service.newParticipant();
  await service.database.pool.query(
    `insert into contacts (id, account_id, name, email, created_at)
     select 'con_many_' || n, $1, 'Ann', 'ann@example.org', now() from generate_series(1, 199) as n`,
    [accountId],
  );
  const add = () =>
    service.operator("POST", `/accounts/${accountId}/contacts`, { name: "Ben", email: "ben@example.org" });
  expect((await add()).status).toBe(201);
  expectError(await add(), 400, /200 contacts.*remove one first/);
});

test("an account's people add 50 contacts and no more; the operator goes on", async () => {
  const { accountId } = await service.newParticipant();
  const admin = await newBrowser(service, "participant-admin", accountId);
  const contact = { name: "Ann", email: "ann@example.org" };
  for (let count = 0; count < 49; count++) await admin.console("POST", "/contacts", contact);
  const answers = await Promise.all([1, 2, 3].map(() => admin.console("POST", "/contacts", contact)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expectError(await admin.console("POST", "/contacts", contact), 400, /50 contacts.*remove one first/);
  expect((await service.operator("POST", `/accounts/${accountId}/contacts`, contact)).status).toBe(201);
});
