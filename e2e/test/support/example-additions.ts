import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { complaints } from "./installed-copy.js";
import type { WorkspaceCopy } from "./workspace-copy.js";

const SERVER = "packages/server/src";
const TEST = "packages/server/test";
const CONTRACT = "packages/contract/src";

/** Puts text before the first line that begins with `mark`. */
const insert = ({ path }: WorkspaceCopy, file: string, mark: string, text: string): void => {
  const before = readFileSync(join(path, file), "utf8");
  const at = before.indexOf(`\n${mark}`);
  if (at === -1) throw new Error(`${file} has no line that begins with ${mark}`);
  writeFileSync(join(path, file), `${before.slice(0, at + 1)}${text}\n${before.slice(at + 1)}`);
};

const write = ({ path }: WorkspaceCopy, file: string, text: string): void => {
  mkdirSync(dirname(join(path, file)), { recursive: true });
  writeFileSync(join(path, file), text);
};

const migrate = (copy: WorkspaceCopy, name: string, sql: string): void => {
  complaints(copy, "scripts/new.mjs", "migration", name);
  const folder = "packages/server/migrations";
  const file =
    readdirSync(join(copy.path, folder)).find((each) => each.endsWith(`_${name.replaceAll("-", "_")}.sql`)) ?? "";
  write(copy, `${folder}/${file}`, `-- breaks: no\n${sql}\n`);
};

/** Makes one of each thing that `docs/adding.md` has a section for; the test that is written with it shows that it works. */
export const additions: Readonly<Record<string, (copy: WorkspaceCopy) => void>> = {
  "A field of a dispatch"(copy) {
    migrate(
      copy,
      "remark",
      ["dispatches", "sandbox.dispatches"]
        .map((table) => `alter table ${table} add column remark text not null default '';`)
        .join("\n"),
    );
    const members = `${SERVER}/dispatch/domain/dispatch-members.ts`;
    insert(copy, members, "  readonly metadata:", "  readonly remark: string;");
    insert(copy, members, "  notification:", '  remark: { column: "remark", for: "participants", changes: "freely" },');
    const { path } = copy;
    write(
      copy,
      members,
      readFileSync(join(path, members), "utf8").replace("= { metadata: {} }", '= { metadata: {}, remark: "" }'),
    );
    const schema = `${CONTRACT}/v2022-04-15/dispatch.ts`;
    write(
      copy,
      schema,
      readFileSync(join(path, schema), "utf8").replace(
        "dispatchDetails = { ",
        'dispatchDetails = { remark: Type.String({ maxLength: 200, description: "What participants should know.", examples: ["Grid test"] }), ',
      ),
    );
    insert(copy, "packages/web/src/pages/operations/audit/members.ts", "  backup_at:", '  remark: say("remark"),');
    insert(copy, "packages/testing/src/wire-forms.ts", "  metadata:", '  remark: "",');
    write(copy, `${TEST}/dispatch/http/remark.test.ts`, REMARK_TEST);
  },
  "An alarm"(copy) {
    insert(copy, `${CONTRACT}/lists/alarms.ts`, "  gateway_failing:", ALARM_WORDS);
    write(copy, `${SERVER}/oversight/storage/alarms/accounts.ts`, ALARM_RULE);
    const rules = `${SERVER}/oversight/storage/alarm-rules.ts`;
    insert(copy, rules, "import { addressFailing }", 'import { sitesMissing } from "./alarms/accounts.js";');
    insert(copy, rules, "  gateway_failing:", "  sites_missing: [sitesMissing],");
    write(copy, `${TEST}/oversight/http/sites-missing.test.ts`, ALARM_TEST);
    insert(copy, "docs/runbook.md", "## gateway_failing", ALARM_SECTION);
  },
  "A follower of changes"(copy) {
    migrate(
      copy,
      "new-sites-followed",
      "insert into followers (name, seen, kinds, behind_after_seconds) values ('new-sites', pg_current_snapshot(), '{}', 15);",
    );
    write(copy, `${SERVER}/portfolio/followers/new-sites.ts`, FOLLOWER);
    const list = `${SERVER}/app/followers.ts`;
    insert(copy, list, "import { settlement }", 'import { newSites } from "../portfolio/followers/new-sites.js";');
    insert(copy, list, "  settlement,", "  newSites,");
  },
  "A channel"(copy) {
    complaints(copy, "scripts/new.mjs", "channel", "pager");
  },
};

const ALARM_WORDS = `  sites_missing: {
    title: "Account without sites",
    notice: "an account has no sites",
    words: "{account} is enabled, and has no sites.",
    subject: "account",
    raised: "an account that is enabled has no site",
    cleared: "it has one, or is disabled",
    action: "add its sites",
  },`;

const ALARM_SECTION = `## sites_missing

**Raised when** …

**Look at.** The account's page.

**Do.** Add its sites.

**Ends when** …
`;

const ALARM_RULE = `import { account, accountName, alarmRule } from "../alarm-rule.js";

/** Accounts that nothing can be dispatched for. */
export const sitesMissing = alarmRule({
  kind: "sites_missing",
  find: \`
    select id as subject, id as account_id, name as account_name from accounts
    where not disabled and not exists (select from sites where sites.account_id = accounts.id) order by seq\`,
  facts: { ...account },
  message: (each) => \`Account \${accountName(each)} has no sites. Add them.\`,
});
`;

const ALARM_TEST = `import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { untilAlarms } from "../../support/alarms.js";
import { running } from "../../support/running.js";

test("an account without sites raises an alarm until it has one", async () => {
  const service = await running();
  const { id } = await service.made(operator.createAccount, { body: { name: "Mills" } });
  const about = { kind: "sites_missing", id };
  expect((await untilAlarms(service, about, 1))[0]?.message).toContain("Mills");
  await service.made(operator.createSite, { params: { id }, body: { name: "Hall 1", timezone: "UTC" } });
  await untilAlarms(service, about, 0);
});
`;

const FOLLOWER = `import type { Follower } from "../../platform/follower.js";

/** An example: follows new sites, and makes nothing of them. */
export const newSites: Follower<object> = {
  name: "new-sites",
  stream: "journal",
  kinds: ["site.create"],
  by: "entry",
  atOnce: 8,
  behindAfterSeconds: 15,
  handle: async () => ({ more: false }),
  rebuild: async () => false,
};
`;

const REMARK_TEST = `import { getDispatch, operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { running } from "../../support/running.js";

test("a remark is set, changed, seen by participants and audited", async () => {
  const service = await running();
  const anna = await service.newParticipant();
  const program = await newProgram(service, [anna]);
  const { id } = await newDispatch(service, program, { remark: "First" });
  const seen = async () => (await anna.call(getDispatch, { params: { id } })).body.remark;
  expect(await seen()).toBe("First");
  await service.made(operator.changeDispatch, { params: { id }, body: { remark: "Second" } });
  expect(await seen()).toBe("Second");
  const { items } = await service.made(operator.listAudit, { query: { subject: id } });
  expect(items.map((entry) => (entry.after as { remark?: string } | null)?.remark)).toEqual(["Second", "First"]);
});
`;
