import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Participant, type Running, running } from "../support/running.js";
import { type ParticipantRunOptions, participantUser } from "./participant-run.js";

let service: Running;
let participant: Participant;
let program: string;

beforeAll(async () => {
  service = await running();
  participant = await service.newParticipant();
  program = await newProgram(service, [participant]);
});

/** Nothing listens there. */
const nowhere = `http://127.0.0.1:${await freePort()}`;

const loggedIn = async () => {
  const user = participantUser();
  const { exitCode, stderr } = await user.run(["login", "--url", service.url], { secret: participant.key });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const file = join(user.home, "config", "curtail", "profiles.json");
  return { ...user, file };
};

describe("login", () => {
  test("stores a key that works, readable by the user only, and never prints it", async () => {
    const { run, home } = participantUser();
    const { exitCode, stdout, stderr } = await run(["login", "--url", `${service.url}/`], { secret: participant.key });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Logged in to ${service.url} as profile default: 1 site.\n`);
    expect(stdout + stderr).not.toContain(participant.key);
    const file = join(home, "config", "curtail", "profiles.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      current: "default",
      profiles: { default: { url: service.url, api_key: participant.key } },
    });
  });

  test("takes the address as documents name it, with the path of the interface", async () => {
    const { run } = participantUser();
    const url = `${service.url}/2022-04-15/`;
    expect((await run(["login", "--url", url], { secret: participant.key })).exitCode).toBe(0);
    expect((await run(["status", "--json"])).json.url).toBe(service.url);
    const environment = { CURTAIL_URL: url, CURTAIL_API_KEY: participant.key };
    expect((await run(["status", "--json"], { environment })).json.url).toBe(service.url);
  });

  test("a key is read from standard input, and the newest profile is used until another is named", async () => {
    const { run } = await loggedIn();
    const sandbox = ["login", "--url", service.sandboxUrl, "--profile", "sandbox", "--with-key", "-"];
    expect(await run(sandbox, { stdin: "sandbox-public-key\nignored\n" })).toMatchObject({ exitCode: 0 });
    expect((await run(["status", "--json"])).json).toMatchObject({ url: service.sandboxUrl, environment: "sandbox" });
    const { json } = await run(["status", "--profile", "default", "--json"]);
    expect(json).toMatchObject({ url: service.url, environment: "production", key_from: "profile default", sites: 1 });
  });

  test("a refused key and an address where nothing answers leave the profile as it was", async () => {
    const { run, file } = await loggedIn();
    const before = readFileSync(file, "utf8");
    const refused = await run(["login"], { secret: "ctp_wrong" });
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("The key is from this login") });
    const away = await run(["login", "--url", nowhere], { secret: participant.key });
    expect(away).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("ECONNREFUSED") });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  const wrongUses: ReadonlyArray<[readonly string[], ParticipantRunOptions, string]> = [
    [["login"], { secret: "ctp_x" }, "Give its address with --url"],
    [["login", "--url", "ftp://example.com"], {}, "beginning with http:// or https://"],
    [["login"], { environment: { CURTAIL_URL: "dr.example.com" }, secret: "ctp_x" }, "CURTAIL_URL must be an address"],
    [["login", "--url", nowhere], {}, "no terminal to ask for the key"],
    [["login", "--url", nowhere], { secret: "" }, "does not hold an API key"],
    [["login", "--url", nowhere, "--profile", "../x"], { secret: "k" }, "a profile's name has"],
    [["status"], {}, "run `curtail login`, or set CURTAIL_URL and CURTAIL_API_KEY"],
    [["status"], { environment: { CURTAIL_API_KEY: "k" } }, "CURTAIL_API_KEY is set without CURTAIL_URL"],
    [["status", "--profile", "x"], {}, "there is no profile x"],
    [["logout"], {}, "no key is stored"],
  ];
  test.for(wrongUses)("%j is wrong usage", async ([args, options, message]) => {
    const { exitCode, stdout, stderr } = await participantUser().run(args, options);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("a file that holds something else is named", async () => {
    const { run, file } = await loggedIn();
    writeFileSync(file, "{}");
    expect(await run(["status"])).toMatchObject({
      exitCode: 1,
      stderr: `curtail: ${file} does not hold profiles; remove it and run \`curtail login\` again\n`,
    });
    const environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
    expect(await run(["status"], { environment })).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("logout removes the key, and the file with the last one", async () => {
    const { run, file } = await loggedIn();
    expect(await run(["logout"])).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(false);
    expect(await run(["logout"])).toMatchObject({ exitCode: 2 });
  });

  test("the environment's key goes before profiles, an asked profile before the environment", async () => {
    const { run } = await loggedIn();
    const environment = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: "sandbox-public-key" };
    expect((await run(["status", "--json"], { environment })).json.url).toBe(service.sandboxUrl);
    const asked = await run(["status", "--json", "--profile", "default"], { environment });
    expect(asked.json.url).toBe(service.url);
  });
});

test("sites are listed with the ids of their meters, and as the service returns them", async () => {
  const { sites } = participant;
  const { run } = await loggedIn();
  const { stdout } = await run(["sites"]);
  expect(stdout).toMatch(
    new RegExp(`^site .* meter +meter_name\\n${sites[0]?.id} .* ${sites[0]?.meters[0]} +main\\n$`),
  );
  expect((await run(["sites", "--json"])).json.sites).toMatchObject([{ id: sites[0]?.id }]);
  const empty = await service.newParticipant({ sites: [] });
  const environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: empty.key };
  expect(await run(["sites"], { environment })).toMatchObject({ exitCode: 0, stdout: "" });
});

describe("dispatches", () => {
  test("are listed for people and as the service returns them, or one with its sites", async () => {
    const { key } = await service.newParticipant();
    const none = await participantUser().run(["dispatches"], {
      environment: { CURTAIL_URL: service.url, CURTAIL_API_KEY: key },
    });
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: expect.stringMatching(/^No dispatches/) });
    const { id } = await newDispatch(service, program);
    const { run } = await loggedIn();
    const { stdout } = await run(["dispatches"], { now: () => service.clock.now() });
    expect(stdout).toMatch(new RegExp(`^id +state.*\\n[^]*${id} +upcoming .* open +Peak +1 +50 kW\\n`));
    expect((await run(["dispatches", "--json"])).json.dispatches.map((each: { id: string }) => each.id)).toContain(id);
    expect((await run(["dispatches", id])).stdout).toContain(participant.sites[0]?.id ?? "no site");
    expect(await run(["dispatches", "dis_unknown"])).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test("are watched: each change is a line, until it is stopped", async () => {
    const { id } = await newDispatch(service, program);
    const { run } = await loggedIn();
    const cancel = () => service.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    let isCancelled = false;
    const { exitCode, stdout } = await run(["dispatches", id, "--watch", "--every", "1s", "--json"], {
      onOutput(text, interrupt) {
        if (text.includes('"type":"cancelled"')) interrupt();
        else if (!isCancelled) {
          isCancelled = true;
          void cancel();
        }
      },
    });
    expect(exitCode).toBe(0);
    const changes = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(changes.map(({ type, dispatch }) => [type, dispatch.id])).toEqual([
      ["created", id],
      ["cancelled", id],
    ]);
  });
});

describe("doctor", () => {
  test("says what is sound, and what to do about what is not", async () => {
    const { run } = await loggedIn();
    const { exitCode, json } = await run(["doctor", "--json"]);
    const results = Object.fromEntries(
      json.checks.map((each: { name: string; result: string }) => [each.name, each.result]),
    );
    expect(results).toEqual({
      credentials: "ok",
      proxy: "ok",
      reachable: "ok",
      tls: "ok",
      clock: "ok",
      key: "ok",
      environment: "ok",
      sites: "ok",
      readings: "warning",
      webhooks: "warning",
    });
    expect(exitCode).toBe(0);
  });

  test("names what waits and runs on the machine, whatever key it has, also while the service is away", async () => {
    const user = participantUser();
    const environment = { CURTAIL_URL: nowhere, CURTAIL_API_KEY: "ctp_1" };
    const line = '{"meter_id":"mtr_1","interval_seconds":60,"timestamp":"2026-06-01T00:01:00Z","kW":1}\n';
    for (const args of [
      ["upload", "-"],
      ["upload", "-", "--spool", join(user.home, "own")],
    ])
      await user.run(args, {
        environment: { ...environment, CURTAIL_API_KEY: args.length === 2 ? "ctp_2" : "ctp_1" },
        stdin: line,
        onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
      });
    const config = join(user.home, "agent.yaml");
    const page = createServer((_request, response) => {
      response.end(JSON.stringify({ service: { url: "https://a.example", is_lost: true, fault: "ECONNREFUSED" } }));
    });
    await new Promise<void>((resolve) => void page.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    writeFileSync(config, `state: ${user.home} # here\nstatus:\n  port: ${port}\n`);
    writeFileSync(
      join(user.home, "state/curtail/listen-0123456789abcdef.json"),
      JSON.stringify({
        secret: "whsec_",
        forwarded: {},
        watched: null,
        url: "https://a.example",
        target: "http://127.0.0.1:9000",
      }),
    );
    const folder = user.home;
    const running = [
      { pid: 7, words: ["upload", "-", "--spool", "own"], folder },
      { pid: 8, words: ["agent", "--config", "agent.yaml"], folder },
    ];
    const { json } = await user.run(["doctor", "--json"], { environment, running });
    const found = json.checks.map(({ name, result, detail }: Record<string, string>) => `${result} ${name} ${detail}`);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warning spool .*curtail\/upload-\w+\/telemetry: 1 waiting since .*Z, 0 set aside$/),
        expect.stringMatching(/^warning spool .*\/own\/telemetry: 1 waiting/),
        `warning agent process 8 (${config}) for https://a.example has no contact: ECONNREFUSED`,
        "warning listener http://127.0.0.1:9000 for https://a.example is not running",
      ]),
    );
    const again = [...running, { pid: 9, words: ["listen", "--forward-to=http://127.0.0.1:9000"], folder }];
    const { stdout } = await user.run(["doctor"], { environment, running: again });
    expect(stdout).toMatch(/ok +listener +http:\/\/127.0.0.1:9000 .* is running/);
  });

  test("fails for a file that others can read, and for a service that is not there", async () => {
    const { run, file } = await loggedIn();
    chmodSync(file, 0o644);
    const open = await run(["doctor"]);
    expect(open).toMatchObject({ exitCode: 1, stderr: "curtail: a check failed\n" });
    expect(open.stdout).toContain(`chmod 600 ${file}`);
    const environment = { CURTAIL_URL: nowhere, CURTAIL_API_KEY: "k" };
    const gone = await run(["doctor"], { environment });
    expect(gone.exitCode).toBe(1);
    expect(gone.stdout).toContain("nothing listens there: check the address and port");
  });

  test("a wrong key is told from a wrong address", async () => {
    const { run } = participantUser();
    const { stdout } = await run(["doctor"], { environment: { CURTAIL_URL: service.url, CURTAIL_API_KEY: "wrong" } });
    expect(stdout).toMatch(/failed +key +Permission denied.* The key is from the environment\.\n.*CURTAIL_API_KEY/);
    const elsewhere = { CURTAIL_URL: `${service.url}/elsewhere`, CURTAIL_API_KEY: "wrong" };
    expect((await run(["doctor"], { environment: elsewhere })).stdout).toMatch(/failed +reachable/);
    const sandbox = { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: participant.key };
    const { stdout: other } = await run(["doctor"], { environment: sandbox });
    expect(other).toMatch(/this is a production API key.*\n.*or the address of the other one/);
  });

  test("a proxy that cannot be used is named, for every command", async () => {
    const { run } = participantUser();
    const own = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
    const wrong = { ...own, HTTP_PROXY: "socks5://127.0.0.1:1" };
    const { exitCode, stdout } = await run(["doctor"], { environment: wrong });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/failed +proxy +HTTP_PROXY is not the address of an HTTP proxy/);
    expect(await run(["status"], { environment: wrong })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("HTTP_PROXY is not the address"),
    });
    const { stdout: away } = await run(["doctor"], { environment: { ...own, HTTP_PROXY: nowhere } });
    expect(away).toContain(`through the proxy ${nowhere}: ECONNREFUSED`);
  });
});
