import { operator } from "@curtail/contract";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { serviceWords } from "../../../src/platform/words.js";
import { expectError } from "../../support/expect-error.js";
import { dispatchBetween, measuredProgram } from "../../support/measuring.js";
import { OPERATOR_TOKEN, type Running, running } from "../../support/running.js";
import { setTerms, statementMade } from "../../support/settling.js";

const NAME = `=1+2 <script>alert("x")</script> & 'Söhne', "two`;

let service: Running;
let id: string;
let programId: string;

beforeAll(async () => {
  service = await running();
  service.clock.set(new Date("2026-06-12T00:00:00Z"));
  const participant = await service.newParticipant({ name: NAME });
  programId = await measuredProgram(service, [participant], { name: NAME, commitment: 1e-7 });
  await dispatchBetween(service, programId, ["2026-06-20T18:00:00Z", "2026-06-20T19:00:00Z"]);
  await setTerms(service, programId, {
    capacity: { price_per_kw: "4.5", factor: null },
    energy: { price_per_kwh: "0.1", counted: "net", highest_share: null },
  });
  id = await statementMade(service, participant.accountId, "2026-06");
});

const read = async (path: string, asked: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${service.url}/operator/v1/statements/${id}${path}`, {
    headers: { ...asked, authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const rowsOf = ({ text }: { readonly text: string }): Record<string, string>[] => parse(text, { columns: true });

test("a printed statement escapes every name, runs nothing and loads nothing", async () => {
  const { status, headers, text } = await read("?format=html");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
  expect(text).not.toMatch(/<script|<img|<link|src=|href=/);
  expect(text).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;Söhne&#39;, &quot;two");
  expect(text).toContain("waiting for the result");
  expect(text).toMatch(/<\/body><\/html>\n$/);
});

test("a printed statement is in the language of its reader, with its numbers; the CSV is not", async () => {
  const german = { "accept-language": "de" };
  const { headers, text } = await read("?format=html", german);
  expect(headers.get("vary")).toContain("accept-language, cookie");
  const { say } = serviceWords("de");
  expect(text).toContain('<html lang="de">');
  for (const word of [say("Totals"), say("Penalties"), say("Explanation"), say("waiting for the result")])
    expect(text).toContain(`>${word}<`);
  expect(text).toContain('<td class="n">4,5</td>');
  expect(text).toContain('<td class="n">0,00</td>');
  expect(text.replace(/<style>.*<\/style>/s, "")).not.toMatch(/\d\.\d/);
  expect((await read("?format=csv", german)).text).toBe((await read("?format=csv")).text);
});

test("CSV has a row for each line, and no name that a spreadsheet takes for a formula", async () => {
  const answer = await read("?format=csv");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="statement-2026-06-${id}-version-1.csv"`,
  );
  const rows = rowsOf(answer);
  expect(rows.map(({ kind, amount, quantity }) => [kind, quantity, amount])).toEqual([
    ["capacity", "0.000", "0.00"],
    ["energy", "", "0.00"],
  ]);
  expect(rows[0]).toMatchObject({ site_name: `'${NAME}, site 1` });
});

test("the tables of what it is computed from have plain numbers", async () => {
  const [site] = rowsOf(await read("/inputs?table=sites"));
  expect(site).toMatchObject({ commitment_kw: "0.0000001", enrolled: "true" });
  const [terms] = rowsOf(await read("/inputs?table=terms"));
  expect(terms).toMatchObject({ program_name: `'${NAME}`, minor_digits: "2", factor_lowest: "", penalty_below: "" });
  const results = rowsOf(await read("/inputs"));
  expect(results).toMatchObject([{ version: "", cancelled: "false", delivered_net_kwh: "", committed_kwh: "" }]);
});

test("a version that there is not is not found, and a form that there is not is refused", async () => {
  expect((await read("?version=2")).status).toBe(404);
  expect((await read("/inputs?version=2")).status).toBe(404);
  expect((await read("?format=pdf")).status).toBe(400);
  expect((await read("?version=0")).status).toBe(400);
});

test("terms that make no sense are refused, in words", async () => {
  const set = (body: object, from = "2026-06") =>
    service.operator("PUT", `/programs/${programId}/terms/${from}`, {
      currency: "USD",
      capacity: null,
      energy: null,
      penalty: null,
      ...body,
    });
  const energy = { price_per_kwh: "0.1", counted: "net", highest_share: null };
  expectError(await set({}), 400, /the terms are empty/);
  expectError(await set({ currency: "XQX", energy }), 400, /give an ISO 4217 code such as USD/);
  expectError(await set({ energy }, "2026-13"), 400, /from_month is not a month; give it as YYYY-MM/);
  const capacity = { price_per_kw: "1", factor: { lowest: "0.9", highest: "0.5" } };
  expectError(await set({ capacity }), 400, /lowest is above highest/);
  for (const price of ["-1", "1.0000001", "1e3", "1,5", "", 5, "9999999999"]) {
    expectError(await set({ energy: { ...energy, price_per_kwh: price } }), 400, /price_per_kwh/);
  }
  expectError(await service.operator("DELETE", `/programs/${programId}/terms/2020-01`), 404, /No such terms/);
});

test("parts and limits of terms that are left out are null", async () => {
  const other = await measuredProgram(service, [], { name: "Short" });
  const penalty = { below: "0.8", price_per_kwh: "1", counted: "net" } as const;
  const body = { currency: "USD", capacity: { price_per_kw: "4.5" }, penalty };
  const { terms } = await service.made(operator.setTerms, { params: { id: other, from_month: "2026-01" }, body });
  expect(terms).toEqual({
    currency: "USD",
    capacity: { price_per_kw: "4.5", factor: null },
    energy: null,
    penalty: { ...penalty, highest_per_month: null, within_earnings: false },
  });
});

const capacity = (price_per_kw: string) => ({ capacity: { price_per_kw, factor: null } });

test("terms are listed by month, without those that were deleted", async () => {
  const other = await measuredProgram(service, [], { name: "Listed" });
  await setTerms(service, other, capacity("3"), "2026-03");
  await setTerms(service, other, capacity("1"), "2026-01");
  await setTerms(service, other, capacity("2"), "2026-02");
  await setTerms(service, other, capacity("1.5"), "2026-01");
  await service.made(operator.deleteTerms, { params: { id: other, from_month: "2026-02" } });
  const list = (query: object) => service.made(operator.listTerms, { params: { id: other }, query });
  const monthsOf = ({ items }: Awaited<ReturnType<typeof list>>) =>
    items.map(({ from_month, terms }) => [from_month, terms.capacity?.price_per_kw]);
  const first = await list({ limit: 1 });
  expect(monthsOf(first)).toEqual([["2026-01", "1.5"]]);
  expect(monthsOf(await list({ cursor: first.next_cursor }))).toEqual([["2026-03", "3"]]);
});

test("a month without terms, or without anything to settle, is refused", async () => {
  const make = (month: string, account_id?: string) =>
    service.operator(operator.makeStatements, { body: { month, ...(account_id && { account_id }) } });
  expectError(await make("2025-12"), 400, /no program has terms in 2025-12/);
  expectError(await make("2026-06", "acc_0"), 404, /No such account/);
  const { accountId } = await service.newParticipant();
  expectError(await make("2026-06", accountId), 400, /nothing to settle/);
});
