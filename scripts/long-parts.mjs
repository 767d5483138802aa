// The parts of the long lane, by what they test. A part runs where its sources changed, one of its tests, or their support.
import { matchesAny } from "./globs.mjs";
import { longFilesWithSource, longFilesWithSupport } from "./support-of-tests.mjs";

const SERVER = "packages/server/src";
const TESTS = "packages/server/test";
const DATABASE = [`${SERVER}/platform/database/**`, "packages/server/migrations/**"];
/** What all pages share. */
const SHARED_PAGES = [
  "packages/web/src/*",
  "packages/web/src/{api,chart,finding,format,live,parts,routes,rules,shell,ui}/**",
  `${SERVER}/app/routes/pages.ts`,
];

const browser = (...names) => names.map((name) => `e2e/test/browser/${name}.long.test.ts`);
const e2e = (...names) => names.map((name) => `e2e/test/${name}.long.test.ts`);

/**
 * `tests` are long files: each belongs to one part. `sources` are what they test. A part with `env` runs by itself; one
 * with `again` runs files of the other lane once more, in another way (scripts/long-lane.mjs). One that `isLongest` runs
 * only where the whole lane is asked for.
 */
export const PARTS = [
  {
    name: "kills-of-readings",
    tests: e2e(
      "{kill,upload-kill,upload-rotation-kill,spool-kill,watch-kill,participant-kill,packing-kill,archive-kill,folding-kill}",
      "{agent-rotation,recorded-building}",
    ),
    sources: [
      ...DATABASE,
      `${SERVER}/telemetry/{operations,storage,worker}/**`,
      `${SERVER}/platform/{ahead,batcher,in-pieces}.ts`,
      "packages/{agent,spool,client}/src/**",
      "packages/cli/src/**",
    ],
  },
  {
    name: "kills-of-notices",
    tests: [
      ...e2e("{webhook-kill,webhook-crash,mail-kill,listen,example-receiver,example-sms-gateway}"),
      `${TESTS}/notification/{followers/personal-notices,http/webhook-recovery}.long.test.ts`,
      `${TESTS}/app/participant-listen.long.test.ts`,
    ],
    sources: [
      ...DATABASE,
      `${SERVER}/{dispatch,notification}/{followers,operations,storage,worker}/**`,
      `${SERVER}/platform/{outbound,worker}/**`,
      "packages/cli/src/participant/listen*.ts",
      "packages/client/src/**",
      "examples/**",
    ],
  },
  {
    name: "starts-and-stops",
    tests: [
      ...e2e(
        "{process,stopping,stop-while-starting,hostile-stop,secrets-key,certificate-authority,external-database,systemd-unit}",
      ),
      "packages/embedded-postgres/test/*.long.test.ts",
      `${TESTS}/app/commands/doctor.long.test.ts`,
    ],
    sources: [
      `${SERVER}/app/{curtail,program}.ts`,
      `${SERVER}/app/commands/doctor/**`,
      `${SERVER}/app/commands/{doctor,migrate,open-database,run-until-stopped,serve,stop-signals,taken-port}.ts`,
      `${SERVER}/app/wire/secret-keys.ts`,
      `${SERVER}/platform/{database,runtime}/**`,
      `${SERVER}/platform/private-file.ts`,
      `${SERVER}/openadr/domain/**`,
      "packages/embedded-postgres/src/**",
      "packages/server/*.mjs",
      "examples/systemd/**",
      "scripts/{start,demo}.mjs",
      "benchmarks/src/hostile.ts",
    ],
  },
  {
    name: "container",
    tests: e2e("container"),
    sources: [
      "Containerfile",
      ".dockerignore",
      "package{,-lock}.json",
      "packages/*/package.json",
      "scripts/build-*.mjs",
      "packages/embedded-postgres/src/link-programs.ts",
    ],
  },
  {
    name: "failover",
    tests: e2e("failover"),
    sources: [
      "docs/failover.md",
      `${SERVER}/app/wire/watched-standbys.ts`,
      `${SERVER}/platform/database/replication-state.ts`,
      `${SERVER}/platform/standbys.ts`,
      `${SERVER}/platform/database/{commit-listener,database,held-lock,standby}.ts`,
      `${SERVER}/platform/database-away.ts`,
      "packages/testing/src/system-postgres.ts",
    ],
  },
  {
    name: "several-machines",
    tests: [...e2e("several-machines")],
    sources: [
      "docs/scaling.md",
      `${SERVER}/access/{caller/shared-limits,domain/rate-limit}.ts`,
      `${SERVER}/platform/database/{database,notified-counts,pooler}.ts`,
      `${SERVER}/app/wire/{journal,limits}.ts`,
      `${SERVER}/app/commands/open-database.ts`,
      "packages/testing/src/system-postgres.ts",
    ],
  },
  {
    name: "point-in-time",
    tests: e2e("point-in-time"),
    sources: [
      "docs/{failover,point-in-time}.md",
      `${SERVER}/backup/storage/{hold-restored,opened-state,standby-state,skipped-numbers}.ts`,
      `${SERVER}/platform/database/{journal-upkeep,standby}.ts`,
    ],
  },
  {
    // Needs TEST_CITUS; without, its tests are skipped.
    name: "distributed",
    tests: [...e2e("distributed"), `${TESTS}/app/distribut{e,ed-*}.long.test.ts`],
    sources: [
      ...DATABASE,
      "docs/scaling.md",
      `${SERVER}/app/commands/distribute.ts`,
      `${SERVER}/app/wire/watched-nodes.ts`,
      `${SERVER}/platform/database-nodes.ts`,
      `${SERVER}/telemetry/storage/**`,
      "packages/testing/src/{citus,system-postgres}.ts",
    ],
  },
  {
    name: "races",
    tests: [
      ...e2e("{stale-polls,late-races,late-statement,ven,real-time}"),
      `${TESTS}/notification/storage/delivery-race.long.test.ts`,
      `${TESTS}/performance/http/performance-{same,backfill}.long.test.ts`,
    ],
    sources: [
      ...DATABASE,
      `${SERVER}/platform/fresh-memory.ts`,
      `${SERVER}/app/wire.ts`,
      `${SERVER}/app/wire/**`,
      `${SERVER}/app/routes/poll-lane.ts`,
      `${SERVER}/{dispatch,openadr,performance}/{operations,storage,vtn,worker}/**`,
      `${SERVER}/notification/storage/**`,
    ],
  },
  {
    name: "recipes",
    tests: e2e("recipes"),
    sources: [
      "docs/adding.md",
      "packages/contract/src/lists/**",
      `${SERVER}/dispatch/domain/dispatch-members.ts`,
      `${SERVER}/notification/channels/**`,
      `${SERVER}/oversight/storage/alarm-rules.ts`,
      `${SERVER}/app/followers.ts`,
      "scripts/{new,templates}.mjs",
    ],
  },
  {
    name: "upgrade",
    tests: [
      ...e2e("rolling-upgrade"),
      `${TESTS}/backup/dated-ids.process.long.test.ts`,
      `${TESTS}/platform/database/*.long.test.ts`,
      `${TESTS}/{notification,performance}/storage/*-migration.long.test.ts`,
    ],
    sources: [
      ...DATABASE,
      `${SERVER}/app/commands/migrate.ts`,
      `${SERVER}/*/storage/**`,
      "e2e/test/support/version-before.ts",
    ],
  },
  {
    name: "backup",
    tests: [...e2e("backup"), `${TESTS}/backup/{restore.process,http/*,storage/*}.long.test.ts`],
    sources: [
      ...DATABASE,
      `${SERVER}/backup/**`,
      `${SERVER}/notification/{operations,storage,worker}/**`,
      `${SERVER}/platform/files/**`,
      `${SERVER}/app/commands/{backup,backup-source,load-backup,restore-backup,verify-backup,work-folder}.ts`,
      `${SERVER}/app/wire/backup.ts`,
    ],
  },
  {
    name: "demo",
    tests: [
      "demo/test/*.long.test.ts",
      ...e2e("{demo-kill,demo-stopping}"),
      ...browser("demo"),
      `${TESTS}/demo/**/*.long.test.ts`,
    ],
    sources: ["demo/src/**", "packages/simulation/src/**", `${SERVER}/demo/**`, `${SERVER}/app/wire/demo.ts`],
  },
  {
    name: "fresh-clone",
    tests: e2e("{fresh-clone,release}"),
    sources: [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "{packages/*,demo,e2e,benchmarks}/package.json",
      "tsconfig.base.json",
      "scripts/{build-*,built-once,licences,make-ready,ready,release,sbom,shipped-packages,start}.mjs",
    ],
  },
  {
    name: "new",
    tests: e2e("new"),
    // Scripts, and what the templates import.
    sources: [
      "tsconfig.base.json",
      "scripts/{modules,new,templates}.mjs",
      `${SERVER}/{access/operations/access-stores,access/domain/account,platform/ports,platform/refusal}.ts`,
      "packages/server/test/support/fake-clock.ts",
    ],
  },
  {
    name: "generated-files",
    tests: e2e("generated-files"),
    sources: [
      "package.json",
      "tsconfig.base.json",
      "packages/{client,contract,embedded-postgres}/{package,tsconfig}.json",
      "packages/contract/src/write-openapi.ts",
      "scripts/{migrating,write-client,write-rows}.mjs",
      `${SERVER}/platform/database/{database,migrate,migration}.ts`,
    ],
  },
  {
    name: "packages",
    tests: e2e("{cli-package,sdk-package,downloads,typed-clients}"),
    sources: [
      "packages/{cli,client,spool}/{src/**,package.json}",
      "packages/contract/*.openapi.json",
      "scripts/{build-downloads,bundle-cli,licence-texts,pack-*,third-party}.mjs",
      `${SERVER}/app/routes/downloads.ts`,
    ],
  },
  {
    name: "other-programs",
    tests: [
      ...e2e("{node-red,agent-peers,openadr3-peers}"),
      "packages/agent/test/**/*.long.test.ts",
      `${TESTS}/app/{idle-publisher.process,participant-listen-openadr3}.long.test.ts`,
    ],
    sources: [
      "packages/{agent,node-red,openadr-3}/src/**",
      "packages/cli/src/participant/listen*.ts",
      ...DATABASE,
      `${SERVER}/openadr-3/**`,
      `${SERVER}/platform/worker/**`,
      `${SERVER}/app/wire/openadr-3*.ts`,
      "e2e/test/support/openadr3-peers/**",
    ],
  },
  {
    name: "openadr-3",
    tests: [`${TESTS}/openadr-3/**/*.long.test.ts`],
    sources: [
      ...DATABASE,
      "packages/openadr-3/src/**",
      `${SERVER}/{dispatch,openadr-3}/**`,
      `${SERVER}/platform/worker/**`,
      `${SERVER}/app/wire/openadr-3*.ts`,
    ],
  },
  {
    name: "command-line",
    tests: [`${TESTS}/app/{admin,participant-{data,input,profiles},replay}.long.test.ts`],
    sources: [
      "packages/{cli,client,meter-data,spool}/src/**",
      "packages/contract/*.openapi.json",
      `${SERVER}/{sandbox,telemetry}/{http,operations}/**`,
    ],
  },
  {
    name: "documentation",
    tests: e2e("docs-code"),
    sources: [
      "README.md",
      "docs/*.md",
      "docs/recipes/*",
      "examples/**",
      "packages/cli/src/**",
      "packages/client/src/**",
      "packages/contract/*.openapi.json",
    ],
  },
  {
    name: "pages-of-operators",
    tests: browser(
      "{after-the-day,alarm-groups,board-five,charts,delivery-hold,finding,hand-over,map,meter-data,near-match,openadr3,operations-*,past-result,peak-day,replay}",
      "{portfolio-*,program-holidays,statements,walk-*}",
    ),
    sources: [...SHARED_PAGES, "packages/web/src/pages/operations/**", "packages/contract/src/{lists,operator-v1}/**"],
  },
  {
    name: "pages-of-participants",
    tests: browser("{dashboard-*,journey,phones-and-calendars,reports,shared-energy}"),
    sources: [...SHARED_PAGES, "packages/web/src/pages/dashboard/**", "packages/contract/src/console-v1/**"],
  },
  {
    name: "pages-of-all",
    tests: browser(
      "{bare,brand,client-in-page,docs,first-load,frame,notifications,open-page,policies,second-factor,sign-in}",
    ),
    sources: [
      ...SHARED_PAGES,
      "packages/web/src/pages/*",
      "packages/web/src/pages/you/**",
      "packages/client/src/**",
      "packages/docs/src/**",
      "packages/contract/src/auth/**",
      `${SERVER}/platform/http/**`,
    ],
  },
  {
    name: "every-page",
    tests: browser("{accented,every-page,languages,refusals}"),
    sources: [...SHARED_PAGES, "packages/words/**"],
  },
  {
    name: "requests",
    tests: [
      `${TESTS}/app/{*-turns,earlier-versions-property}.long.test.ts`,
      `${TESTS}/app/http/*.long.test.ts`,
      `${TESTS}/platform/{http,worker}/*.long.test.ts`,
    ],
    sources: [
      `${SERVER}/app/**`,
      `${SERVER}/*/http/**`,
      `${SERVER}/platform/*.ts`,
      `${SERVER}/platform/{http,mdns,outbound,worker}/**`,
      "packages/{contract,meter-data}/src/**",
    ],
  },
  {
    name: "readings",
    tests: [`${TESTS}/{portfolio,telemetry}/**/*.long.test.ts`, "packages/meter-data/test/**/*.long.test.ts"],
    sources: [...DATABASE, `${SERVER}/{portfolio,telemetry}/**`, "packages/{holidays,meter-data}/src/**"],
  },
  {
    name: "results",
    tests: [
      `${TESTS}/settlement/**/*.long.test.ts`,
      `${TESTS}/performance/operations/**/*.long.test.ts`,
      `${TESTS}/performance/http/{baseline,report}-*.long.test.ts`,
      `${TESTS}/performance/http/{performance,performance-archived,performance-building}.long.test.ts`,
      `${TESTS}/performance/http/performance-{difference,excluded,final,first-look}.long.test.ts`,
      `${TESTS}/performance/http/performance-{approved,late,live,quality,recompute,report,rules,table}.long.test.ts`,
    ],
    sources: [
      ...DATABASE,
      `${SERVER}/{performance,portfolio,settlement,telemetry}/**`,
      "packages/{holidays,measure}/src/**",
    ],
  },
  {
    name: "notices",
    tests: [
      `${TESTS}/{access,dispatch,oversight,sandbox}/**/*.long.test.ts`,
      `${TESTS}/notification/http/{bad-input-webhook,calendar,delivery-responses,mail-recipients,operator-evidence,owed-notices}.long.test.ts`,
      `${TESTS}/notification/http/{operator-deliveries,personal-notices,phone-messages,webhook-mail}.long.test.ts`,
      `${TESTS}/notification/http/{dispatch-preview,webhook-delivery,webhook-isolation,webhook-shared-host,channel-isolation}.long.test.ts`,
      `${TESTS}/notification/storage/{delivery-queue,owed-store}.long.test.ts`,
    ],
    sources: [`${SERVER}/{access,dispatch,notification,oversight,sandbox}/**`],
  },
  {
    name: "vens",
    tests: [`${TESTS}/openadr/**/*.long.test.ts`],
    sources: [...DATABASE, `${SERVER}/openadr/**`, "packages/openadr/src/**"],
  },
  {
    // Needs valgrind; without, its tests are skipped.
    name: "instructions",
    tests: e2e("instructions"),
    sources: [
      "package-lock.json",
      `${SERVER}/access/{caller,http}/**`,
      `${SERVER}/app/routes/{lane,poll-lane,upload-lane}.ts`,
      `${SERVER}/{dispatch,telemetry}/{http,operations,storage}/**`,
      `${SERVER}/platform/*.ts`,
      `${SERVER}/platform/{database,http}/**`,
    ],
  },
  {
    name: "buffers",
    env: { TEST_BUFFERS: "whole" },
    tests: [`${TESTS}/app/buffers*.long.test.ts`],
    sources: [...DATABASE, `${SERVER}/*/storage/**`, `${TESTS}/support/buffers/**`],
  },
  {
    name: "log-of-readings",
    again: "withLog",
    tests: [],
    sources: [`${SERVER}/telemetry/storage/**`, ...DATABASE],
  },
  {
    name: "random-search",
    again: "properties",
    isLongest: true,
    tests: [],
    sources: ["packages/*/src/**", "packages/server/migrations/**"],
  },
  {
    name: "desktop-browser",
    again: "desktopBrowser",
    tests: [],
    sources: ["packages/web/src/{shell,ui}/**", "packages/web/src/*", "scripts/find-chromium.mjs"],
  },
  {
    name: "newest-node",
    again: "newestNode",
    tests: [],
    sources: ["package.json", "package-lock.json", "scripts/newest-lts.mjs", `${SERVER}/platform/runtime/**`],
  },
];

/**
 * The parts to run after a change: of their sources, of one of their tests, or of what such a test imports from `test/support`.
 * Of other parts, the files that import a source that changed.
 *
 * @param changed paths of the checkout; null: nobody knows
 * @param isWhole whether all are asked for
 */
export const partsFor = ({ changed, isWhole }) => {
  if (isWhole) return PARTS;
  const usual = PARTS.filter(({ isLongest = false }) => !isLongest);
  if (changed === null) return usual;
  const concerned = [...changed, ...longFilesWithSupport(changed)];
  const importing = longFilesWithSource(changed);
  return usual.flatMap((part) => {
    if (concerned.some((path) => matchesAny(path, [...part.tests, ...part.sources]))) return [part];
    const tests = importing.filter((file) => matchesAny(file, part.tests));
    return tests.length === 0 ? [] : [{ ...part, tests }];
  });
};

/** Names of the parts that a long test file belongs to: one, or the table is wrong. */
export const partsOf = (file) => PARTS.filter(({ tests }) => matchesAny(file, tests)).map(({ name }) => name);
